import { describe, expect, it } from "vitest";
import {
  durationSpan,
  formatDate,
  formatDay,
  formatMoment,
  formatWeekday,
  remainingSpan,
  spanText,
} from "@/lib/platform/format";
import { splitDates } from "@/lib/platform/split-dates";

const AT = "2026-12-05T18:00:00Z";

describe("dates", () => {
  it("have the format of each language", () => {
    expect(["en", "zh", "ja"].map((l) => formatDay(AT, l))).toEqual(["5 December", "12月5日", "12月5日"]);
    expect(["en", "zh", "ja"].map((l) => formatDate(AT, l))).toEqual([
      "5 December 2026",
      "2026年12月5日",
      "2026年12月5日",
    ]);
  });

  it("with a time include the time zone", () => {
    for (const l of ["en", "zh", "ja"]) expect(formatMoment(AT, l)).toMatch(/18:00.*UTC|UTC.*18:00/);
  });
});

describe("a sentence in pieces", () => {
  it("keeps each date of each language, and “show” and “code” in Chinese, in one of them", () => {
    for (const l of ["en", "zh", "ja"]) {
      const sentence = `x ${formatDate(AT, l)}, y ${formatDay(AT, l)} z`;
      expect(splitDates(sentence)).toEqual(["x ", formatDate(AT, l), ", y ", formatDay(AT, l), " z"]);
      expect(splitDates(formatMoment(AT, l))).toContain(formatDate(AT, l));
    }
    expect(splitDates(`まで${formatWeekday(AT, "ja")}`)[1]).toBe("土曜日");
    expect(splitDates("3 codes for 7 days")).toEqual(["3 codes for 7 days"]);
    expect(splitDates("未显示也可退，激活码在此")).toEqual(["未", "显示", "也可退，", "激活码", "在此"]);
  });
});

describe("spans", () => {
  it("split a duration into value and unit", () => {
    expect(durationSpan(1, "en")).toEqual({ value: "1", unit: "day", units: 24 });
    expect(durationSpan(7, "en")).toEqual({ value: "7", unit: "days", units: 7 });
    expect(durationSpan(7, "zh")).toEqual({ value: "7", unit: "天", units: 7 });
    expect(durationSpan(7, "ja")).toEqual({ value: "7", unit: "日間", units: 7 });
    expect(durationSpan(null, "en")).toEqual({ value: "∞", unit: "", units: null });
  });

  it("round the remaining time down", () => {
    const text = (milliseconds: number, locale = "en") => {
      const { value, unit } = remainingSpan(milliseconds, locale);
      return `${value} ${unit}`;
    };
    const [day, hour] = [86_400_000, 3_600_000];
    expect(text(7 * day - 1)).toBe("6d 23h");
    expect(text(6 * day + hour, "zh")).toBe("6天 1小时");
    expect(text(6 * day + hour, "ja")).toBe("6日 1時間");
    expect(text(2 * day + hour - 1)).toBe("2 days");
    expect(text(day - 1)).toBe("23 hours");
    expect(text(59_999)).toBe("0 minutes");
    expect(text(-5)).toBe("0 minutes");
  });

  it("have a full text", () => {
    expect(spanText(durationSpan(30, "en"), "en")).toBe("30 days");
    expect(spanText(durationSpan(30, "zh"), "zh")).toBe("30 天");
    expect(spanText(durationSpan(30, "ja"), "ja")).toBe("30日間");
    expect(spanText(durationSpan(null, "ja"), "ja")).toBe("∞");
    expect(remainingSpan(7 * 86_400_000 - 1, "en").spoken).toBe("6 days 23 hours");
    expect(remainingSpan(90_000, "en").spoken).toBe("1 minute");
  });
});
