import { describe, expect, it } from "vitest";
import { parsePhone } from "@/lib/platform/phone";
import { isPhoneLike } from "@/lib/platform/phone-country";

describe("a phone number", () => {
  it.each([
    ["03-1234-5678", "ja", "+81312345678"],
    ["090 1234 5678", "ja", "+819012345678"],
    ["０９０－１２３４－５６７８", "ja", "+819012345678"],
    ["03ー1234ー5678", "ja", "+81312345678"],
    ["(03) 1234-5678\u200b", "ja", "+81312345678"],
    ["138 0013 8000", "zh", "+8613800138000"],
    ["010-6552 9988", "zh", "+861065529988"],
    ["+81 90-1234-5678", "en", "+819012345678"],
    ["0081 90 1234 5678", "zh", "+819012345678"],
    ["＋1 415 555 0100", "ja", "+14155550100"],
  ] as const)("%s in %s is %s", (text, locale, number) => {
    expect(parsePhone(text, locale)?.number).toBe(number);
    expect(isPhoneLike(text, locale)).toBe(true);
  });

  it("of a chosen country is one of that country in every language", () => {
    expect(parsePhone("030 901820", "ja", "DE")?.number).toBe("+4930901820");
    expect(parsePhone("90-1234-5678", "zh", "+81")?.number).toBe("+819012345678");
  });

  it.each([
    ["03-1234-5678", "en"],
    ["415 555 0100", "en"],
    ["12", "ja"],
    ["03-1234-567890123", "ja"],
    ["call me", "zh"],
  ] as const)("is not %s in %s", (text, locale) => {
    expect(parsePhone(text, locale)).toBeUndefined();
  });

  it("needs a country code in English, as the form says before it is sent", () => {
    expect(isPhoneLike("03-1234-5678", "en")).toBe(false);
  });
});
