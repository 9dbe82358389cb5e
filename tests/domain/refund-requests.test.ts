import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { createKeys, createSinglePlan, type PlanInput } from "@/db/factories/catalog";
import { createMerchant, createSeller } from "@/db/factories/merchants";
import { createCartLine } from "@/db/factories/orders";
import { listLibrary } from "@/lib/delivery/library/list-library";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { ConsoleRefundsInput } from "@/lib/orders/console/contract-refunds";
import { listConsoleRefunds } from "@/lib/orders/console/list-console-refunds";
import { changeDeliveryEmail } from "@/lib/orders/delivery-options/change-delivery-email";
import { keysMail } from "@/lib/orders/emails/keys-mail";
import { getOrder } from "@/lib/orders/find-order";
import { assignWaitingOrders } from "@/lib/orders/fulfilment/assign-waiting-orders";
import { resendKeys } from "@/lib/orders/fulfilment/resend-keys";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { sweepJob } from "@/lib/orders/jobs";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import { openRefund } from "@/lib/orders/refunds/open-refund";
import { refundOverdueLines } from "@/lib/orders/refunds/refund-overdue-lines";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { isShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { uniqueEmail } from "../setup/accounts";
import { getProviderCash } from "../setup/ledger";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";
import { untilStatementWaits } from "../setup/waiting-statement";

registerSaleHooks({ runJobs: true });
let buyer: sale.Buyer;
beforeEach(async () => {
  buyer = await sale.createBuyer();
});

const createTestPlan = async (input: PlanInput = {}) =>
  (await createSinglePlan({ type: "month", keys: 3, ...input })).id;
const getTestOrder = (orderId: string) => getOrder(buyer.viewer, orderId, "en");
const getFirstLine = async (orderId: string) => (await getTestOrder(orderId)).order_products[0]!;
const requestLineRefund = async (orderId: string, locale: Locale = "en", user = buyer) =>
  requestRefund(
    user.viewer,
    { order_id: orderId, order_product_id: (await getFirstLine(orderId)).order_product_id },
    locale,
  );
/** The error of a call with its reason, or null. */
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) =>
      isShopError(error) ? [error.error, error.params.reason].filter(Boolean).join(": ") : String(error),
  );
const sellWithoutMails = (planId: number, quantity = 1) => sale.sellWithoutMails(buyer, planId, quantity);
const listRequests = async (orderId: string) => [
  ...(await db.execute<{ id: string; state: string; by: string | null }>(sql`
    select q.id, q.state, q.decided_by as by from refund_requests q join order_lines l on l.id = q.order_line_id
    where l.order_id = ${orderId} order by q.created_at`)),
];
const getFirstKeyId = async (orderId: string) => (await getFirstLine(orderId)).keys[0]!.library_id;
const listMailTexts = async (event: string) =>
  ((await findMailboxMails(buyer.email)) ?? [])
    .filter((mail) => mail.event === event)
    .map((mail) => mail.text);

describe("a refund request before any code was mailed or revealed", () => {
  it("is approved immediately: the keys are on sale again, and the money and order are refunded", async () => {
    const planId = await createTestPlan();
    const orderId = await sellWithoutMails(planId, 2);
    expect(await getFirstLine(orderId)).toMatchObject({ can_refund: true, refund_at_once: true });
    const response = await requestLineRefund(orderId);
    expect(response).toMatchObject({ state: "approved", refund_amount: 20, answer_by: null });
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    await sale.runQueue();
    expect(await getProviderCash(orderId)).toBe(0);
    expect(await sale.countKeysByState(planId)).toEqual({ available: 3 });
    expect(await sale.listOrderMails(orderId)).toContain("keys dropped");
    expect(await sale.listOrderMails(orderId)).toContain("refund sent");
    const events = await db.execute<{ actor: string }>(sql`
      select e.actor from key_events e join keys k on k.id = e.key_id where k.plan_id = ${planId} and e.event = 'restocked'`);
    expect(events.map(({ actor }) => actor)).toEqual([buyer.id, buyer.id]);
    expect(await getFirstLine(orderId)).toMatchObject({
      can_refund: false,
      refunded_amount: 20,
      state: "refunded",
    });
    expect(await listRequests(orderId)).toMatchObject([{ state: "approved", by: "rule" }]);
    expect((await listLibrary(buyer.viewer, "en")).total).toBe(0);
  });

  it("refunds a line that waits for stock, and keeps the other lines", async () => {
    const [waiting, inStock] = [
      await createTestPlan({ keys: 0, availability: "pre_order" }),
      await createTestPlan(),
    ];
    const other = await sale.createBuyer();
    const cart = [await createCartLine(buyer.id, waiting), await createCartLine(buyer.id, inStock)];
    const { order_id } = await placeOrder(buyer.viewer, { cart_record_ids: cart }, "en");
    await sale.pay(buyer, order_id);
    await sale.waitForEvents();
    await sale.runQueue();
    expect(await sale.getOrderStatus(order_id)).toBe("processing");
    const line = (await getTestOrder(order_id)).order_products.find(({ vip_id }) => vip_id === waiting)!;
    expect(line.refund_at_once).toBe(true);
    const response = await requestRefund(
      buyer.viewer,
      { order_id, order_product_id: line.order_product_id },
      "en",
    );
    expect(response.state).toBe("approved");
    await sale.runQueue();
    await sweepJob.run(undefined);
    expect(await sale.getOrderStatus(order_id)).toBe("completed");
    expect(await getProviderCash(order_id)).toBe(1000);
    await createKeys(waiting, 1);
    await assignWaitingOrders(waiting);
    expect(await sale.countKeysByState(waiting)).toMatchObject({ available: 1 });
    await sale.sell(other, waiting);
  });

  it("requires the vendor's confirmation once its email was attempted", async () => {
    const orderId = await sellWithoutMails(await createTestPlan());
    await db.execute(
      sql`update mails set attempts = 1 where event = 'keys' and refs->>'orderId' = ${orderId}`,
    );
    expect((await requestLineRefund(orderId)).state).toBe("asked");
  });
});

describe("a refund request for mailed codes", () => {
  it("waits 48 hours for the vendor, with locked codes and a mail to the buyer", async () => {
    const orderId = await sale.sell(buyer, await createTestPlan());
    expect(await getFirstLine(orderId)).toMatchObject({ can_refund: true, refund_at_once: false });
    const { state, answer_by, refund_amount } = await requestLineRefund(orderId);
    expect([state, refund_amount]).toEqual(["asked", 10]);
    expect(Math.round((Date.parse(answer_by!) - Date.now()) / 3_600_000)).toBe(48);
    expect(await getFirstLine(orderId)).toMatchObject({
      can_refund: false,
      refund_request: { state: "asked", answer_by },
    });
    expect(await refusal(revealKey(buyer.viewer, { library_id: await getFirstKeyId(orderId) }))).toBe(
      "key_frozen",
    );
    expect((await listLibrary(buyer.viewer, "en")).items).toMatchObject([{ refund_asked: true }]);
    expect(await refusal(resendKeys(buyer.viewer, { order_id: orderId }))).toBe("key_frozen");
    await sale.runQueue();
    expect(await listMailTexts("refund-requested")).toHaveLength(1);
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
    const { items } = await listConsoleRefunds(ConsoleRefundsInput.parse({}), "en");
    expect(items.map((item) => item.order_id)).toContain(orderId);
  });

  it("is accepted once, even from ten tabs at the same time", async () => {
    const orderId = await sale.sell(buyer, await createTestPlan());
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => refusal(requestLineRefund(orderId))));
    expect(outcomes.filter((name) => name === null)).toHaveLength(1);
    expect(outcomes.filter((name) => name === "refund_asked")).toHaveLength(9);
    expect(await listRequests(orderId)).toHaveLength(1);
  });

  it("is approved at the vendor's deadline, not earlier", async () => {
    const orderId = await sale.sell(buyer, await createTestPlan());
    await requestLineRefund(orderId);
    await sale.setClockAhead("47 hours 59 minutes");
    await sweepJob.run(undefined);
    expect(await listRequests(orderId)).toMatchObject([{ state: "asked" }]);
    await sale.setClockAhead("48 hours 1 minute");
    await sweepJob.run(undefined);
    await sale.runQueue();
    expect(await listRequests(orderId)).toMatchObject([{ state: "approved", by: "deadline" }]);
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(await getProviderCash(orderId)).toBe(0);
    expect(await refusal(requestLineRefund(orderId))).toBe("refund_asked");
  });

  it("is refused when the code was used, with the note in the mail, and can be overruled", async () => {
    const orderId = await sale.sell(buyer, await createTestPlan());
    await requestLineRefund(orderId);
    const [request] = await listRequests(orderId);
    const note = "In use since Tuesday.";
    expect(await decideRefundRequest(request!.id, { decision: "refused", by: "staff:mara", note })).toEqual({
      outcome: "decided",
      state: "refused",
    });
    await sale.runQueue();
    const [text] = await listMailTexts("refund-refused");
    expect(text).toContain(`Reason: ${note}`);
    expect(text).not.toMatch(/vendor|code has been used/);
    expect(text).toContain("@");
    expect(await refusal(requestLineRefund(orderId))).toBe(
      "refund_not_allowed: Not refundable: the code has been used",
    );
    expect(await refusal(revealKey(buyer.viewer, { library_id: await getFirstKeyId(orderId) }))).toBeNull();
    expect(await getProviderCash(orderId)).toBe(1000);
    expect((await getFirstLine(orderId)).refund_request).toMatchObject({
      state: "refused",
      answer_by: null,
      refused_by: "shop",
      refusal_reason: note,
    });
    const approval = { decision: "approved", by: "staff:mara" } as const;
    expect((await decideRefundRequest(request!.id, approval))?.outcome).toBe("already");
    expect((await decideRefundRequest(request!.id, { ...approval, overrule: true }))?.outcome).toBe(
      "decided",
    );
    await sale.runQueue();
    expect([await getProviderCash(orderId), await sale.getOrderStatus(orderId)]).toEqual([0, "refunded"]);
  });

  it("is refused in the vendor's words when the vendor or the merchant of the pass answered", async () => {
    const merchant = await createMerchant();
    const member = await createSeller(merchant);
    for (const by of ["vendor", "token:mtk_1", member.id]) {
      const orderId = await sale.sell(buyer, await createTestPlan());
      await requestLineRefund(orderId);
      const [request] = await listRequests(orderId);
      await db.execute(
        sql`update refund_requests set merchant_id = ${merchant.id} where id = ${request!.id}`,
      );
      await decideRefundRequest(request!.id, { decision: "refused", by });
      await sale.runQueue();
      const { refund_request } = await getFirstLine(orderId);
      expect(refund_request, by).toMatchObject({ refused_by: "vendor", refusal_reason: null });
    }
    const texts = await listMailTexts("refund-refused");
    expect(texts).toHaveLength(3);
    for (const text of texts) expect(text).toContain("The vendor says that the code has been used");
  });

  it("gets one decision from concurrent ones, and cannot be refused after the deadline", async () => {
    const orderId = await sale.sell(buyer, await createTestPlan());
    await requestLineRefund(orderId);
    const [request] = await listRequests(orderId);
    const decide = (decision: "approved" | "refused") =>
      decideRefundRequest(request!.id, { decision, by: `staff:${decision}` });
    const decisions = await Promise.all([
      decide("approved"),
      decide("refused"),
      decide("approved"),
      decide("refused"),
    ]);
    expect(decisions.filter((decision) => decision?.outcome === "decided")).toHaveLength(1);
    expect(new Set(decisions.map((decision) => decision?.state)).size).toBe(1);

    const lateOrder = await sale.sell(buyer, await createTestPlan());
    await requestLineRefund(lateOrder);
    await sale.setClockAhead("49 hours");
    const [lateRequest] = await listRequests(lateOrder);
    expect(await decideRefundRequest(lateRequest!.id, { decision: "refused", by: "staff:mara" })).toEqual({
      outcome: "already",
      state: "approved",
    });
    expect(await decideRefundRequest("rrq_none", { decision: "refused", by: "x" })).toBeNull();
  });

  it("blocks a reveal that waited for the request's transaction", async () => {
    const orderId = await sale.sell(buyer, await createTestPlan());
    const library_id = await getFirstKeyId(orderId);
    let revealed: Promise<unknown> = Promise.resolve();
    await transaction(async (tx) => {
      await tx.execute(sql`select 1 from keys where id = ${library_id} for update`);
      revealed = refusal(revealKey(buyer.viewer, { library_id }));
      await untilStatementWaits(); // the reveal
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

  it("drops the keys mail of a key that is quarantined while the mail is rendered", async () => {
    const orderId = await sellWithoutMails(await createTestPlan());
    const library_id = await getFirstKeyId(orderId);
    let mail: Promise<unknown> = Promise.resolve("unread");
    await transaction(async (tx) => {
      await lockOrder(tx, orderId);
      mail = keysMail(orderId, [library_id], "en");
      await untilStatementWaits();
      await tx.execute(sql`update keys set state = 'quarantined' where id = ${library_id}`);
    });
    expect(await mail).toBeNull();
    await db.execute(
      sql`update mails set state = 'dropped' where refs->>'orderId' = ${orderId} and event = 'keys'`,
    );
  });

  it("stops further assignments, and refunds overdue units once", async () => {
    const planId = await createTestPlan({ keys: 1, availability: "pre_order" });
    const orderId = await sale.orderPlan(buyer, planId, 2);
    await sale.pay(buyer, orderId);
    await sale.waitForEvents();
    await sale.runQueue();
    expect((await requestLineRefund(orderId)).refund_amount).toBe(20);
    await createKeys(planId, 1);
    await assignWaitingOrders(planId);
    expect(await sale.countKeysByState(planId)).toEqual({ assigned: 1, available: 1 });
    await db.execute(
      sql`update order_lines set deliver_by = shop_now() - interval '1 minute' where order_id = ${orderId}`,
    );
    await refundOverdueLines(orderId);
    const [request] = await listRequests(orderId);
    await decideRefundRequest(request!.id, { decision: "approved", by: "staff:mara" });
    await sale.runQueue();
    expect(await getProviderCash(orderId)).toBe(0);
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(await getFirstLine(orderId)).toMatchObject({ refunded_quantity: 2, refunded_amount: 20 });
  });
});

describe("an email with codes, some locked by a refund request,", () => {
  /** Two paid lines; the first one's refund is requested after a first attempt to mail both. */
  const requestFirstOfTwo = async () => {
    const cart = [
      await createCartLine(buyer.id, await createTestPlan()),
      await createCartLine(buyer.id, await createTestPlan()),
    ];
    const { order_id: orderId } = await placeOrder(buyer.viewer, { cart_record_ids: cart }, "en");
    await sale.pay(buyer, orderId);
    await sale.waitForEvents();
    await sale.runQueue({ mails: false });
    await db.execute(
      sql`update mails set attempts = 1 where event = 'keys' and refs->>'orderId' = ${orderId}`,
    );
    expect((await requestLineRefund(orderId)).state).toBe("asked");
    await sale.runQueue();
    const [request] = await listRequests(orderId);
    return { orderId, requestId: request!.id };
  };
  const listMailed = async (orderId: string) => {
    const rows = await db.execute<{ mailed: boolean }>(sql`
      select k.mailed_at is not null as mailed from keys k join order_lines l on l.id = k.order_line_id
      where l.order_id = ${orderId} order by l.position`);
    return rows.map((row) => row.mailed);
  };
  const listKeysMails = async (orderId: string) =>
    (await sale.listOrderMails(orderId)).filter((mail) => mail.startsWith("keys ")).sort();
  const listMailedCodes = async () =>
    (await listMailTexts("keys")).map((text) => [...new Set(text.match(/TEST-[\w-]+/g))]);

  it("contains the others; the rest is mailed after the request is refused", async () => {
    const { orderId, requestId } = await requestFirstOfTwo();
    const [sentCodes, ...more] = await listMailedCodes();
    expect([sentCodes!.length, more.length]).toEqual([1, 0]);
    expect(await listMailed(orderId)).toEqual([false, true]);
    expect(await sale.getOrderStatus(orderId)).toBe("shipped");
    expect(await resendKeys(buyer.viewer, { order_id: orderId })).toMatchObject({ sent: 1 });
    await decideRefundRequest(requestId, { decision: "refused", by: "staff:mara" });
    await sale.runQueue();
    const codes = new Set((await listMailedCodes()).flat());
    expect(codes.size).toBe(2);
    expect(await listMailed(orderId)).toEqual([true, true]);
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
    expect(await listKeysMails(orderId)).toEqual(["keys sent", "keys sent", "keys sent"]);
  });

  it("goes to the buyer's new address once the request is refused", async () => {
    const cart = [
      await createCartLine(buyer.id, await createTestPlan()),
      await createCartLine(buyer.id, await createTestPlan({ keys: 0, availability: "pre_order" })),
    ];
    const { order_id } = await placeOrder(buyer.viewer, { cart_record_ids: cart }, "en");
    await sale.pay(buyer, order_id);
    await sale.waitForEvents();
    await sale.runQueue({ mails: false });
    await db.execute(
      sql`update mails set attempts = 1 where event = 'keys' and refs->>'orderId' = ${order_id}`,
    );
    expect((await requestLineRefund(order_id)).state).toBe("asked");
    await sale.runQueue();
    const send_email = uniqueEmail();
    await db.execute(sql`insert into verified_emails (user_id, email) values (${buyer.id}, ${send_email})`);
    await changeDeliveryEmail(buyer.viewer, { order_id, send_email }, "en");
    const [request] = await listRequests(order_id);
    await decideRefundRequest(request!.id, { decision: "refused", by: "staff:mara" });
    await sale.runQueue();
    const sent = await db.execute<{ to: string }>(sql`
      select to_address as "to" from mails where event = 'keys' and state = 'sent' and refs->>'orderId' = ${order_id}`);
    expect([...sent]).toEqual([{ to: send_email }]);
  });

  it("contains the others; the rest is never mailed after the request is approved", async () => {
    const { orderId, requestId } = await requestFirstOfTwo();
    await decideRefundRequest(requestId, { decision: "approved", by: "staff:mara" });
    await sale.runQueue();
    expect(await listMailed(orderId)).toEqual([false, true]);
    expect((await listMailedCodes()).flat()).toHaveLength(1);
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
    expect(await getProviderCash(orderId)).toBe(1000);
    expect(await listKeysMails(orderId)).toEqual(["keys dropped", "keys sent"]);
  });

  it("waits when it locks all, and is sent after the request is refused", async () => {
    const orderId = await sellWithoutMails(await createTestPlan(), 2);
    await db.execute(
      sql`update mails set attempts = 1 where event = 'keys' and refs->>'orderId' = ${orderId}`,
    );
    await requestLineRefund(orderId);
    await sale.runQueue();
    expect(await sale.listOrderMails(orderId)).toContain("keys dropped");
    const [request] = await listRequests(orderId);
    await decideRefundRequest(request!.id, { decision: "refused", by: "staff:mara" });
    await sale.runQueue();
    expect(await sale.listOrderMails(orderId)).toContain("keys sent");
    expect(await listMailed(orderId)).toEqual([true, true]);
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
  });

  it("is sent when the request is refused while the email is being dropped", async () => {
    const orderId = await sellWithoutMails(await createTestPlan());
    await db.execute(
      sql`update mails set attempts = 1 where event = 'keys' and refs->>'orderId' = ${orderId}`,
    );
    await requestLineRefund(orderId);
    const [request] = await listRequests(orderId);
    let dropping: Promise<unknown> = Promise.resolve();
    await transaction(async (tx) => {
      await tx.execute(
        sql`select 1 from mails where event = 'keys' and refs->>'orderId' = ${orderId} for update`,
      );
      dropping = sale.runQueue();
      await untilStatementWaits(); // the job, to drop the email
      await decideRefundRequest(request!.id, { decision: "refused", by: "staff:mara" });
    });
    await dropping;
    await sale.runQueue();
    expect(await sale.listOrderMails(orderId)).toContain("keys sent");
  });
});

describe("a rejected refund request", () => {
  it.each([
    ["en", "Not refundable: passes under 30 days"],
    ["zh", "不足 30 天的会员卡不支持退款"],
    ["ja", "30日未満のパスは返金できません"],
  ] as const)("gives the reason in %s", async (locale, reason) => {
    const orderId = await sale.sell(buyer, await createTestPlan({ type: "week" }));
    await db.execute(sql`update orders set country = 'JP' where id = ${orderId}`);
    expect(await refusal(requestLineRefund(orderId, locale))).toBe(`refund_not_allowed: ${reason}`);
    expect((await getFirstLine(orderId)).can_refund).toBe(false);
    expect(await listRequests(orderId)).toEqual([]);
  });

  it("says that the code was seen, or names the withdrawal form, where the law gives a right", async () => {
    const planId = await createTestPlan({ type: "week" });
    const emailed = await sale.sell(buyer, planId);
    expect(await refusal(requestLineRefund(emailed))).toBe(
      "refund_not_allowed: No refund: the code has been shown or emailed",
    );
    const unseen = await sale.sellWithChoice(buyer, planId, { immediate_delivery: false });
    expect(await refusal(requestLineRefund(unseen))).toMatch(
      /^refund_not_allowed: \$10\.00 back until .+ emailed\. Please use “Withdraw from a contract” for it$/,
    );
  });

  it("is returned for unpaid, overdue and other users' orders, and for unknown lines", async () => {
    const planId = await createTestPlan({ keys: 5 });
    const unpaid = await sale.orderPlan(buyer, planId);
    expect(await refusal(requestLineRefund(unpaid))).toBe("refund_not_allowed: Not paid yet");
    const orderId = await sale.sell(buyer, planId);
    expect(await refusal(requestLineRefund(orderId, "en", await sale.createBuyer()))).toBe("order_unknown");
    const unknownLine = { order_id: orderId, order_product_id: "line_none" };
    expect(await refusal(requestRefund(buyer.viewer, unknownLine, "en"))).toBe("order_unknown");
    await sale.setClockAhead("15 days 1 minute");
    expect(await refusal(requestLineRefund(orderId))).toMatch(/^refund_not_allowed: Refunds ended on /);
    await sale.setClockAhead("14 days 23 hours");
    expect((await requestLineRefund(orderId)).state).toBe("asked");
  });
});

describe("refund eligibility", () => {
  it("follows the refund rule at purchase, not the current plan", async () => {
    const planId = await createTestPlan();
    const orderId = await sale.sell(buyer, planId);
    await db.execute(sql`update order_lines set duration_days = 1 where order_id = ${orderId}`);
    expect((await requestLineRefund(orderId)).state).toBe("asked");
  });

  it("never refunds more than was captured", async () => {
    const orderId = await sellWithoutMails(await createTestPlan());
    await transaction(async (tx) => {
      const order = await lockOrder(tx, orderId);
      await openRefund(tx, order!, { lineId: null, amountCents: 400, reason: "not_delivered" });
    });
    expect((await requestLineRefund(orderId)).refund_amount).toBe(6);
    await sale.runQueue();
    expect(await getProviderCash(orderId)).toBe(0);
  });
});
