import { describe, expect, it } from "vitest";
import { addressLines } from "@/lib/accounts/billing/rules";
import { isPostalCode, normalizePostalCode } from "@/lib/accounts/billing/rules-postal-code";

describe("isPostalCode", () => {
  it.each([
    ["JP", "150-0001"],
    ["JP", "1500001"],
    ["US", "94107"],
    ["US", "94107-1234"],
    ["GB", "SW1A 1AA"],
    ["GB", "sw1a1aa"],
    ["CA", "K1A 0B1"],
    ["CA", "k1a0b1"],
    ["CN", "100000"],
    ["DE", "10115"],
    ["FR", "75001"],
    ["KR", "04524"],
    ["NL", "1012 AB"],
    ["NL", "1234ab"],
    ["NL", "1234 ab"],
    ["IE", "d02 x285"],
    ["IE", "D02X285"],
    ["SE", "111 22"],
    ["SE", "11122"],
    ["PL", "00001"],
    ["IN", "110 001"],
    ["PL", "00-001"],
    ["BR", "01310100"],
    ["AR", "1000"],
    ["CL", "832-0000"],
    ["HK", "any text"],
  ])("accepts for %s: %s", (country, code) => expect(isPostalCode(code, country)).toBe(true));

  it.each([
    ["US", "9410"],
    ["US", "K1A 0B1"],
    ["JP", "15-0001"],
    ["JP", "94107"],
    ["CN", "10000"],
    ["GB", "12345"],
    ["DE", "1011"],
    ["FR", "SW1A 1AA"],
    ["CA", "K1A"],
    ["AR", "12"],
  ])("rejects for %s: %s", (country, code) => expect(isPostalCode(code, country)).toBe(false));

  it("gets ASCII characters from normalizePostalCode", () => {
    expect(normalizePostalCode("〒１５０－０００１")).toBe("150-0001");
    expect(normalizePostalCode(" 150ー0001 ")).toBe("150-0001");
    expect(normalizePostalCode("１２３４　ａｂ\u200b")).toBe("1234 AB");
    expect(normalizePostalCode("d02  x285")).toBe("D02 X285");
    expect(normalizePostalCode("SW1A 1AA")).toBe("SW1A 1AA");
  });
});

describe("addressLines", () => {
  const base = { line2: null, region: "東京都", postal_code: "150-0001" };
  it("start with the country for addresses in Han, kana and Hangul", () => {
    expect(addressLines({ ...base, line1: "神宮前1-2-3", city: "渋谷区" }, "Japan")).toEqual([
      "Japan",
      "150-0001 東京都 渋谷区",
      "神宮前1-2-3",
    ]);
    const seoul = { line1: "세종대로 110", line2: "3층", city: "중구", region: "서울", postal_code: "04524" };
    expect(addressLines(seoul, "韩国")).toEqual(["韩国", "04524 서울 중구", "세종대로 110", "3층"]);
  });
  it("end with the country for addresses in Latin letters", () => {
    const shibuya = { ...base, line1: "1-2-3 Jingumae", city: "Shibuya", region: "Tokyo" };
    expect(addressLines(shibuya, "日本")).toEqual(["1-2-3 Jingumae", "Shibuya, Tokyo, 150-0001", "日本"]);
  });
});
