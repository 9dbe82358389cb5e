import { describe, expect, it } from "vitest";
import { parseTypedAmount, parseTypedNumber } from "@/lib/platform/typed-number";

describe("a number that somebody types", () => {
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
  });

  it.each(["", "1e3", "12.345", "0,125", "1,00,000", "1,000,00", "1.2.3", "0x10", "ten", "Infinity"])(
    "is refused where it is none or could be two: %s",
    (text) => {
      expect(parseTypedNumber(text)).toBeNaN();
      expect(parseTypedAmount(text)).toBe(-1);
    },
  );
});
