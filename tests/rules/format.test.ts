import { describe, expect, it } from "vitest";
import { durationSpan, formatDate, formatDay, formatMoment, remainingSpan } from "@/lib/format";

const AT = "2026-12-05T18:00:00Z";

describe("dates", () => {
  it("are written as each language writes them", () => {
    expect(["en", "zh", "ja"].map((l) => formatDay(AT, l))).toEqual(["5 December", "12月5日", "12月5日"]);
    expect(["en", "zh", "ja"].map((l) => formatDate(AT, l))).toEqual([
      "5 December 2026",
      "2026年12月5日",
      "2026年12月5日",
    ]);
  });

  it("name their zone when they name an hour", () => {
    for (const l of ["en", "zh", "ja"]) expect(formatMoment(AT, l)).toMatch(/18:00.*UTC|UTC.*18:00/);
  });
});

describe("spans", () => {
  it("give the duration in figure and unit", () => {
    expect(durationSpan(1, "en")).toEqual({ value: "1", unit: "day" });
    expect(durationSpan(7, "en")).toEqual({ value: "7", unit: "days" });
    expect(durationSpan(7, "zh")).toEqual({ value: "7", unit: "天" });
    expect(durationSpan(7, "ja")).toEqual({ value: "7", unit: "日間" });
    expect(durationSpan(null, "en")).toEqual({ value: "∞", unit: "" });
  });

  it("never promise more time than there is", () => {
    expect(remainingSpan(2 * 86_400_000 - 1, "en")).toEqual({ value: "1", unit: "day" });
    expect(remainingSpan(86_400_000 - 1, "en")).toEqual({ value: "23", unit: "hours" });
    expect(remainingSpan(59_999, "en")).toEqual({ value: "0", unit: "minutes" });
    expect(remainingSpan(-5, "en")).toEqual({ value: "0", unit: "minutes" });
  });
});
