import { describe, expect, it } from "vitest";
import {
  parseQueryNumber,
  parseTypedAmount,
  parseTypedNumber,
  TYPED_NUMBER,
} from "@/lib/platform/typed-number";

/** What a field with the pattern lets a browser send, as it matches. */
const isAllowed = (text: string) => text === "" || new RegExp(`^(?:${TYPED_NUMBER})$`, "v").test(text);

describe("a typed number", () => {
  it.each([
    ["1,000", 1000],
    ["1.000,00", 1000],
    ["1,000.50", 1000.5],
    ["1,234,567", 1_234_567],
    ["１０００", 1000],
    ["$1,000", 1000],
    [" 3.9 ", 3.9],
    ["3,90", 3.9],
    ["-5", -5],
    ["-1,000", -1000],
    ["0", 0],
    ["365", 365],
  ])("is read as it is written: %s", (text, number) => {
    expect(parseTypedNumber(text)).toBe(number);
    expect(isAllowed(text)).toBe(number >= 0);
  });

  it.each(["", "1e3", "12.345", "0,125", "1,00,000", "1,000,00", "1.2.3", "0x10", "ten", "Infinity"])(
    "is refused when it is not a number or is ambiguous: %s",
    (text) => {
      expect(parseTypedNumber(text)).toBeNaN();
      expect(parseTypedAmount(text)).toBe(-1);
      expect(isAllowed(text)).toBe(text === "");
    },
  );

  it.each([
    ["0.125", 0.125],
    ["1e3", 1000],
    ["1,000", 1000],
    ["１０", 10],
    ["ten", Number.NaN],
  ])("is also read in a query, which programs write too: %s", (text, number) => {
    expect(parseQueryNumber(text)).toBe(number);
  });
});
