import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { db, transaction } from "@/db/client";
import { createKeys, createProduct, type PlanInput } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { revealKey } from "@/lib/delivery/commands";
import { listLibrary } from "@/lib/delivery/library/queries";
import { findMailboxMails } from "@/lib/notifications/queries";
import { keysMail } from "@/lib/orders/emails/queries";
import { assignWaitingOrders } from "@/lib/orders/fulfilment/commands";
import { resendKeys } from "@/lib/orders/fulfilment/commands-resend";
import { sweepJob } from "@/lib/orders/jobs";
import { placeOrder } from "@/lib/orders/placing/commands";
import { getOrder } from "@/lib/orders/queries";
import { refundOverdueLines } from "@/lib/orders/refunds/commands";
import { answerRefundRequest, requestRefund } from "@/lib/orders/refunds/commands-requests";
import { listOpenRefundRequests } from "@/lib/orders/refunds/queries-requests";
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
const keyIdOf = async (orderId: string) => (await lineOf(orderId)).keys[0]!.library_id;
const mailTexts = async (event: string) =>
  ((await findMailboxMails(buyer.email)) ?? [])
    .filter((mail) => mail.event === event)
    .map((mail) => mail.text);

describe("a pass of which no code was shown", () => {
  it("is refunded at once: codes locked, money back, order refunded", async () => {
    const planId = await planOf();
    const orderId = await sellUnmailed(planId, 2);
    expect(await lineOf(orderId)).toMatchObject({ can_refund: true, refund_at_once: true });
    const answer = await ask(orderId);
    expect(answer).toMatchObject({ state: "approved", refund_amount: 20, answer_by: null });
    expect(await sale.statusOf(orderId)).toBe("refunded");
    await sale.runQueue();
    expect(await cashOf(orderId)).toBe(0);
    expect(await sale.keysOf(planId)).toEqual({ available: 1, quarantined: 2 });
    expect(await sale.mailsOf(orderId)).toContain("keys dropped");
    expect(await sale.mailsOf(orderId)).toContain("refund sent");
    const events = await db.execute<{ actor: string }>(sql`
      select e.actor from key_events e join keys k on k.id = e.key_id where k.plan_id = ${planId} and e.event = 'quarantined'`);
    expect(events.map(({ actor }) => actor)).toEqual([buyer.id, buyer.id]);
    expect(await lineOf(orderId)).toMatchObject({
      can_refund: false,
      refunded_amount: 20,
      state: "refunded",
    });
    expect(await requestsOf(orderId)).toMatchObject([{ state: "approved", by: "rule" }]);
    expect((await listLibrary(buyer.viewer, "en")).total).toBe(0);
  });

  it("gives back what it waits for, and leaves the rest of the order", async () => {
    const [waiting, there] = [await planOf({ keys: 0, availability: "pre_order" }), await planOf()];
    const other = await sale.newBuyer();
    const cart = [await createCartLine(buyer.id, waiting), await createCartLine(buyer.id, there)];
    const { order_id } = await placeOrder(buyer.viewer, { cart_record_ids: cart }, "en");
    await sale.pay(buyer, order_id);
    await sale.eventsArrived();
    await sale.runQueue();
    expect(await sale.statusOf(order_id)).toBe("processing");
    const line = (await orderView(order_id)).order_products.find(({ vip_id }) => vip_id === waiting)!;
    expect(line.refund_at_once).toBe(true);
    const answer = await requestRefund(
      buyer.viewer,
      { order_id, order_product_id: line.order_product_id },
      "en",
    );
    expect(answer.state).toBe("approved");
    await sale.runQueue();
    await sweepJob.run(undefined);
    expect(await sale.statusOf(order_id)).toBe("completed");
    expect(await cashOf(order_id)).toBe(1000);
    await createKeys(waiting, 1);
    await assignWaitingOrders(waiting);
    expect(await sale.keysOf(waiting)).toMatchObject({ available: 1 });
    await sale.sell(other, waiting);
  });

  it("is not sure any more once its mail was tried", async () => {
    const orderId = await sellUnmailed(await planOf());
    await db.execute(
      sql`update mails set attempts = 1 where event = 'keys' and refs->>'orderId' = ${orderId}`,
    );
    expect((await ask(orderId)).state).toBe("asked");
  });
});

describe("a pass whose codes were mailed", () => {
  it("is asked for: the maker has 48 hours, the codes are locked, the shopper is told", async () => {
    const orderId = await sale.sell(buyer, await planOf());
    expect(await lineOf(orderId)).toMatchObject({ can_refund: true, refund_at_once: false });
    const { state, answer_by, refund_amount } = await ask(orderId);
    expect([state, refund_amount]).toEqual(["asked", 10]);
    expect(Math.round((Date.parse(answer_by!) - Date.now()) / 3_600_000)).toBe(48);
    expect(await lineOf(orderId)).toMatchObject({
      can_refund: false,
      refund_request: { state: "asked", answer_by },
    });
    expect(await refusal(revealKey(buyer.viewer, { library_id: await keyIdOf(orderId) }))).toBe("key_frozen");
    expect((await listLibrary(buyer.viewer, "en")).items).toMatchObject([{ refund_asked: true }]);
    expect(await refusal(resendKeys(buyer.viewer, { order_id: orderId }))).toBe("key_frozen");
    await sale.runQueue();
    expect(await mailTexts("refund-requested")).toHaveLength(1);
    expect(await sale.statusOf(orderId)).toBe("completed");
    expect((await listOpenRefundRequests()).map((one) => one.orderId)).toContain(orderId);
  });

  it("can be asked for once, also from ten tabs at the same time", async () => {
    const orderId = await sale.sell(buyer, await planOf());
    const answers = await Promise.all(Array.from({ length: 10 }, () => refusal(ask(orderId))));
    expect(answers.filter((name) => name === null)).toHaveLength(1);
    expect(answers.filter((name) => name === "refund_asked")).toHaveLength(9);
    expect(await requestsOf(orderId)).toHaveLength(1);
  });

  it("is refunded by the maker's silence, not a minute earlier", async () => {
    const orderId = await sale.sell(buyer, await planOf());
    await ask(orderId);
    await sale.setClockAhead("47 hours 59 minutes");
    await sweepJob.run(undefined);
    expect(await requestsOf(orderId)).toMatchObject([{ state: "asked" }]);
    await sale.setClockAhead("48 hours 1 minute");
    await sweepJob.run(undefined);
    await sale.runQueue();
    expect(await requestsOf(orderId)).toMatchObject([{ state: "approved", by: "deadline" }]);
    expect(await sale.statusOf(orderId)).toBe("refunded");
    expect(await cashOf(orderId)).toBe(0);
    expect(await refusal(ask(orderId))).toBe("refund_asked");
  });

  it("stays when the maker says that it was used, and the shopper hears why", async () => {
    const orderId = await sale.sell(buyer, await planOf());
    await ask(orderId);
    const [request] = await requestsOf(orderId);
    const note = "In use since Tuesday.";
    expect(await answerRefundRequest(request!.id, { decision: "refused", by: "staff:mara", note })).toEqual({
      outcome: "decided",
      state: "refused",
    });
    await sale.runQueue();
    const [text] = await mailTexts("refund-refused");
    expect(text).toContain(note);
    expect(text).toContain("@");
    expect(await refusal(ask(orderId))).toBe("refund_not_allowed: Not refundable: the code has been used");
    expect(await refusal(revealKey(buyer.viewer, { library_id: await keyIdOf(orderId) }))).toBeNull();
    expect(await cashOf(orderId)).toBe(1000);
    expect((await lineOf(orderId)).refund_request).toMatchObject({ state: "refused", answer_by: null });
    const again = { decision: "approved", by: "staff:mara" } as const;
    expect((await answerRefundRequest(request!.id, again))?.outcome).toBe("already");
    expect((await answerRefundRequest(request!.id, { ...again, overrule: true }))?.outcome).toBe("decided");
    await sale.runQueue();
    expect([await cashOf(orderId), await sale.statusOf(orderId)]).toEqual([0, "refunded"]);
  });

  it("has one answer, whoever gives it, and a refusal after the maker's time comes too late", async () => {
    const orderId = await sale.sell(buyer, await planOf());
    await ask(orderId);
    const [request] = await requestsOf(orderId);
    const answer = (decision: "approved" | "refused") =>
      answerRefundRequest(request!.id, { decision, by: `staff:${decision}` });
    const race = await Promise.all([
      answer("approved"),
      answer("refused"),
      answer("approved"),
      answer("refused"),
    ]);
    expect(race.filter((one) => one?.outcome === "decided")).toHaveLength(1);
    expect(new Set(race.map((one) => one?.state)).size).toBe(1);

    const late = await sale.sell(buyer, await planOf());
    await ask(late);
    await sale.setClockAhead("49 hours");
    const [open] = await requestsOf(late);
    expect(await answerRefundRequest(open!.id, { decision: "refused", by: "staff:mara" })).toEqual({
      outcome: "already",
      state: "approved",
    });
    expect(await answerRefundRequest("rrq_none", { decision: "refused", by: "x" })).toBeNull();
  });

  it("is not revealed by who pressed while it was being asked for", async () => {
    const orderId = await sale.sell(buyer, await planOf());
    const library_id = await keyIdOf(orderId);
    let revealed: Promise<unknown> = Promise.resolve();
    await transaction(async (tx) => {
      await tx.execute(sql`select 1 from keys where id = ${library_id} for update`);
      revealed = refusal(revealKey(buyer.viewer, { library_id }));
      await new Promise((resolve) => setTimeout(resolve, 200)); // it stands in line now
      await tx.execute(sql`
        insert into refund_requests (id, order_line_id, user_id, amount_cents, answer_by)
        select ${`rrq_${library_id}`}, order_line_id, ${buyer.id}, 1000, shop_now() + interval '1 hour' from keys where id = ${library_id}`);
    });
    expect(await revealed).toBe("key_frozen");
    const events = await db.execute(
      sql`select 1 from key_events where key_id = ${library_id} and event = 'revealed'`,
    );
    expect(events).toHaveLength(0);
  });

  it("does not leave by mail when it is given back while the mail is being written", async () => {
    const orderId = await sellUnmailed(await planOf());
    const library_id = await keyIdOf(orderId);
    let mail: Promise<unknown> = Promise.resolve("unread");
    await transaction(async (tx) => {
      await lockOrder(tx, orderId);
      mail = keysMail(orderId, [library_id], "en");
      await new Promise((resolve) => setTimeout(resolve, 200));
      await tx.execute(sql`update keys set state = 'quarantined' where id = ${library_id}`);
    });
    expect(await mail).toBeNull();
    await db.execute(
      sql`update mails set state = 'dropped' where refs->>'orderId' = ${orderId} and event = 'keys'`,
    );
  });

  it("gets no more codes while it is asked for, and the late units' money does not come twice", async () => {
    const planId = await planOf({ keys: 1, availability: "pre_order" });
    const orderId = await sale.orderOf(buyer, planId, 2);
    await sale.pay(buyer, orderId);
    await sale.eventsArrived();
    await sale.runQueue();
    expect((await ask(orderId)).refund_amount).toBe(20);
    await createKeys(planId, 1);
    await assignWaitingOrders(planId);
    expect(await sale.keysOf(planId)).toEqual({ assigned: 1, available: 1 });
    await db.execute(
      sql`update order_lines set deliver_by = shop_now() - interval '1 minute' where order_id = ${orderId}`,
    );
    await refundOverdueLines(orderId);
    const [request] = await requestsOf(orderId);
    await answerRefundRequest(request!.id, { decision: "approved", by: "staff:mara" });
    await sale.runQueue();
    expect(await cashOf(orderId)).toBe(0);
    expect(await sale.statusOf(orderId)).toBe("refunded");
    expect(await lineOf(orderId)).toMatchObject({ refunded_quantity: 2, refunded_amount: 20 });
  });
});
