import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { RefusedSvg, safeSvg } from "@/scripts/drawing/safe-svg.mjs";

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="30">${content}</svg>`;

/** "kept", or the error with the part that it names. */
function outcome(text: string): string {
  try {
    safeSvg(text);
    return "kept";
  } catch (error) {
    if (!(error instanceof RefusedSvg)) throw error;
    return [error.error, error.what].filter(Boolean).join(" ");
  }
}

describe("a drawing", () => {
  it("of the demo catalogue is kept", () => {
    const folder = "db/seed/images";
    const refused = readdirSync(folder).filter(
      (name) => outcome(readFileSync(`${folder}/${name}`, "utf8")) !== "kept",
    );
    expect(refused).toEqual([]);
  });

  it.each([
    [
      "Inkscape, where everything has an id",
      '<defs id="d"><linearGradient id="a"><stop offset="0"/></linearGradient><linearGradient xlink:href="#a" id="b"/><clipPath id="c"><rect id="r" width="3" height="3" style="fill:url(#b)"/></clipPath></defs><sodipodi:namedview id="v"/><g id="g" clip-path="url(#c)"><path id="p" d="M0 0" style="fill:url(#b)"/></g>',
    ],
    [
      "Illustrator, with a style sheet",
      `<defs><style>.a{fill:none;}.b{clip-path:url(#c);}</style><clipPath id="c"><rect class="a" width="9" height="9"/></clipPath></defs>${'<g class="b"><path d="M0 0h9"/></g>'.repeat(300)}`,
    ],
    [
      "Figma, with a mask and repeated parts",
      '<mask id="m"><rect width="9" height="9" fill="#fff"/></mask><g mask="url(#m)"><circle id="o" r="4"/><use href="#o" x="9"/></g>',
    ],
  ])("of %s is kept", (_, content) => {
    expect(outcome(svg(content))).toBe("kept");
  });

  it("loses elements that do not draw, and link targets", () => {
    const text = svg(
      '<script>alert(1)</script><title>T</title><image href="https://a.example/x"/><a href="https://a.example"><rect width="9" onload="x()" data-a="1"/></a>',
    );
    expect(safeSvg(text)).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><a><rect width="9"></rect></a></svg>',
    );
  });

  const chain = (create: (name: number, next: number) => string) =>
    Array.from({ length: 12 }, (_, n) => create(n, n + 1)).join("");
  const letters = `<!DOCTYPE svg [<!ENTITY a "${"x".repeat(100)}"><!ENTITY b "${"&a;".repeat(32)}">]>`;

  it.each([
    ["a document type with entities", letters + svg("<text>&b;</text>"), "vector !DOCTYPE"],
    ["a bare document type", `<!DOCTYPE svg>${svg("")}`, "vector !DOCTYPE"],
    ["an entity of its own", svg("<text>&a;</text>"), "vector &a;"],
    ["an entity in an attribute", svg('<rect fill="&a;"/>'), "vector &a;"],
    [
      "patterns in patterns",
      svg('<pattern id="a"><rect fill="url(#b)"/></pattern><rect fill="url(#a)"/>'),
      "vector pattern",
    ],
    ["a filter", svg('<filter id="a"/>'), "vector filter"],
    ["a filter by style", svg('<rect style="filter:blur(900px)"/>'), "vector filter"],
    [
      "a filter by style, spelled with references",
      svg('<rect style="f&#105;lter:blur(9px)"/>'),
      "vector filter",
    ],
    ["a filter by a style sheet", svg("<style>rect{filter:blur(9px)}</style>"), "vector filter"],
    ["an escape in a style", svg('<rect style="f\\69lter:blur(9px)"/>'), "vector \\"],
    ["an imported style sheet", svg("<style>@import 'a.css';</style>"), "vector @"],
    ["a picture within", svg('<image href="data:image/png;base64,AAAA"/>'), "vector image"],
    ["a part of another file", svg('<use href="https://a.example/#b"/>'), "vector href"],
    ["a paint of another file", svg('<rect fill="u&#114;l(a.svg#b)"/>'), "vector url()"],
    ["an element that it does not know", svg("<marker/>"), "vector marker"],
    [
      "parts that name others many times",
      svg(chain((n, next) => `<g id="a${n}">${`<use href="#a${next}"/>`.repeat(10)}</g>`)),
      "complex",
    ],
    [
      "clips within clips",
      svg(
        `${chain((n, next) => `<clipPath id="a${n}">${`<rect clip-path="&#117;rl(#a${next})"/>`.repeat(10)}</clipPath>`)}<rect clip-path="url(#a0)"/>`,
      ),
      "complex",
    ],
    [
      "clips within clips by a style sheet",
      svg(
        `<style>${chain((n) => `q, g .a${n}{clip-path : URL( '#a${n}' )}`)}</style>${chain((n, next) => `<clipPath id="a${n}">${`<rect class="a${next}"/>`.repeat(10)}</clipPath>`)}<rect class="a0"/>`,
      ),
      "complex",
    ],
    [
      "parts that name each other",
      svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
      "kept",
    ],
    ["ten thousand letters", svg(`<text>${"x".repeat(10_000)}</text>`), "complex"],
    ["deep groups", svg("<g>".repeat(100) + "</g>".repeat(100)), "complex"],
    ["too many elements", svg("<g/>".repeat(10_001)), "complex"],
    ["no end", '<svg xmlns="http://www.w3.org/2000/svg"><g>', "broken"],
    ["two roots", svg("") + svg(""), "broken"],
    ["another root", "<html></html>", "broken"],
    ["attributes without an end", `<svg ${'a="1" '.repeat(100_000)}`, "broken"],
  ])("with %s is rejected with its own reason", (_, text, expected) => {
    expect(outcome(text)).toBe(expected);
  });
});
