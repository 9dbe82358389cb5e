import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { db, transaction } from "@/db/client";
import { createProduct, type PlanInput } from "@/db/factories/catalog";
import { getOrder } from "@/lib/orders/queries";
import { openRefund } from "@/lib/orders/refunds/commands";
import { requestRefund } from "@/lib/orders/refunds/commands-requests";
import { lockOrder } from "@/lib/orders/status/commands";
import { isShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { auditSale } from "../faults/audit";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 120_000 });
let buyer: sale.Buyer;
beforeAll(() => sale.receiveEventsHere());
beforeEach(async () => {
  buyer = await sale.newBuyer();
});
afterEach(async () => {
  await sale.setClockAhead("0");
  await sale.runQueue();
  expect(await auditSale()).toEqual([]);
});
afterAll(sale.endSale);

const planOf = async (given: PlanInput = {}) =>
  (await createProduct({ plans: [{ type: "month", keys: 3, ...given }] })).plans[0]!.id;
const orderView = (orderId: string) => getOrder(buyer.viewer, orderId, "en");
const lineOf = async (orderId: string) => (await orderView(orderId)).order_products[0]!;
const ask = async (orderId: string, locale: Locale = "en", who = buyer) =>
  requestRefund(
    who.viewer,
    { order_id: orderId, order_product_id: (await lineOf(orderId)).order_product_id },
    locale,
  );
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) =>
      isShopError(error) ? [error.error, error.params.reason].filter(Boolean).join(": ") : String(error),
  );
/** Paid, keys assigned, and no mail has been tried yet. */
async function sellUnmailed(planId: number, quantity = 1) {
  const orderId = await sale.orderOf(buyer, planId, quantity);
  await sale.pay(buyer, orderId);
  await sale.eventsArrived();
  await sale.runQueue({ mails: false });
  return orderId;
}
const cashOf = async (orderId: string) => {
  const [row] = await db.execute<{ cents: number }>(
    sql`select coalesce(sum(amount_cents), 0)::int as cents from ledger_entries where order_id = ${orderId} and account = 'provider_cash'`,
  );
  return row!.cents;
};
const requestsOf = async (orderId: string) => [
  ...(await db.execute<{ id: string; state: string; by: string | null }>(sql`
    select q.id, q.state, q.decided_by as by from refund_requests q join order_lines l on l.id = q.order_line_id
    where l.order_id = ${orderId} order by q.created_at`)),
];
describe("what is not refundable", () => {
  it.each([
    ["en", "Not refundable: a pass of less than 30 days"],
    ["zh", "不足 30 天的会员卡不支持退款"],
    ["ja", "30日未満のパスは返金の対象外です"],
  ] as const)("is refused in %s with the sentence of the order page", async (locale, sentence) => {
    const orderId = await sale.sell(buyer, await planOf({ type: "week" }));
    expect(await refusal(ask(orderId, locale))).toBe(`refund_not_allowed: ${sentence}`);
    expect((await lineOf(orderId)).can_refund).toBe(false);
    expect(await requestsOf(orderId)).toEqual([]);
  });

  it("is what is unpaid, too old, gone already, or another's", async () => {
    const planId = await planOf({ keys: 5 });
    const open = await sale.orderOf(buyer, planId);
    expect(await refusal(ask(open))).toBe("refund_not_allowed: Nothing has been paid for it");
    const orderId = await sale.sell(buyer, planId);
    expect(await refusal(ask(orderId, "en", await sale.newBuyer()))).toBe("order_unknown");
    const wrong = { order_id: orderId, order_product_id: "line_none" };
    expect(await refusal(requestRefund(buyer.viewer, wrong, "en"))).toBe("order_unknown");
    await sale.setClockAhead("15 days 1 minute");
    expect(await refusal(ask(orderId))).toMatch(/^refund_not_allowed: Refunds ended on /);
    await sale.setClockAhead("14 days 23 hours");
    expect((await ask(orderId)).state).toBe("asked");
  });

  it("is decided by the rule at purchase, whatever the plan became", async () => {
    const planId = await planOf();
    const orderId = await sale.sell(buyer, planId);
    await db.execute(sql`update order_lines set duration_days = 1 where order_id = ${orderId}`);
    expect((await ask(orderId)).state).toBe("asked");
  });

  it("never gives back more than was captured", async () => {
    const orderId = await sellUnmailed(await planOf());
    await transaction(async (tx) => {
      const order = await lockOrder(tx, orderId);
      await openRefund(tx, order!, { lineId: null, amountCents: 400, reason: "not_delivered" });
    });
    expect((await ask(orderId)).refund_amount).toBe(6);
    await sale.runQueue();
    expect(await cashOf(orderId)).toBe(0);
  });
});
