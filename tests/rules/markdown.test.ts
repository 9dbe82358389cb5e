import fc from "fast-check";
import { parse } from "node-html-parser";
import { describe, expect, it } from "vitest";
import { markdownToHtml } from "@/lib/platform/content/markdown";
import { localizedPath } from "@/lib/platform/routing/paths";

const html = (markdown: string) =>
  markdownToHtml(markdown, (path) => localizedPath(path, { locale: "zh", surface: "mobile" }));

/** The elements and attributes that `markdownToHtml` may write. */
const TAGS =
  "p h2 h3 h4 h5 h6 ul ol li blockquote pre code strong em a br hr div table thead tbody tr th td".split(" ");
const ATTRIBUTES = ["id", "href", "rel", "title", "align", "class", "tabindex", "start"];

describe("markdownToHtml", () => {
  it("shows raw HTML as text", () => {
    const rendered = html('<script>alert(1)</script>\n\na <img src=x onerror="alert(1)"> b\n\n<!-- c -->');
    expect(rendered).not.toMatch(/<(script|img|!--)/);
    expect(parse(rendered).text).toContain("alert(1)");
  });

  it.each([
    ["javascript:alert(1)"],
    ["JaVaScRiPt:alert(1)"],
    ["data:text/html,x"],
    ["vbscript:x"],
    ["&#106;avascript:alert(1)"],
  ])("drops the URL %s", (address) => {
    expect(html(`[a](<${address}>)`)).toContain('<a href="">a</a>');
  });

  it("renders no images", () => {
    expect(html("![seen](https://tracker.example/a.gif)")).not.toContain("<img");
  });

  it("renders a figure whose target is known, alone in its paragraph", () => {
    const image = { src: "/a?v=1&width=960", srcset: "/a?v=1&width=960 960w", width: 960, height: 400 };
    const render = (markdown: string) =>
      markdownToHtml(markdown, (path) => path, {
        figure: (target) => (target === "figure/1/960x400" ? image : null),
      });
    expect(render('![A "week" & more](figure/1/960x400)')).toBe(
      '<figure><img src="/a?v=1&amp;width=960" srcset="/a?v=1&amp;width=960 960w" sizes="(min-width: 600px) 530px, 92vw" ' +
        'width="960" height="400" alt="" loading="lazy" /><figcaption>A &quot;week&quot; &amp; more</figcaption></figure>',
    );
    for (const markdown of [
      "![a](figure/2/960x400)",
      "See ![a](figure/1/960x400)",
      "[a](figure/1/960x400)",
      "![a](https://tracker.example/a.gif)",
    ])
      expect(render(markdown)).not.toContain("<img");
  });

  it("localizes internal links", () => {
    expect(html("[a](/product/x?plan=1#b) [c](/limited-offer)")).toBe(
      '<p><a href="/zh/mobile/product/x?plan=1#b">a</a> <a href="/zh/mobile/limited">c</a></p>',
    );
  });

  it.each([["https://a.example/b"], ["http://a.example"], ["HTTPS://a.example"], ["//a.example/b"]])(
    "marks %s as an external link",
    (address) => {
      expect(html(`[a](${address})`)).toBe(`<p><a href="${address}" rel="noopener nofollow">a</a></p>`);
    },
  );

  it("keeps mailto links and fragments", () => {
    expect(html("[a](mailto:a@b.example) [b](#part-1)")).toBe(
      '<p><a href="mailto:a@b.example">a</a> <a href="#part-1">b</a></p>',
    );
  });

  it("starts headings at the second level and gives each an id", () => {
    expect(html("# a\n\n## b\n\n### c")).toBe(
      '<h2 id="part-1">a</h2>\n<h2 id="part-2">b</h2>\n<h3 id="part-3">c</h3>',
    );
  });

  it("wraps tables in a scroll container with keyboard focus", () => {
    const table = parse(html("| a | b |\n| --- | ---: |\n| c | 1 |")).querySelector(".prose-table");
    expect(table?.getAttribute("tabindex")).toBe("0");
    expect(table?.querySelectorAll("td").map((cell) => cell.text)).toEqual(["c", "1"]);
    expect(table?.querySelector("td:last-child")?.getAttribute("align")).toBe("right");
  });

  it("escapes tags in code", () => {
    expect(html('`<a href="/x">`')).toBe("<p><code>&lt;a href=&quot;/x&quot;&gt;</code></p>");
  });

  it("writes only known elements and attributes (2,000 random texts)", () => {
    const fragment = fc.constantFrom(
      ..."<a ,<script>,</p>,<svg onload=x>,[,](,),!,`,```,|,---,# ,> ,* ,**,_,\n,\n\n,&lt;,&#60;,\",',javascript:,/x,https://e.example,{a},1. ,\\,<,>,\0".split(
        ",",
      ),
      "文",
      "a b",
    );
    const text = fc.array(fc.oneof(fragment, fc.string({ maxLength: 6 })), { maxLength: 30 });
    fc.assert(
      fc.property(text, (fragments) => {
        for (const node of parse(html(fragments.join(""))).querySelectorAll("*")) {
          expect(TAGS).toContain(node.rawTagName.toLowerCase());
          for (const [name, value] of Object.entries(node.attributes)) {
            expect(ATTRIBUTES).toContain(name);
            if (name === "href") expect(value).toMatch(/^(?:$|https?:|mailto:|[^:]*$|[^:]*[/?#])/i);
          }
        }
      }),
      { numRuns: 2000, seed: 20261121 },
    );
  });
});
