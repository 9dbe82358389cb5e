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

const listTransitions = (from: OrderStatus) =>
  TRANSITIONS.filter((row) => row[0] === from).map(([, event, to]) => `${event} → ${to}`);

describe("order transitions", () => {
  it("equal the table of docs/reliability.md#orders", () => {
    expect(Object.fromEntries(ORDER_STATUSES.map((status) => [status, listTransitions(status)]))).toEqual({
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
      refunded: ["reopened → shipped"],
    });
  });

  it("lead from each status and event to at most one status, otherwise null", () => {
    const pairs = ORDER_STATUSES.flatMap((from) => ORDER_EVENTS.map((event) => [from, event] as const));
    for (const [from, event] of pairs) {
      const rows = TRANSITIONS.filter((row) => row[0] === from && row[1] === event);
      expect(rows.length).toBeLessThanOrEqual(1);
      expect(nextStatus(from, event)).toBe(rows[0]?.[2] ?? null);
    }
    expect(pairs.filter(([from, event]) => nextStatus(from, event)).length).toBe(TRANSITIONS.length);
  });

  it("never make a status both payable and paid", () => {
    for (const status of ORDER_STATUSES) expect(isPayable(status) && isPaid(status)).toBe(false);
    expect(ORDER_STATUSES.filter((status) => !isPayable(status) && !isPaid(status))).toEqual([
      "cancelled",
      "refunded",
    ]);
  });
});

describe("any sequence of order events", () => {
  const anySequence = fc.array(fc.constantFrom(...ORDER_EVENTS), { maxLength: 30 });

  it("leaves `refunded` only when the bank returns a refund, and a paid status only by a refund", () => {
    fc.assert(
      fc.property(anySequence, (events) => {
        let status: OrderStatus = "pending";
        for (const event of events) {
          const next = nextStatus(status, event);
          if (!next) continue;
          if (status === "refunded") expect([event, next]).toEqual(["reopened", "shipped"]);
          if (isPaid(status)) expect(isPaid(next) || next === "refunded").toBe(true);
          if (isPaid(next) && !isPaid(status))
            expect(["payment_verified", "free_completed", "reopened"]).toContain(event);
          status = next;
        }
      }),
      { numRuns: 2000 },
    );
  });
});
