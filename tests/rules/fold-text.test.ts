import { describe, expect, it } from "vitest";
import { foldOrderNumber } from "@/lib/platform/fold-text";
import { parseOrderNumberPart } from "@/lib/staff/find/rules";

describe("a typed or pasted order number", () => {
  it.each([
    "PL-2611-0117",
    "pl-2611-0117",
    "ＰＬ－２６１１－０１１７",
    "PL-2611-0117\u200b",
    "\ufeffPL\u20132611\u20130117 ",
    "PL 2611 0117",
    "PL26110117",
    "#PL-2611-0117",
    "“PL-2611-0117”.",
    "(PL-2611-0117)",
    "PLー2611ー0117",
  ])("is read as PL-2611-0117: %j", (text) => {
    expect(foldOrderNumber(text)).toBe("PL-2611-0117");
    expect(parseOrderNumberPart(text)).toEqual({ month: "2611", running: "0117" });
  });

  it.each([
    [" ord_Ab1\u200b", "ord_Ab1"],
    ["pi_3Qx", "pi_3Qx"],
    ["PLUS-2611-0117", "PLUS-2611-0117"],
  ])("is kept when it is another text: %j", (text, kept) => {
    expect(foldOrderNumber(text)).toBe(kept);
  });
});
