import { Readable } from "node:stream";
import fc from "fast-check";
import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import { imageFormat, isNotModified } from "@/lib/catalog/images/rules";
import { isRelativeTime, resolveTime } from "@/lib/catalog/import/rules-line";
import { passNameKey } from "@/lib/catalog/pricing/rules";
import { searchWords } from "@/lib/catalog/search/rules";
import { searchFold } from "@/lib/catalog/search/rules-text";
import { translationProblem } from "@/lib/catalog/translation/rules";
import { readLines } from "@/lib/platform/content/lines";
import en from "@/messages/en.json";
import ja from "@/messages/ja.json";
import zh from "@/messages/zh.json";

describe("passNameKey", () => {
  it.each([
    ["day", 1, "Day pass", "日卡", "1日パス"],
    ["day", 3, "3-day pass", "3 天卡", "3日間パス"],
    ["week", 7, "Week pass", "周卡", "1週間パス"],
    ["week", 14, "14-day pass", "14 天卡", "14日間パス"],
    ["month", 30, "Month pass", "月卡", "1か月パス"],
    ["year", 365, "Year pass", "年卡", "1年パス"],
    ["lifetime", null, "Lifetime pass", "终身卡", "無期限パス"],
  ] as const)("%s of %s days", (pass_type, duration_days, ...expected) => {
    const name = passNameKey({ pass_type, duration_days });
    const names = [["en", en] as const, ["zh", zh] as const, ["ja", ja] as const].map(([locale, messages]) =>
      createTranslator({ locale, messages: messages as typeof en })(name.key, name.values),
    );
    expect(names).toEqual(expected);
  });
});

describe("translationProblem", () => {
  it.each([
    ["zh", "一件工具", true],
    ["zh", "A tool", false],
    ["zh", "ツール", false],
    ["ja", "ツール", true],
    ["ja", "道具", true],
    ["ja", "A tool", false],
    ["zh", "省 50%，100% 可靠", true],
    ["zh", "每天 {n} 次", false],
    ["zh", "每天 $\u007bn} 次", false],
    ["zh", "每天 {{count}} 次", false],
    ["zh", "每天[[0]]次", false],
    ["zh", "每天%s次", false],
    ["zh", "每天%1$s次", false],
    ["ja", "%(name)sさん", false],
    ["ja", "__PH_1__を開く", false],
    ["ja", '<x id="1"/>を開く', false],
    ["ja", "開く\uFFFD", false],
    ["ja", "TODO 開く", false],
    ["en", "Every {n}", true],
  ] as const)("%s: %s", (locale, text, valid) => {
    expect(translationProblem(locale, text) === null).toBe(valid);
  });

  it("accepts a Latin product name when allowed", () => {
    expect(translationProblem("zh", "Quillon", { mayBeLatin: true })).toBeNull();
    expect(translationProblem("zh", "Quillon {x}", { mayBeLatin: true })).toMatch(/\{x\}/);
  });
});

describe("resolveTime", () => {
  const start = new Date("2026-11-20T10:00:00Z");
  it.each([
    ["P9D", "2026-11-29T10:00:00.000Z"],
    ["P1W", "2026-11-27T10:00:00.000Z"],
    ["PT36H", "2026-11-21T22:00:00.000Z"],
    ["P1DT30M", "2026-11-21T10:30:00.000Z"],
    ["2027-01-05", "2027-01-05T00:00:00.000Z"],
    ["2027-01-05T08:00:00+09:00", "2027-01-04T23:00:00.000Z"],
  ])("%s", (text, expected) => {
    expect(resolveTime(text, start).toISOString()).toBe(expected);
    expect(isRelativeTime(text)).toBe(text.startsWith("P"));
  });
});

describe("search words", () => {
  it("are folded by case, width and accents, except Japanese voicing marks", () => {
    expect(searchFold("ＣＡＦÉ Ostrél")).toBe("cafe ostrel");
    expect(searchFold("ガイド")).toBe("ガイド");
    expect(searchFold("ｶﾞｲﾄﾞ")).toBe("ガイド");
  });

  it("include pass types and durations", () => {
    expect(searchWords("voice weekly")).toMatchObject([
      { word: "voice", types: [] },
      { word: "weekly", types: ["week"] },
    ]);
    expect(searchWords("7天卡 voice")).toMatchObject([{ days: 7 }, { word: "voice" }]);
    expect(searchWords("3日間パス")).toMatchObject([{ days: 3 }]);
    expect(searchWords("day pass")).toMatchObject([{ types: ["day"], filler: false }, { filler: true }]);
    expect(searchWords("%")).toMatchObject([{ word: "%" }]);
    expect(searchWords("c++, c#")).toMatchObject([{ word: "c++" }, { word: "c#" }]);
    expect(searchWords("  \u3000 ")).toEqual([]);
  });

  it("are at most 12, non-empty and well formed for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const words = searchWords(text);
        expect(words.length).toBeLessThanOrEqual(12);
        for (const { word } of words)
          expect(word.length > 0 && word.isWellFormed() && !word.includes("\0")).toBe(true);
      }),
    );
  });
});

describe("image format and ETag", () => {
  it.each([
    [null, "png"],
    ["", "png"],
    ["*/*", "png"],
    ["image/webp,*/*;q=0.8", "webp"],
    ["image/AVIF, image/webp", "avif"],
    ["image/avif;q=0.0, image/webp", "webp"],
  ])("%s", (accept, format) => expect(imageFormat(accept)).toBe(format));

  it("matches an ETag in any list", () => {
    expect([
      isNotModified(null, '"a"'),
      isNotModified('"b", W/"a"', '"a"'),
      isNotModified("*", '"a"'),
      isNotModified('"ab"', '"a"'),
    ]).toEqual([false, true, true, false]);
  });
});

describe("readLines", () => {
  it("returns the same lines for any chunks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.string({ maxLength: 20 }).map((s) => s.replace(/[\r\n]/g, "")),
          { maxLength: 20 },
        ),
        fc.integer({ min: 1, max: 9 }),
        async (lines, step) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
          const chunks = Array.from({ length: Math.ceil(bytes.length / step) }, (_, i) =>
            bytes.subarray(i * step, i * step + step),
          );
          const result = [];
          for await (const line of readLines(Readable.from(chunks), 1000)) result.push(line);
          expect(result).toEqual(lines.map((text, index) => ({ number: index + 1, text })));
        },
      ),
    );
  });
});
