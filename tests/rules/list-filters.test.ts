import { describe, expect, it } from "vitest";
import { filtersOf, sameFilters } from "@/components/console/list/filter-values";
import {
  type FilterWords,
  filterExample,
  type NamedFilter,
  parseFilters,
  suggestFilters,
} from "@/components/console/list/filter-words";
import { ConsoleOrdersInput } from "@/lib/orders/console/contract";
import { ConsoleRefundsInput } from "@/lib/orders/console/contract-refunds";
import { listFields } from "@/lib/platform/console/filter-spec";
import { RELATIVE_DAYS, type RelativeDays, relativeDays } from "@/lib/platform/console/relative-days";
import { zonedIso } from "@/lib/platform/zoned-day";
import en from "@/messages/console/en.json";
import ja from "@/messages/console/ja.json";
import zh from "@/messages/console/zh.json";

const MESSAGES = { en, zh, ja };

/** The words of the list of orders in a language. */
function wordsOf(locale: keyof typeof MESSAGES): FilterWords {
  const { filter, order_status: statuses } = MESSAGES[locale].console;
  const names: Record<string, string> = filter.name;
  const filters = listFields(ConsoleOrdersInput).filters.map(
    (spec): NamedFilter => ({
      ...spec,
      label: names[spec.name] ?? spec.name,
      valueLabel: (value) =>
        spec.kind === "flag"
          ? filter[value === "true" ? "yes" : "no"]
          : ((statuses as Record<string, string>)[value] ?? value),
    }),
  );
  return { filters, main: "email", days: filter.days as Record<RelativeDays, string> };
}

describe("the filters of a list", () => {
  it("come from the input of its call", () => {
    const { filters, sorts } = listFields(ConsoleOrdersInput);
    const kinds = Object.fromEntries(filters.map(({ name, kind }) => [name, kind]));
    expect(kinds).toEqual({
      status: "choice",
      email: "text",
      customer_id: "text",
      number: "text",
      vip_id: "number",
      vendor: "text",
      amount_from: "number",
      amount_to: "number",
      coupon_code: "text",
      disputed: "flag",
      waiting: "flag",
      came_from: "text",
      days: "days",
    });
    expect(sorts).toEqual(["newest", "oldest"]);
    expect(listFields(ConsoleRefundsInput).filters.find(({ name }) => name === "state")).toEqual({
      name: "state",
      kind: "choice",
      options: ["open", "late", "refused", "failed"],
      standard: "open",
    });
  });

  it.each([
    [
      "en",
      "status:completed vendor:kettle last week",
      { status: "completed", vendor: "kettle", days: "last_week" },
    ],
    ["en", "Status:payment-in-progress", { status: "processingPayment" }],
    ["en", 'vendor:"kettle row"', { vendor: "kettle row" }],
    ["en", "disputed waiting:no", { disputed: "true", waiting: "false" }],
    ["en", "total-from:1,000 vip_id:12", { amount_from: "1000", vip_id: "12" }],
    ["en", "ann@example.com", { email: "ann@example.com" }],
    ["en", "from:2026-11-01 to:2026-11-30", { from: "2026-11-01", to: "2026-11-30" }],
    ["en", "days:yesterday", { days: "yesterday" }],
    ["zh", "状态：已完成 上周", { status: "completed", days: "last_week" }],
    ["ja", "状況：完了 先週", { status: "completed", days: "last_week" }],
  ] as const)("are read from what is typed in %s: %s", (locale, text, expected) => {
    const { values, unknown } = parseFilters(text, wordsOf(locale));
    expect(unknown).toBeUndefined();
    expect(filtersOf(values)).toEqual(expected);
  });

  it.each(["colour:red", "status:nowhere", "total-from:many"])("name what they do not know: %s", (text) => {
    expect(parseFilters(text, wordsOf("en")).unknown).toBe(text);
  });

  it("are suggested with their values, their names and the days", () => {
    const words = wordsOf("en");
    const labels = (text: string) => suggestFilters(text, words).map(({ label }) => label);
    expect(labels("sta")[0]).toBe("Status");
    expect(suggestFilters("sta", words)[0]?.rest).toBe("status:");
    expect(labels("status:pa")).toEqual(["Payment in progress", "Paid"]);
    expect(labels("status:paid vendor:x yest")[0]).toBe("Yesterday");
    expect(suggestFilters("vendor:x yest", words)[0]).toMatchObject({
      rest: "vendor:x ",
      values: { days: "yesterday" },
    });
    expect(suggestFilters("ann@example.com", words).at(-1)?.values).toEqual({ email: "ann@example.com" });
    expect(labels("vendor:kettle")).toEqual([]);
  });

  it("are read back from their own example in every language", () => {
    for (const locale of ["en", "zh", "ja"] as const) {
      const words = wordsOf(locale);
      const { values, unknown } = parseFilters(filterExample(words), words);
      expect([locale, unknown, filtersOf(values)]).toEqual([
        locale,
        undefined,
        { status: "pending", days: "last_week" },
      ]);
    }
  });

  it("are the same whatever the order, the page and the zone", () => {
    expect(
      sameFilters(
        { status: "paid", cursor: "x", sort: "oldest", time_zone: "Asia/Tokyo" },
        { status: "paid" },
      ),
    ).toBe(true);
    expect(sameFilters({ status: "paid" }, {})).toBe(false);
  });
});

describe("days that move with today", () => {
  it.each([
    ["today", "2026-11-30", "2026-11-30"],
    ["yesterday", "2026-11-29", "2026-11-29"],
    ["this_week", "2026-11-30", "2026-11-30"],
    ["last_week", "2026-11-23", "2026-11-29"],
    ["last_7_days", "2026-11-24", "2026-11-30"],
    ["last_30_days", "2026-11-01", "2026-11-30"],
    ["this_month", "2026-11-01", "2026-11-30"],
    ["last_month", "2026-10-01", "2026-10-31"],
  ] as const)("%s is %s to %s, on the reader's clock", (name, from, to) => {
    expect(relativeDays(name, new Date("2026-11-29T16:00:00Z"), "Asia/Tokyo")).toEqual({ from, to });
    expect(RELATIVE_DAYS).toContain(name);
  });

  it("a file has the times of the same clock, with its offset", () => {
    const at = new Date("2026-11-28T16:30:00.000Z");
    expect(zonedIso(at, "Asia/Tokyo")).toBe("2026-11-29T01:30:00+09:00");
    expect(zonedIso(at, "America/St_Johns")).toBe("2026-11-28T13:00:00-03:30");
    expect(zonedIso(at, "UTC")).toBe("2026-11-28T16:30:00+00:00");
  });
});
