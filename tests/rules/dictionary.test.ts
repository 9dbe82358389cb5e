import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { translateTerm } from "@/lib/catalog/translation/rules-dictionary";
import { cachedTranslation } from "@/lib/platform/i18n/translation-cache";

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

describe("translationCache", () => {
  const store = new Map<string, string>();
  beforeEach(() => {
    store.clear();
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

  it("tolerates invalid stored values and stays limited to 200 entries", () => {
    for (const invalid of ["", "null", "[1]", "nonsense", '{"zh:a":7}', '{"zh:a":{"text":3,"at":9e99}}']) {
      store.set("translationCache", invalid);
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
