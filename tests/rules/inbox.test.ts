import { describe, expect, it } from "vitest";
import type { DayFigures } from "@/lib/orders/insight/contract";
import { type Urgent, urgencyOf } from "@/lib/staff/inbox/rules";
import { compareFigures } from "@/lib/staff/today/rules-figures";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const hours = (count: number) => new Date(NOW + count * 3_600_000).toISOString();
const urgency = (one: Partial<Urgent>) =>
  urgencyOf({ kind: "refund_requests", dueAt: hours(40), since: hours(-8), cents: 1_000, ...one }, NOW);

describe("the urgency of a thing in the inbox", () => {
  it("grows with less time left, with more money and with age", () => {
    expect(urgency({ dueAt: hours(3) })).toBeGreaterThan(urgency({}));
    expect(urgency({ cents: 23_500 })).toBeGreaterThan(urgency({}));
    expect(urgency({ since: hours(-72) })).toBeGreaterThan(urgency({}));
    expect(urgency({ dueAt: hours(-1) })).toBeGreaterThan(urgency({ dueAt: hours(2) }));
  });

  it("puts little time left before much money, and gives things without a deadline one of their queue", () => {
    expect(urgency({ dueAt: hours(2), cents: 500 })).toBeGreaterThan(
      urgency({ dueAt: hours(47), cents: 50_000 }),
    );
    const stuck = urgency({ kind: "stuck", dueAt: null, since: hours(-2), cents: null });
    const application = urgency({ kind: "applications", dueAt: null, since: hours(-2), cents: null });
    expect(stuck).toBeGreaterThan(application);
  });
});

describe("figures of a week", () => {
  const day = (revenueCents: number, deliverySeconds: number | null = null): DayFigures => ({
    day: "2026-11-30",
    orders: 1,
    revenueCents,
    refundedCents: revenueCents / 10,
    refundShare: 0.1,
    deliverySeconds,
    stockOuts: 0,
  });

  it("stand beside those of the week before", () => {
    const rows = [
      ...Array.from({ length: 7 }, () => day(100)),
      ...Array.from({ length: 7 }, () => day(200, 30)),
    ];
    const figures = Object.fromEntries(compareFigures(rows, 7).map((figure) => [figure.name, figure]));
    expect(figures.revenue).toMatchObject({ value: 1_400, before: 700 });
    expect(figures.revenue!.days).toHaveLength(14);
    expect(figures.refund_share!.value).toBeCloseTo(0.1);
    expect(figures.paid_to_key).toMatchObject({ value: 30, before: null });
  });
});
