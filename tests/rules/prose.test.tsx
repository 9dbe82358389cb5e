import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { Prose } from "@/components/ui/prose";
import { markdownToHtml } from "@/lib/platform/content/markdown";

vi.mock("@/components/ui/link", () => ({
  Link: (props: { href: string; title?: string; children: React.ReactNode }) => <b {...{ ...props }} />,
}));

const shown = (html: string) => renderToStaticMarkup(<Prose html={html} />);
/** Removes differences between the two serializers: quotes, void elements, attribute case, line ends between blocks. */
const alike = (html: string) =>
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
    expect(alike(shown(html))).toBe(`<div class="prose">${alike(html)}</div>`);
  });

  it("renders internal links as Link with the desktop path", () => {
    const html = markdownToHtml(
      "[a **b**](/limited-offer?plan=1#c)",
      () => "/zh/mobile/limited?plan=1&amp;d=2#c",
    );
    expect(shown(html)).toContain('<b href="/limited-offer?plan=1&amp;d=2#c">a <strong>b</strong></b>');
    expect(shown('<p><a href="//e.example">f</a></p>')).toContain('<a href="//e.example">f</a>');
  });

  it("drops unknown elements and attributes", () => {
    const odd =
      '<p onclick="x"><script>alert(1)</script><img src="x"><svg><a href="y" onload="z">w</a></p><p>v';
    const markup = shown(odd);
    expect(markup).not.toMatch(/<script|<img|<svg|onclick|onload/);
    expect(markup).toContain('<a href="y">w</a>');
  });

  it("loses no text (500 random texts)", () => {
    const words = (html: string) => html.replace(/<[^>]*>/g, "").replace(/\s+/g, "");
    const piece = fc.constantFrom(
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
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const html = markdownToHtml(pieces.join(""), (path) => path);
        expect(words(alike(shown(html)))).toBe(words(alike(html)));
      }),
      { numRuns: 500, seed: 20261121 },
    );
  });
});
