import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { RATED_CURRENCIES } from "@/lib/payments/exchange-rates/rules";
import { findImplausibleRate, parseRates } from "@/lib/payments/exchange-rates/rules-feed";
import { defaultCurrency, formatApproximate } from "@/lib/payments/exchange-rates/rules-format";

describe("the rates of a file or feed", () => {
  it("are read in both forms, and converted from another base", () => {
    expect(parseRates({ date: "2026-11-20", base: "USD", rates: { JPY: 150, XXX: 3 } })).toEqual({
      day: "2026-11-20",
      rates: { JPY: 150 },
    });
    const seconds = Date.parse("2026-11-19T00:00:01Z") / 1000;
    expect(parseRates({ base_code: "USD", time_last_update_unix: seconds, rates: { EUR: 0.8 } })).toEqual({
      day: "2026-11-19",
      rates: { EUR: 0.8 },
    });
    const { rates } = parseRates({ date: "2026-11-20", base: "EUR", rates: { USD: 1.25, JPY: 200 } });
    expect(rates).toEqual({ EUR: 0.8, JPY: 160 });
  });

  it.each([
    ["no object", null, /rates are missing/],
    ["no date", { rates: { JPY: 150 } }, /date/],
    [
      "another base without US dollars",
      { date: "2026-11-20", base: "EUR", rates: { JPY: 150 } },
      /US dollars/,
    ],
    ["no usable rate", { date: "2026-11-20", rates: { JPY: "much", EUR: -1 } }, /no known currency/],
  ])("are refused: %s", (_, json, message) => {
    expect(() => parseRates(json)).toThrow(message);
  });

  it("are implausible when one doubles", () => {
    expect(findImplausibleRate({ JPY: 290, EUR: 0.9 }, { JPY: 150, EUR: 0.8 })).toBeUndefined();
    expect(findImplausibleRate({ JPY: 15_000 }, { JPY: 150 })).toBe("JPY");
    expect(findImplausibleRate({ JPY: 1.5 }, { JPY: 150 })).toBe("JPY");
  });

  it("are shipped with the shop for every currency that readers can choose", () => {
    const { rates } = parseRates(JSON.parse(readFileSync("db/seed/exchange-rates.json", "utf8")));
    expect(Object.keys(rates).sort()).toEqual(RATED_CURRENCIES.filter((code) => code !== "USD").sort());
  });
});

describe("the currency of a reader", () => {
  it.each([
    ["en-US", "en", "USD"],
    ["en", "en", "USD"],
    ["en-GB", "en", "GBP"],
    ["de", "en", "EUR"],
    ["fr-CH", "en", "CHF"],
    ["ja", "ja", "JPY"],
    ["zh-TW", "zh", "TWD"],
    ["zh-CN", "zh", "CNY"],
    ["en-US", "ja", "JPY"],
    ["en-US", "zh", "CNY"],
    ["th-TH", "en", "USD"],
    ["not a language", "zh", "CNY"],
  ])("with the browser's language %s on a page in %s is %s", (browser, page, currency) => {
    expect(defaultCurrency(browser, page)).toBe(currency);
  });
});

describe("an approximate price", () => {
  it.each([
    [999, "JPY", 150.3, "en", "≈ ¥1,500"],
    [999, "JPY", 150.3, "ja", "≈ ￥1,500"],
    [1490, "EUR", 0.86, "en", "≈ €12.80"],
    [390, "GBP", 0.76, "en", "≈ £2.96"],
    [21_900, "EUR", 0.86, "en", "≈ €188"],
    [390, "KRW", 1462, "en", "≈ ₩5,700"],
    [390, "CNY", 7.11, "zh", "≈ ¥27.70"],
  ] as const)("of %i cents in %s is marked and rounded", (cents, currency, rate, locale, text) => {
    expect(formatApproximate(cents, currency, rate, locale)).toBe(text);
  });
});
