import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { Prose } from "@/components/ui/prose";
import { markdownToHtml } from "@/lib/platform/content/markdown";

vi.mock("@/components/ui/link", () => ({
  Link: (props: { href: string; title?: string; children: React.ReactNode }) => <b {...{ ...props }} />,
}));

const render = (html: string) => renderToStaticMarkup(<Prose html={html} />);
/** Removes differences between the two serializers: quotes, void elements, attribute case, line ends between blocks. */
const normalize = (html: string) =>
  html
    .replaceAll("&#x27;", "'")
    .replaceAll(/<([bh]r) ?\/>/g, "<$1>")
    .replaceAll("tabIndex", "tabindex")
    .replaceAll(/\n+(?=<|$)|(?<=>)\n+/g, "");

describe("Prose", () => {
  it.each([
    ["A **b** *c* `d` &amp; \"e\" 'f' <g>\\\nnext"],
    ["## A\n\n- b\n- c\n\n1. d\n\n> e\n\n---\n\n```\n<f>\n\n  g\n```"],
    ["3. three\n4. four"],
    ["| a | b |\n| --- | ---: |\n| **c** | 1 |"],
    ['[a](https://b.example?c=1&d=2 "e") <https://f.example> [g](#part-1)'],
  ])("renders the HTML of the Markdown %j", (markdown) => {
    const html = markdownToHtml(markdown, (path) => path);
    expect(normalize(render(html))).toBe(`<div class="prose">${normalize(html)}</div>`);
  });

  it("renders figures", () => {
    const image = { src: "/a?v=1&width=960", srcset: "/a?v=1&width=960 960w", width: 960, height: 400 };
    const html = markdownToHtml("![A week](week)", (path) => path, { figure: () => image });
    const markup = render(html);
    for (const part of [
      'src="/a?v=1&amp;width=960"',
      'srcSet="/a?v=1&amp;width=960 960w"',
      'width="960" height="400" alt="" loading="lazy"',
      "<figcaption>A week</figcaption></figure>",
    ])
      expect(markup).toContain(part);
  });

  it("renders internal links as Link with the desktop path", () => {
    const html = markdownToHtml(
      "[a **b**](/limited-offer?plan=1#c)",
      () => "/zh/mobile/limited?plan=1&amp;d=2#c",
    );
    expect(render(html)).toContain('<b href="/limited-offer?plan=1&amp;d=2#c">a <strong>b</strong></b>');
    expect(render('<p><a href="//e.example">f</a></p>')).toContain('<a href="//e.example">f</a>');
  });

  it("drops unknown elements and attributes", () => {
    const hostile =
      '<p onclick="x"><script>alert(1)</script><img src="x"><svg><a href="y" onload="z">w</a></p><p>v';
    const markup = render(hostile);
    expect(markup).not.toMatch(/<script|<img|<svg|onclick|onload/);
    expect(markup).toContain('<a href="y">w</a>');
  });

  it("loses no text (500 random texts)", () => {
    const textOnly = (html: string) => html.replace(/<[^>]*>/g, "").replace(/\s+/g, "");
    const fragment = fc.constantFrom(
      "a",
      "文 ",
      "**",
      "*",
      "`",
      "\n",
      "\n\n",
      "- ",
      "## ",
      "> ",
      "<b>",
      "&",
      "| x |",
      "[l](/m)",
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 25 }), (fragments) => {
        const html = markdownToHtml(fragments.join(""), (path) => path);
        expect(textOnly(normalize(render(html)))).toBe(textOnly(normalize(html)));
      }),
      { numRuns: 500, seed: 20261121 },
    );
  });
});
