import { expect, it } from "vitest";
import { foldLookalikes } from "@/lib/platform/lookalikes";
import { findNameFlaw } from "@/lib/platform/names";

const flawOf = (name: string) => findNameFlaw(name, ["Passlane", "Go"]);

it.each([
  "Alder & Co.",
  "O'Brien's Tools",
  "Studio 54",
  "株式会社サンプル",
  "Cadrell Japan 合同会社",
  "Яблоко",
  "Dr. Müller",
  "Gopher Karts",
])("%s may be a name", (name) => {
  expect(flawOf(name)).toBeNull();
});

it.each([
  "Alder\nYour order was refunded",
  "Al\u2028der",
  "Al\u200bder",
  "\u202eredlA",
  "Al\u00adder",
  "\u3164",
  "…",
  "\u0410lder",
  "T\u03bfols",
])("%j has misleading letters", (name) => {
  expect(flawOf(name)).toBe("name_letters");
});

it.each([
  "Win at alder.example",
  "alder.example",
  "https://x",
  "www.x",
  "help@alder",
  "help＠alder",
  "ａｌｄｅｒ．example",
])("%s is an address", (name) => {
  expect(flawOf(name)).toBe("name_address");
});

it.each([
  "Passlane",
  "PASS LANE",
  "Pass-Lane Support",
  "Ｐａｓｓｌａｎｅ",
  "Passl\u0430ne",
  "\u0420\u0430\u0455\u0455\u04cf\u0430\u043f\u0435",
  "Pa55lane",
  "Pásslâne",
  "ᴘᴀꜱꜱʟᴀɴᴇ",
  "The Go Team",
  "G0",
])("%s reads as the shop's name", (name) => {
  expect(flawOf(name)).toBe("name_shop");
});

it("names that a hasty reader confuses count as equal, and others do not", () => {
  for (const [one, other] of [
    ["Alder Works", "A1der-W0rks"],
    ["Modern", "Modem"],
    ["Acme", "\u0410cme"],
    ["カラー", "力ラ一"],
  ] as const)
    expect(foldLookalikes(one), other).toBe(foldLookalikes(other));
  for (const [one, other] of [
    ["ガラス", "カラス"],
    ["Alder", "Elder"],
    ["日本", "日木"],
  ] as const)
    expect(foldLookalikes(one), other).not.toBe(foldLookalikes(other));
});
