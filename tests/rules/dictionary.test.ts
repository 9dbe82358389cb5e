import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { translationProblem } from "@/lib/catalog/translation/rules";
import { translateTerm } from "@/lib/catalog/translation/rules-dictionary";
import { translateProductText } from "@/lib/catalog/translation/rules-products";
import { POLLING_INTERVAL_MS } from "@/lib/platform/polling";
import {
  DICTIONARY,
  DICTIONARY_FUNCTION,
  renderDictionary,
  renderDictionaryFunction,
} from "@/scripts/write-dictionary";

describe("translateTerm", () => {
  it.each([
    ["Day Pass", "日卡", "1日パス"],
    ["weekly passes", "周卡", "1週間パス"],
    ["30-Day  pass", "月卡", "1か月パス"],
    ["Annual Pass", "年卡", "1年パス"],
    ["Lifetime Pass", "终身卡", "無期限パス"],
  ])("translates %s", (text, zh, ja) => {
    expect([translateTerm(text, "zh"), translateTerm(text, "ja"), translateTerm(text, "en")]).toEqual([
      zh,
      ja,
      text,
    ]);
  });

  it("translates other languages as Chinese, and returns unknown terms unchanged", () => {
    expect(translateTerm("Month Pass", "fr")).toBe("月卡");
    expect(translateTerm("Month Pass", "zh-Hans")).toBe("月卡");
    for (const text of [
      "Quillon Draft",
      "",
      "toString",
      "__proto__",
      "constructor",
      "日卡",
      "x".repeat(9999),
      "\0",
    ])
      expect(translateTerm(text, "ja")).toBe(text);
  });

  it("falls back to English for an invalid entry", () => {
    const entryOf = (zh: string, ja: string) => ({ "day pass": { zh, ja } });
    for (const invalid of [
      "Day Pass",
      "",
      "{name} 日卡",
      "日卡 %s",
      "[[1]]日",
      "日 TODO",
      "한국어",
      "日\uFFFD",
    ])
      expect(translateTerm("Day Pass", "zh", entryOf(invalid, "")), invalid).toBe("Day Pass");
    expect(translateTerm("Day Pass", "ja", entryOf("", "パス"))).toBe("パス");
    expect(translateTerm("Day Pass", "ja", entryOf("", "pass"))).toBe("Day Pass");
  });
});

describe("translateProductText", () => {
  const products = readFileSync("db/seed/catalog.jsonl", "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === "product");

  it("has the names of the catalogue's products; `npx tsx scripts/write-dictionary.ts` writes them", () => {
    expect(readFileSync(DICTIONARY, "utf8")).toBe(renderDictionary());
    expect(readFileSync(DICTIONARY_FUNCTION, "utf8")).toBe(renderDictionaryFunction());
    for (const { texts } of products)
      for (const locale of ["zh", "ja"] as const) {
        const translated = translateProductText(texts.en.name, locale);
        expect(translated).toBe(texts[locale]?.name ?? translated);
        expect(
          translationProblem(locale, translated, { mayBeLatin: texts[locale] !== undefined }),
        ).toBeNull();
      }
  });

  it("has taglines of products that exist in English only", () => {
    const untranslated = products.filter(({ texts }) => !texts.zh);
    expect(untranslated.length).toBeGreaterThan(0);
    for (const { texts } of untranslated)
      expect(translateProductText(texts.en.tagline, "ja")).not.toBe(texts.en.tagline);
  });

  it("translates pass names too, and returns English and unknown texts unchanged", () => {
    expect(translateProductText("Week Pass", "ja")).toBe("1週間パス");
    expect(translateProductText("Quillon Draft", "en")).toBe("Quillon Draft");
    for (const text of ["Unknown App", "", "__proto__", "constructor"])
      expect(translateProductText(text, "zh")).toBe(text);
  });
});

describe("translationCache", () => {
  let cachedTranslation: typeof import("@/lib/platform/i18n/translation-cache").cachedTranslation;
  const store = new Map<string, string>();
  beforeEach(async () => {
    store.clear();
    // A separate page load, because the module keeps the cache in memory.
    vi.resetModules();
    ({ cachedTranslation } = await import("@/lib/platform/i18n/translation-cache"));
    vi.useFakeTimers({ now: new Date("2026-11-21T00:00:00Z") });
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, value: string) => store.set(key, value),
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("stores a translation for seven days", () => {
    const translate = vi.fn(() => "日卡");
    const translateDayPass = () => cachedTranslation("Day Pass", "zh", translate);
    expect([translateDayPass(), translateDayPass()]).toEqual(["日卡", "日卡"]);
    expect(translate).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(7 * 86_400_000);
    translateDayPass();
    expect(translate).toHaveBeenCalledTimes(2);
    expect(store.has("translationCache")).toBe(true);
  });

  it("reads what other tabs have stored every 30 seconds", () => {
    expect(POLLING_INTERVAL_MS).toBe(30_000);
    expect(cachedTranslation("a", "zh", () => "甲")).toBe("甲");
    store.set("translationCache", JSON.stringify({ "zh:a": { text: "乙", at: Date.now() } }));
    vi.advanceTimersByTime(POLLING_INTERVAL_MS - 1);
    expect(cachedTranslation("a", "zh", () => "丙")).toBe("甲");
    vi.advanceTimersByTime(1);
    expect(cachedTranslation("a", "zh", () => "丙")).toBe("乙");
  });

  it("tolerates invalid stored values and stays limited to 200 entries", () => {
    for (const invalid of ["", "null", "[1]", "nonsense", '{"zh:a":7}', '{"zh:a":{"text":3,"at":9e99}}']) {
      store.set("translationCache", invalid);
      vi.advanceTimersByTime(POLLING_INTERVAL_MS);
      expect(cachedTranslation("a", "zh", () => "甲")).toBe("甲");
    }
    for (let n = 0; n < 400; n += 1) cachedTranslation(`t${n}`, "ja", () => "訳");
    expect(Object.keys(JSON.parse(store.get("translationCache") ?? "{}"))).toHaveLength(200);
  });

  it("works without localStorage", () => {
    vi.stubGlobal("localStorage", undefined);
    expect(cachedTranslation("a", "zh", () => "甲")).toBe("甲");
  });
});
