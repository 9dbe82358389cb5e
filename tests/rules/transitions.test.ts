import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isPaid,
  isPayable,
  nextStatus,
  ORDER_EVENTS,
  ORDER_STATUSES,
  type OrderStatus,
  TRANSITIONS,
} from "@/lib/orders/rules";

const reaches = (from: OrderStatus) =>
  TRANSITIONS.filter((row) => row[0] === from).map(([, event, to]) => `${event} → ${to}`);

describe("the transition table", () => {
  it("is the table of docs/reliability.md#orders", () => {
    expect(Object.fromEntries(ORDER_STATUSES.map((status) => [status, reaches(status)]))).toEqual({
      pending: [
        "payment_started → processingPayment",
        "payment_verified → paid",
        "free_completed → paid",
        "cancelled → cancelled",
        "expired → cancelled",
      ],
      processingPayment: [
        "payment_failed → pending",
        "payment_verified → paid",
        "cancelled → cancelled",
        "expired → cancelled",
      ],
      paid: ["assigned → shipped", "stock_short → processing", "refunded → refunded"],
      processing: ["assigned → shipped", "refunded → refunded"],
      shipped: ["delivered → completed", "refunded → refunded"],
      completed: ["refunded → refunded"],
      cancelled: ["payment_verified → paid", "refunded → refunded"],
      refunded: [],
    });
  });

  it("leads each event from each status to one status at most, and answers null for the rest", () => {
    const pairs = ORDER_STATUSES.flatMap((from) => ORDER_EVENTS.map((event) => [from, event] as const));
    for (const [from, event] of pairs) {
      const rows = TRANSITIONS.filter((row) => row[0] === from && row[1] === event);
      expect(rows.length).toBeLessThanOrEqual(1);
      expect(nextStatus(from, event)).toBe(rows[0]?.[2] ?? null);
    }
    expect(pairs.filter(([from, event]) => nextStatus(from, event)).length).toBe(TRANSITIONS.length);
  });

  it("says of a status either that it is owed, or that its money is in, never both", () => {
    for (const status of ORDER_STATUSES) expect(isPayable(status) && isPaid(status)).toBe(false);
    expect(ORDER_STATUSES.filter((status) => !isPayable(status) && !isPaid(status))).toEqual([
      "cancelled",
      "refunded",
    ]);
  });
});

describe("any life of an order", () => {
  const life = fc.array(fc.constantFrom(...ORDER_EVENTS), { maxLength: 30 });

  it("ends when it is refunded, and after payment only a refund takes it back", () => {
    fc.assert(
      fc.property(life, (events) => {
        let status: OrderStatus = "pending";
        for (const event of events) {
          const next = nextStatus(status, event);
          if (!next) continue;
          if (status === "refunded") throw new Error("a refunded order moved");
          if (isPaid(status)) expect(isPaid(next) || next === "refunded").toBe(true);
          if (isPaid(next) && !isPaid(status))
            expect(["payment_verified", "free_completed"]).toContain(event);
          status = next;
        }
      }),
      { numRuns: 2000 },
    );
  });
});
