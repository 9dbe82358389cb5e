import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { viewport } from "@/components/ui/viewport";
import { LIGHT as MAIL } from "@/emails/colours";
import { contentPolicy } from "@/lib/platform/http/security-headers";
import { HEAD_SCRIPT } from "@/lib/platform/pages/head-script";

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
  const [r, g, b] = [1, 3, 5].map((index) => {
    const channel = Number.parseInt(hex.slice(index, index + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
function contrast(first: string, second: string): number {
  const [darker, lighter] = [luminance(first), luminance(second)].sort((a, b) => a - b);
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
  const contrastOf = (first: string, second: string) => contrast(theme[first]!, theme[second]!);

  it.each(GROUNDS)("of text on %s is sufficient", (ground) => {
    for (const ink of INKS) expect(contrastOf(ink, ground), ink).toBeGreaterThanOrEqual(4.5);
  });

  it("of text on ink and on the accent is sufficient", () => {
    for (const ink of ON_INK) expect(contrastOf(ink, "ink"), ink).toBeGreaterThanOrEqual(4.5);
    expect(contrastOf("accent-ink", "accent")).toBeGreaterThanOrEqual(4.5);
  });

  it("of control borders and hover backgrounds is sufficient", () => {
    for (const ground of ["paper", "raised"]) {
      expect(contrastOf("control", ground), ground).toBeGreaterThanOrEqual(3);
      expect(contrastOf("tint", ground), ground).toBeGreaterThanOrEqual(1.08);
    }
  });

  it("extends to the browser bars, which use the paper colour", () => {
    const bars = [viewport.themeColor].flat().map((bar) => (typeof bar === "object" ? bar : undefined));
    expect(bars.find((bar) => bar?.media?.includes(scheme))?.color).toBe(theme.paper);
  });
});

it("emails use the light colours", () => {
  const { accentInk, ...mailColours } = MAIL;
  const toLowerCase = (value: string) => value.toLowerCase();
  for (const [name, value] of Object.entries(mailColours)) expect(toLowerCase(value), name).toBe(light[name]);
  expect(toLowerCase(accentInk)).toBe(light["accent-ink"]);
});

describe("the chosen theme", () => {
  const run = (localStorage: object) => {
    const document = { documentElement: { dataset: {} as Record<string, string> } };
    runInNewContext(HEAD_SCRIPT, { localStorage, document });
    return document.documentElement.dataset;
  };

  it("is shown by the script in the head before the first paint", () => {
    expect(run({ getItem: (key: string) => (key === "theme" ? "dark" : null) })).toEqual({ theme: "dark" });
    expect(run({ getItem: () => "light" })).toEqual({ theme: "light" });
    for (const value of [null, "system", "<x>"]) expect(run({ getItem: () => value })).toEqual({});
    const blocked = {
      getItem() {
        throw new Error("storage is blocked");
      },
    };
    expect(run(blocked)).toEqual({});
  });

  it("does not affect a dismissed announcement, which the same script hides", () => {
    const rules: string[] = [];
    class CSSStyleSheet {
      insertRule(rule: string) {
        rules.push(rule);
      }
    }
    const document = { documentElement: { dataset: {} }, adoptedStyleSheets: [] as object[] };
    const hide = (closed: string) => {
      const localStorage = { getItem: (key: string) => (key === "announcement" ? closed : "dark") };
      runInNewContext(HEAD_SCRIPT, { localStorage, document, CSSStyleSheet });
    };
    hide("ann_abc23");
    expect([rules, document.adoptedStyleSheets.length]).toEqual([["#ann_abc23{display:none}"], 1]);
    expect(document.documentElement.dataset).toEqual({ theme: "dark" });
    for (const other of ["", "body", "ann_x{}*"]) hide(other);
    expect(rules).toHaveLength(1);
  });

  it("is set by a script that may run on pages whose policy has a nonce", () => {
    const hash = createHash("sha256").update(HEAD_SCRIPT).digest("base64");
    const policy = contentPolicy({ nonce: "n", stripe: false, dev: false });
    expect(policy).toContain(`script-src 'self' 'nonce-n' 'sha256-${hash}' 'strict-dynamic'`);
  });

  it("decides the scheme in the stylesheet, else the device does", () => {
    expect(css).toMatch(/&:not\(\[data-theme="light"\]\)[\s\S]*&\[data-theme="dark"\]/);
  });
});
