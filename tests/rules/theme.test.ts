import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { viewport } from "@/components/ui/viewport";
import { LIGHT as MAIL } from "@/emails/colours";

const css = readFileSync("app/globals.css", "utf8");
/** The colours of a block by name: "paper" → "#fbf9f4". */
const colours = (block: string): Record<string, string> =>
  Object.fromEntries(
    [...block.matchAll(/--color-([\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value]),
  );
const light = colours(css.slice(css.indexOf("@theme"), css.indexOf("@layer theme")));
const dark = colours(css.slice(css.indexOf("prefers-color-scheme: dark"), css.indexOf(":has(.mobile-bar)")));

/** Relative luminance and contrast as WCAG defines them. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

const GROUNDS = ["paper", "raised", "sunk", "tint"];
const INKS = ["ink", "quiet", "good", "warn", "bad"];
const ON_INK = ["paper", "quiet-on-ink", "good-on-ink", "warn-on-ink", "bad-on-ink"];

it("both schemes define the same colours", () => {
  expect(Object.keys(dark).sort()).toEqual(Object.keys(light).sort());
});

describe.each([
  ["light", light],
  ["dark", dark],
])("contrast in the %s scheme", (scheme, theme) => {
  const between = (one: string, other: string) => contrast(theme[one]!, theme[other]!);

  it.each(GROUNDS)("of text on %s is sufficient", (ground) => {
    for (const ink of INKS) expect(between(ink, ground), ink).toBeGreaterThanOrEqual(4.5);
  });

  it("of text on ink and on the accent is sufficient", () => {
    for (const ink of ON_INK) expect(between(ink, "ink"), ink).toBeGreaterThanOrEqual(4.5);
    expect(between("accent-ink", "accent")).toBeGreaterThanOrEqual(4.5);
  });

  it("of control borders and hover backgrounds is sufficient", () => {
    for (const ground of ["paper", "raised"]) {
      expect(between("control", ground), ground).toBeGreaterThanOrEqual(3);
      expect(between("tint", ground), ground).toBeGreaterThanOrEqual(1.08);
    }
  });

  it("of the browser bars uses the paper colour", () => {
    const bars = [viewport.themeColor].flat().map((bar) => (typeof bar === "object" ? bar : undefined));
    expect(bars.find((bar) => bar?.media?.includes(scheme))?.color).toBe(theme.paper);
  });
});

it("emails use the light colours", () => {
  const { accentInk, ...same } = MAIL;
  const lower = (value: string) => value.toLowerCase();
  for (const [name, value] of Object.entries(same)) expect(lower(value), name).toBe(light[name]);
  expect(lower(accentInk)).toBe(light["accent-ink"]);
});
