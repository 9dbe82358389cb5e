import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ICON_NAMES } from "@/components/ui/icon-names";

const listSymbols = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/<symbol id="([^"]+)"/g)].map((match) => match[1]);

it("every icon has a drawing, and every drawing has a name", () => {
  expect(listSymbols("components/ui/icons.svg")).toEqual([...ICON_NAMES]);
});

it("each step of a purchase has a picture", () => {
  expect(listSymbols("components/catalog/how-it-works.svg")).toEqual(["choose", "pay", "use"]);
});

it("drawings inherit their colours from the page, so that they fit both themes", () => {
  for (const file of ["components/ui/icons.svg", "components/catalog/how-it-works.svg"])
    expect(readFileSync(file, "utf8")).not.toMatch(/#[0-9a-f]{3,8}\b|style=|rgb|currentcolor/i);
});
