import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createKeys, createSinglePlan } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { activatePass } from "@/lib/delivery/library/activate-pass";
import { listLibrary } from "@/lib/delivery/library/list-library";
import { approveReplacement } from "@/lib/delivery/replacement/decide-replacement";
import { requestReplacement } from "@/lib/delivery/replacement/request-replacement";
import { countFailedRefunds } from "@/lib/orders/console/list-console-refunds";
import { updateDispute } from "@/lib/orders/disputes/update-dispute";
import { getOrder } from "@/lib/orders/find-order";
import { resendKeys } from "@/lib/orders/fulfilment/resend-keys";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { sweepJob } from "@/lib/orders/jobs";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import { refundOverdueLines } from "@/lib/orders/refunds/refund-overdue-lines";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { sendRefund } from "@/lib/orders/refunds/send-refund";
import { settleFailedRefund } from "@/lib/orders/refunds/settle-failed-refund";
import { answerVendorConfirmation } from "@/lib/orders/vendor-confirmation/answer-vendor-confirmation";
import { withdrawFromOrder } from "@/lib/orders/withdrawal/withdraw-from-order";
import { createSignedToken } from "@/lib/platform/auth/signed-link";
import { isShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { failSandboxRefund } from "@/lib/platform/stripe/sandbox/dashboard";
import { getErrorName } from "../setup/error-name";
import { getProviderCash } from "../setup/ledger";
import { clearQueue } from "../setup/queue";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";
import { disputeSandboxPayment } from "../setup/sandbox-bank";
import { dropSandboxEvents } from "../setup/stripe-faults";

registerSaleHooks();
let buyer: sale.Buyer;
let planId: number;
beforeAll(async () => {
  buyer = await sale.createBuyer();
  planId = (await createSinglePlan({ keys: 20 })).id;
});

async function createPaidOrder() {
  const orderId = await sale.sell(buyer, planId);
  const [row] = await db.execute<{ id: string }>(
    sql`select transaction_id as id from orders where id = ${orderId}`,
  );
  return { orderId, intentId: row!.id };
}
const openDispute = async (...dispute: Parameters<typeof disputeSandboxPayment>) => {
  const id = await disputeSandboxPayment(...dispute);
  await sale.waitForEvents();
  await sale.runQueue();
  return id!;
};
const listDisputes = (orderId: string) =>
  db.execute(
    sql`select id, status, is_open, amount_cents, closed_at is not null as closed from disputes where order_id = ${orderId}`,
  );
const isDisputeOpen = async (orderId: string) => (await getOrder(buyer.viewer, orderId, "en")).dispute_open;

describe("a disputed payment", () => {
  it("flags its order while open and not after it is won, and the money stays", async () => {
    const { orderId, intentId } = await createPaidOrder();
    const before = await sale.getOrderStatus(orderId);
    const id = await openDispute(intentId, "needs_response");
    expect(await listDisputes(orderId)).toMatchObject([
      { id, status: "needs_response", is_open: true, amount_cents: 1000 },
    ]);
    expect(await isDisputeOpen(orderId)).toBe(true);
    expect(await sale.getOrderStatus(orderId)).toBe(before);
    await openDispute(intentId, "under_review");
    expect(await isDisputeOpen(orderId)).toBe(true);
    await openDispute(intentId, "won");
    expect(await listDisputes(orderId)).toMatchObject([{ id, status: "won", is_open: false, closed: true }]);
    expect(await isDisputeOpen(orderId)).toBe(false);
    expect(await getProviderCash(orderId)).toBe(1000);
    const unprocessed = await db.execute(sql`select id from webhook_events where processed_at is null`);
    expect([...unprocessed]).toEqual([]);
  });

  it("that is lost is booked once, also when updated repeatedly", async () => {
    const { orderId, intentId } = await createPaidOrder();
    const id = await openDispute(intentId, "needs_response");
    await openDispute(intentId, "lost");
    for (let round = 0; round < 3; round += 1) await updateDispute(id);
    expect(await getProviderCash(orderId)).toBe(0);
    const auditRows = await db.execute<{ action: string }>(
      sql`select action from audit_entries where subject = ${orderId} order by id`,
    );
    expect(auditRows.map((row) => row.action)).toEqual(["dispute_open", "dispute_closed"]);
  });

  it("is not reopened by a late webhook event", async () => {
    const { orderId, intentId } = await createPaidOrder();
    const id = await openDispute(intentId, "won");
    await disputeSandboxPayment(intentId, "needs_response"); // an older state, read after the dispute was closed
    await updateDispute(id);
    expect(await listDisputes(orderId)).toMatchObject([{ status: "won", is_open: false }]);
    await sale.waitForEvents();
    await sale.runQueue();
  });
});

const createMonthPlan = async (input = {}) =>
  (await createSinglePlan({ type: "month", keys: 3, ...input })).id;
const getIntentId = async (orderId: string) => {
  const [row] = await db.execute<{ id: string }>(
    sql`select intent_id as id from payments where order_id = ${orderId} and state <> 'canceled'`,
  );
  return row!.id;
};
const listLines = async (orderId: string) => (await getOrder(buyer.viewer, orderId, "en")).order_products;
const requestFirstLine = async (orderId: string, locale: Locale = "en") => {
  const order_product_id = (await listLines(orderId))[0]!.order_product_id;
  return requestRefund(buyer.viewer, { order_id: orderId, order_product_id }, locale);
};
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) =>
      isShopError(error) ? [error.error, error.params.reason].filter(Boolean).join(": ") : String(error),
  );
const listRefunds = async (orderId: string) => [
  ...(await db.execute<{ state: string; amount_cents: number }>(
    sql`select state, amount_cents from refunds where order_id = ${orderId} order by created_at, id`,
  )),
];
const findRequest = async (orderId: string) => {
  const [request] = await db.execute<{ id: string; state: string; by: string | null; answer_by: string }>(sql`
    select q.id, q.state, q.decided_by as by, q.answer_by from refund_requests q
    join order_lines l on l.id = q.order_line_id where l.order_id = ${orderId}`);
  return request!;
};
const listMailedKeys = async (orderId: string) => [
  ...(await db.execute<{ kept: boolean; mailed: boolean }>(sql`
    select l.keep_in_library as kept, k.mailed_at is not null as mailed
    from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${orderId} order by 1`)),
];
/** A sold month pass of which the code was mailed. */
const sellMonth = async () => sale.sell(buyer, await createMonthPlan());
const sellWithoutMails = (planId: number, quantity = 1) => sale.sellWithoutMails(buyer, planId, quantity);
/** A paid order of two lines, of which the first is refunded. */
async function refundFirstOfTwoLines(): Promise<string> {
  const [first, second] = [await createMonthPlan(), await createMonthPlan()];
  const cart = [await createCartLine(buyer.id, first), await createCartLine(buyer.id, second)];
  const { order_id: orderId } = await placeOrder(buyer.viewer, { cart_record_ids: cart }, "en");
  await sale.pay(buyer, orderId);
  await sale.waitForEvents();
  await sale.runQueue({ mails: false });
  await requestFirstLine(orderId);
  await sale.runQueue();
  return orderId;
}

describe("while a dispute is open", () => {
  it.each([
    ["en", "Your bank decides, because the payment is disputed there"],
    ["zh", "付款存在争议，由您的银行决定"],
    ["ja", "異議申し立て中のため、カード会社が決めます"],
  ] as const)("refund requests are refused with the reason in %s", async (locale, reason) => {
    const orderId = await sellMonth();
    await openDispute(await getIntentId(orderId), "needs_response");
    const [line] = await listLines(orderId);
    expect(line).toMatchObject({ can_refund: false, refund: { refundable: false, reason: "disputed" } });
    expect(await refusal(requestFirstLine(orderId, locale))).toBe(`refund_not_allowed: ${reason}`);
    expect(await listRefunds(orderId)).toEqual([]);
  });

  it("codes are neither revealed, activated, replaced nor sent again, and nothing is withdrawn", async () => {
    const orderId = await sellMonth();
    const library_id = (await listLines(orderId))[0]!.keys[0]!.library_id;
    await requestReplacement(buyer.viewer, { library_id, reason: "It does not work." });
    const [request] = await db.execute<{ id: string }>(
      sql`select id from replacement_requests where key_id = ${library_id}`,
    );
    await openDispute(await getIntentId(orderId), "needs_response");
    expect(await getErrorName(revealKey(buyer.viewer, { library_id }))).toBe("key_frozen");
    expect(await getErrorName(activatePass(buyer.viewer, { library_id }))).toBe("key_frozen");
    expect(await getErrorName(resendKeys(buyer.viewer, { order_id: orderId }))).toBe("key_frozen");
    expect(await approveReplacement(request!.id, "staff:x")).toEqual({ outcome: "locked" });
    const withdrawal = { order_id: orderId, confirm: true };
    expect(await withdrawFromOrder(buyer.viewer, withdrawal, "en", "203.0.113.7")).toMatchObject({
      refund_amount: 0,
      lines: [{ units: 0, reason: "disputed" }],
    });
    await openDispute(await getIntentId(orderId), "won");
    expect((await approveReplacement(request!.id, "staff:x"))?.outcome).toBe("decided");
    await sale.runQueue();
  });

  it("a waiting request is decided by no one, and the vendor's deadline is suspended", async () => {
    const orderId = await sellMonth();
    await requestFirstLine(orderId);
    const { id, answer_by } = await findRequest(orderId);
    await openDispute(await getIntentId(orderId), "needs_response");
    for (const decision of ["approved", "refused"] as const)
      expect(await decideRefundRequest(id, { decision, by: "staff:mara" })).toEqual({
        outcome: "disputed",
        state: "asked",
      });
    const token = createSignedToken("vendor-confirmation", { request: id, answer: "unused" });
    expect(await getErrorName(answerVendorConfirmation({ token }))).toBe("payment_disputed");
    await sale.setClockAhead("72 hours");
    await sweepJob.run(undefined);
    expect(await findRequest(orderId)).toMatchObject({ id, state: "asked" });
    await openDispute(await getIntentId(orderId), "won");
    const resumed = await findRequest(orderId);
    expect(resumed.state).toBe("asked");
    expect(Math.round((Date.parse(resumed.answer_by) - Date.parse(answer_by)) / 3_600_000)).toBe(72);
    expect(await answerVendorConfirmation({ token })).toMatchObject({ decided: true, state: "approved" });
    await sale.runQueue();
    expect(await getProviderCash(orderId)).toBe(0);
  });

  it("an overdue line is not refunded, and gets its key after the dispute is won", async () => {
    const planId = await createMonthPlan({ keys: 0, availability: "pre_order" });
    const orderId = await sale.sell(buyer, planId);
    await openDispute(await getIntentId(orderId), "needs_response");
    await db.execute(
      sql`update order_lines set deliver_by = shop_now() - interval '1 minute' where order_id = ${orderId}`,
    );
    await createKeys(planId, 1);
    await refundOverdueLines(orderId);
    await sweepJob.run(undefined);
    await sale.runQueue();
    expect(await listRefunds(orderId)).toEqual([]);
    expect(await sale.countKeysByState(planId)).toEqual({ available: 1 });
    await openDispute(await getIntentId(orderId), "won");
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
    expect(await sale.countKeysByState(planId)).toEqual({ assigned: 1 });
  });

  it("a waiting line gets its deadline extended by the length of the dispute", async () => {
    const orderId = await sale.sell(buyer, await createMonthPlan({ keys: 0, availability: "pre_order" }));
    const getDeadline = async () => {
      const [line] = await db.execute<{ at: string }>(
        sql`select deliver_by as at from order_lines where order_id = ${orderId}`,
      );
      return Date.parse(line!.at);
    };
    const before = await getDeadline();
    await openDispute(await getIntentId(orderId), "needs_response");
    await sale.setClockAhead("60 hours");
    await openDispute(await getIntentId(orderId), "won");
    expect(Math.round((await getDeadline()) - before) / 3_600_000).toBeCloseTo(60, 1);
    await refundOverdueLines(orderId);
    expect(await listRefunds(orderId)).toEqual([]);
  });

  it("the sweeper leaves a paid order out, which would keep others waiting", async () => {
    const orderId = await sale.orderPlan(buyer, await createMonthPlan());
    await sale.pay(buyer, orderId);
    await sale.waitForEvents();
    await settlePayment(await getIntentId(orderId));
    const isQueued = async () =>
      (await db.execute(sql`select 1 from graphile_worker.jobs where key = ${`assign:${orderId}`}`)).length >
      0;
    const sweep = async () => {
      await clearQueue();
      await db.execute(
        sql`update orders set paid_at = shop_now() - interval '5 minutes' where id = ${orderId}`,
      );
      await sweepJob.run(undefined);
      return isQueued();
    };
    expect(await sweep()).toBe(true);
    const intentId = await getIntentId(orderId);
    await updateDispute((await disputeSandboxPayment(intentId, "needs_response"))!);
    expect([await sale.getOrderStatus(orderId), await sweep()]).toEqual(["paid", false]);
    await disputeSandboxPayment(intentId, "won");
    await sale.processEvents();
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
  });

  it("keys are assigned and mailed only after it is won", async () => {
    const orderId = await sellWithoutMails(await createMonthPlan());
    await disputeSandboxPayment(await getIntentId(orderId), "needs_response");
    await sale.waitForEvents();
    await sale.runQueue({ mails: false });
    await sale.runQueue();
    expect(await sale.listOrderMails(orderId)).toContain("keys dropped");
    await openDispute(await getIntentId(orderId), "won");
    expect(await sale.listOrderMails(orderId)).toContain("keys sent");
    const paidOrder = await sale.orderPlan(buyer, await createMonthPlan());
    await sale.pay(buyer, paidOrder);
    await sale.waitForEvents();
    await db.execute(sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`);
    await settlePayment(await getIntentId(paidOrder));
    await updateDispute((await disputeSandboxPayment(await getIntentId(paidOrder), "needs_response"))!);
    await sale.processEvents();
    expect(await sale.getOrderStatus(paidOrder)).toBe("paid");
    await openDispute(await getIntentId(paidOrder), "won");
    expect(await sale.getOrderStatus(paidOrder)).toBe("completed");
  });

  it("the email of an order that also keeps codes in the library waits as a whole", async () => {
    const cart = [
      await createCartLine(buyer.id, planId),
      await createCartLine(buyer.id, await createMonthPlan()),
    ];
    const { order_id: orderId } = await placeOrder(buyer.viewer, { cart_record_ids: cart }, "en");
    await sale.pay(buyer, orderId, "succeeded", { keep_in_library: true });
    await sale.waitForEvents();
    await sale.runQueue({ mails: false });
    await disputeSandboxPayment(await getIntentId(orderId), "needs_response");
    await sale.waitForEvents();
    await sale.runQueue({ mails: false });
    await sale.runQueue();
    expect(await sale.listOrderMails(orderId)).toContain("keys dropped");
    expect(await listMailedKeys(orderId)).toEqual([
      { kept: false, mailed: false },
      { kept: true, mailed: false },
    ]);
    await openDispute(await getIntentId(orderId), "won");
    expect(await sale.listOrderMails(orderId)).toContain("keys sent");
    expect(await listMailedKeys(orderId)).toEqual([
      { kept: false, mailed: true },
      { kept: true, mailed: false },
    ]);
  });

  it("others buy the keys that its order waits for", async () => {
    const plan = await createMonthPlan({ keys: 0, availability: "pre_order" });
    const orderId = await sale.sell(buyer, plan, 3);
    await db.execute(sql`update plans set availability = 'in_stock' where id = ${plan}`);
    await createKeys(plan, 2);
    const other = await sale.createBuyer();
    expect(await getErrorName(sale.orderPlan(other, plan))).toBe("sold_out");
    await openDispute(await getIntentId(orderId), "needs_response");
    expect(await getErrorName(sale.orderPlan(other, plan))).toBeNull();
  });

  it("a refund that is not sent yet waits, and is sent after it is won", async () => {
    const orderId = await sellWithoutMails(await createMonthPlan());
    await requestFirstLine(orderId);
    await disputeSandboxPayment(await getIntentId(orderId), "needs_response");
    await sale.waitForEvents();
    await sale.runQueue(); // the refund's job may run before the dispute's: the provider refuses it then
    await sweepJob.run(undefined);
    await sale.runQueue();
    expect(await listRefunds(orderId)).toEqual([{ state: "pending", amount_cents: 1000 }]);
    expect(await getProviderCash(orderId)).toBe(1000);
    await openDispute(await getIntentId(orderId), "won");
    expect(await listRefunds(orderId)).toEqual([{ state: "succeeded", amount_cents: 1000 }]);
    expect(await getProviderCash(orderId)).toBe(0);
  });

  it("unknown to the shop, a refund refused by the provider is tried again later", async () => {
    const orderId = await sellWithoutMails(await createMonthPlan());
    dropSandboxEvents();
    const disputeId = await disputeSandboxPayment(await getIntentId(orderId), "needs_response");
    await requestFirstLine(orderId);
    await sale.runQueue();
    expect(await listRefunds(orderId)).toEqual([{ state: "pending", amount_cents: 1000 }]);
    await updateDispute(disputeId!);
    await disputeSandboxPayment(await getIntentId(orderId), "lost");
    await updateDispute(disputeId!);
    sale.receiveEventsInProcess();
    await sale.runQueue();
    expect(await listRefunds(orderId)).toEqual([{ state: "cancelled", amount_cents: 1000 }]);
    expect(await getProviderCash(orderId)).toBe(0);
    expect((await getOrder(buyer.viewer, orderId, "en")).refunds).toEqual([]);
  });
});

describe("after a lost dispute", () => {
  it("that is known before the payment, the order is refunded without keys", async () => {
    const planId = await createMonthPlan();
    const orderId = await sale.orderPlan(buyer, planId);
    dropSandboxEvents();
    const { intentId } = await sale.pay(buyer, orderId);
    await updateDispute((await disputeSandboxPayment(intentId, "lost"))!);
    sale.receiveEventsInProcess();
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(await sale.countKeysByState(planId)).toEqual({ available: 3 });
    expect(await getProviderCash(orderId)).toBe(0);
  });

  it("every line counts as refunded, its codes stay locked, and nothing is refunded again", async () => {
    const planId = await createMonthPlan();
    const orderId = await sale.sell(buyer, planId, 2);
    const [line] = await listLines(orderId);
    const library_id = line!.keys[0]!.library_id;
    await openDispute(await getIntentId(orderId), "needs_response");
    await openDispute(await getIntentId(orderId), "lost");
    const order = await getOrder(buyer.viewer, orderId, "en");
    expect(order).toMatchObject({ status: "refunded", dispute_open: false, dispute_lost: true, refunds: [] });
    expect(order.order_products).toMatchObject([
      { state: "refunded", refunded_quantity: 2, refunded_amount: 20, can_refund: false },
    ]);
    expect(await sale.countKeysByState(planId)).toEqual({ available: 1, quarantined: 2 });
    expect(await getErrorName(revealKey(buyer.viewer, { library_id }))).toBe("key_frozen");
    expect(await getErrorName(activatePass(buyer.viewer, { library_id }))).toBe("key_frozen");
    expect(await getErrorName(resendKeys(buyer.viewer, { order_id: orderId }))).toBe("key_frozen");
    expect((await listLibrary(buyer.viewer, "en")).items.map((item) => item.order_id)).not.toContain(orderId);
    expect(await refusal(requestFirstLine(orderId))).toBe("refund_not_allowed: Already refunded");
    expect(await getProviderCash(orderId)).toBe(0);
  });

  it("a waiting request is closed, and staff cannot approve it", async () => {
    const orderId = await sellMonth();
    await requestFirstLine(orderId);
    await openDispute(await getIntentId(orderId), "lost");
    const request = await findRequest(orderId);
    expect(request).toMatchObject({ state: "approved", by: expect.stringContaining("dispute:") });
    const approval = { decision: "approved", by: "staff:mara", overrule: true } as const;
    expect((await decideRefundRequest(request.id, approval))?.outcome).toBe("already");
    expect(await listRefunds(orderId)).toEqual([]);
    expect(await getProviderCash(orderId)).toBe(0);
  });

  it("opened after a refund of one line, the ledger ends at exactly zero", async () => {
    const orderId = await refundFirstOfTwoLines();
    expect(await getProviderCash(orderId)).toBe(1000);
    await openDispute(await getIntentId(orderId), "needs_response");
    await openDispute(await getIntentId(orderId), "lost");
    expect(await getProviderCash(orderId)).toBe(0);
    expect((await listLines(orderId)).map(({ refunded_amount }) => refunded_amount)).toEqual([10, 10]);
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
  });

  it("a refund that the bank returns is not sent again", async () => {
    const orderId = await refundFirstOfTwoLines();
    await openDispute(await getIntentId(orderId), "needs_response");
    const [refund] = await db.execute<{ id: string; provider_id: string }>(
      sql`select id, provider_id from refunds where order_id = ${orderId}`,
    );
    await failSandboxRefund(refund!.provider_id);
    await sale.processEvents();
    await db.execute(
      sql`update refunds set updated_at = shop_now() - interval '5 minutes' where order_id = ${orderId}`,
    );
    await sweepJob.run(undefined);
    expect((await listRefunds(orderId)).map(({ state }) => state)).toEqual(["failed", "pending"]);
    await openDispute(await getIntentId(orderId), "lost");
    for (const { id } of await db.execute<{ id: string }>(
      sql`select id from refunds where order_id = ${orderId}`,
    ))
      await sendRefund(id);
    expect((await listRefunds(orderId)).map(({ state }) => state)).toEqual(["failed", "cancelled"]);
    expect(await getProviderCash(orderId)).toBe(0);
  });

  it("staff do not pay again what a refund failed to return", async () => {
    const orderId = await sellWithoutMails(await createMonthPlan());
    await requestFirstLine(orderId);
    await sale.runQueue();
    const [refund] = await db.execute<{ id: string; provider_id: string }>(
      sql`select id, provider_id from refunds where order_id = ${orderId}`,
    );
    await failSandboxRefund(refund!.provider_id);
    await sale.processEvents();
    await db.execute(sql`update refunds set state = 'failed' where order_id = ${orderId}`);
    await db.execute(sql`
      insert into audit_entries (actor, action, subject, detail)
      values ('system', 'refund_failed', ${orderId}, jsonb_build_object('refundId', ${refund!.id}::text))`);
    const settle = () => settleFailedRefund("stf_1", refund!.id, { note: "bank transfer" });
    const before = (await countFailedRefunds()).count;
    await openDispute(await getIntentId(orderId), "needs_response");
    await expect(settle()).rejects.toMatchObject({ error: "payment_disputed" });
    expect((await countFailedRefunds()).count).toBe(before - 1);
    await openDispute(await getIntentId(orderId), "lost");
    await expect(settle()).rejects.toMatchObject({ error: "refund_decided" });
  });
});
