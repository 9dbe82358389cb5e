import { sql } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import { db, transaction } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { createStaff, endAllMemberships } from "@/db/factories/staff";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { cancelOrderByStaff } from "@/lib/orders/cancellation/cancel-order";
import { ConsoleRefundsInput } from "@/lib/orders/console/contract-refunds";
import {
  approveRefund,
  approveRefunds,
  refuseRefund,
  settleRefund,
} from "@/lib/orders/console/decide-refunds";
import { findOrderForStaff } from "@/lib/orders/console/find-order-for-staff";
import { getConsoleOrder } from "@/lib/orders/console/get-console-order";
import { giveGoodwill as giveGoodwillAlone } from "@/lib/orders/console/give-goodwill";
import { listConsoleRefunds } from "@/lib/orders/console/list-console-refunds";
import { resendOrders } from "@/lib/orders/console/resend-orders";
import { getOrder } from "@/lib/orders/find-order";
import { resendKeysByStaff } from "@/lib/orders/fulfilment/resend-keys";
import { requestRefundByStaff } from "@/lib/orders/refunds/request-refund";
import { sendRefund } from "@/lib/orders/refunds/send-refund";
import type { OrderEvent } from "@/lib/orders/rules";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { transition } from "@/lib/orders/status/transition";
import type { StaffRole } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import type { SeenVersion } from "@/lib/platform/console/version";
import { isShopError } from "@/lib/platform/errors";
import { ProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import { getProviderCash } from "../setup/ledger";
import { clearQueue } from "../setup/queue";
import { askRefund, failRefundForGood, findFirstLine } from "../setup/refunds";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";
import { disputeSandboxPayment } from "../setup/sandbox-bank";
import { asCall } from "../setup/second-person";
import { decideSeen, seenLine, seenOrder, seenRefund, seenRefunds } from "../setup/seen";

registerSaleHooks({ runJobs: true });

const staffOf = async (...roles: StaffRole[]) => (await createStaff({ roles })).viewer;
const createPlan = async (keys = 1, priceCents = 20_000) =>
  (await createSinglePlan({ type: "month", keys, priceCents })).id;
/** The name of the error of a call, or "done". */
const outcome = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: unknown) => (isShopError(error) ? error.error : String(error)),
  );
const approve = async (viewer: StaffViewer, id: string, overrule = false) =>
  approveRefund(viewer, id, { overrule, ...(await seenRefund(id)) });
const refuse = async (viewer: StaffViewer, id: string, reason: string) =>
  refuseRefund(viewer, id, { reason, ...(await seenRefund(id)) });
const settle = async (viewer: StaffViewer, id: string, note: string) =>
  settleRefund(viewer, id, { note, ...(await seenRefund(id)) });
const list = async (state: string, input: object = {}) =>
  (await listConsoleRefunds(ConsoleRefundsInput.parse({ state, ...input }), "en")).items;
const giveGoodwill = asCall(giveGoodwillAlone);
const refundsAtProvider = async (orderId: string) =>
  db.execute<{ cents: number }>(sql`
    select r.amount_cents as cents from sandbox_refunds r join sandbox_intents i on i.id = r.intent_id
    where i.metadata->>'order_id' = ${orderId} and r.status <> 'failed'`);
const auditOf = async (orderId: string, action: string) =>
  db.execute<{ actor: string; detail: Record<string, unknown> }>(sql`
    select actor, detail from audit_entries where subject = ${orderId} and action = ${action}`);
const goodwill = async (orderId: string, amount: number, refunded = 0) => ({
  order_product_id: await findFirstLine(orderId),
  amount,
  refunded_amount: refunded,
  reason: "the vendor answered late",
  ...(await seenLine(orderId)),
});

it("two staff members who approve a refund at the same time cause one refund at the provider", async () => {
  const people = await Promise.all([
    staffOf("support"),
    staffOf("finance"),
    staffOf("admin"),
    staffOf("support"),
  ]);
  const { orderId, requestId } = await askRefund(await sale.createBuyer(), await createPlan());
  const outcomes = await Promise.all(people.map((viewer) => outcome(approve(viewer, requestId))));
  expect(outcomes.toSorted()).toEqual(["done", "refund_decided", "refund_decided", "refund_decided"]);
  const [refund] = await db.execute<{ id: string }>(sql`select id from refunds where order_id = ${orderId}`);
  await Promise.all([1, 2, 3].map(() => sendRefund(refund!.id)));
  await sale.runQueue();
  expect(await refundsAtProvider(orderId)).toEqual([{ cents: 20_000 }]);
  expect(await getProviderCash(orderId)).toBe(0);
  const entries = await auditOf(orderId, "refund_request_decided");
  expect(people.map(({ userId }) => userId)).toContain(entries[0]!.actor);
  expect(entries).toHaveLength(1);
});

it("approving and refusing at the same time has one outcome", async () => {
  const [first, second] = [await staffOf("support"), await staffOf("finance")];
  const { orderId, requestId } = await askRefund(await sale.createBuyer(), await createPlan());
  const outcomes = await Promise.all([
    outcome(approve(first, requestId)),
    outcome(refuse(second, requestId, "it was used")),
  ]);
  expect(outcomes.toSorted()).toEqual(["done", "refund_decided"]);
  await sale.runQueue();
  expect(await refundsAtProvider(orderId)).toHaveLength(outcomes[0] === "done" ? 1 : 0);
});

it("staff who request a buyer's refund do not decide it, nor does a buyer who is staff, even in SQL", async () => {
  const asking = await staffOf("support");
  const buyer = await createStaff({ roles: ["support"] });
  const orderId = await sale.sell(buyer, await createPlan());
  await sale.runQueue();
  const input = {
    order_id: orderId,
    order_product_id: await findFirstLine(orderId),
    ...(await seenLine(orderId)),
  };
  const asked = await requestRefundByStaff(asking, input, "en");
  expect(asked).toMatchObject({ state: "asked", refund_amount: 200 });
  const [request] = await list("open", { email: buyer.email });
  expect(request).toMatchObject({
    email: buyer.email,
    asked_by: expect.any(String),
    codes: 1,
    codes_seen: 1,
  });
  const id = request!.refund_id;
  for (const own of [asking, buyer.viewer]) {
    expect(await outcome(approve(own, id))).toBe("own_refund");
    expect(await outcome(refuse(own, id, "it was used"))).toBe("own_refund");
    await expect(
      db.execute(
        sql`update refund_requests set state = 'approved', decided_by = ${own.userId}, decided_at = shop_now() where id = ${id}`,
      ),
    ).rejects.toMatchObject({ cause: { constraint_name: "refund_requests_two_people" } });
  }
  expect(await auditOf(orderId, "refund.requested")).toMatchObject([{ actor: asking.userId }]);
  expect(await outcome(approve(await staffOf("support"), id))).toBe("done");
});

it("a refused refund tells the buyer why, leaves the list, and can be overruled once", async () => {
  const viewer = await staffOf("support");
  const buyer = await sale.createBuyer();
  const { orderId, requestId } = await askRefund(buyer, await createPlan());
  await refuse(viewer, requestId, "The vendor saw it used on 3 November.");
  await sale.runQueue();
  const [mail] = (await findMailboxMails(buyer.email))!.filter(({ event }) => event === "refund-refused");
  expect(mail!.text).toContain("The vendor saw it used on 3 November.");
  expect(await list("open", { email: buyer.email })).toEqual([]);
  expect(await list("refused", { email: buyer.email })).toMatchObject([
    { refund_id: requestId, answer_by: null },
  ]);
  expect(await outcome(approve(viewer, requestId))).toBe("refund_decided");
  expect(await outcome(approve(viewer, requestId, true))).toBe("done");
  await sale.runQueue();
  expect(await outcome(approve(viewer, requestId, true))).toBe("refund_decided");
  expect(await refundsAtProvider(orderId)).toHaveLength(1);
  expect(await list("refused", { email: buyer.email })).toEqual([]);
});

it("several refunds are approved together, and one that was decided meanwhile does not stop the others", async () => {
  const viewer = await staffOf("support");
  const planId = await createPlan(3);
  const requests = [];
  for (let n = 0; n < 3; n += 1) requests.push(await askRefund(await sale.createBuyer(), planId));
  const ids = requests.map(({ requestId }) => requestId);
  await refuse(viewer, ids[1]!, "it was used");
  expect(await approveRefunds(viewer, await seenRefunds([...ids, ids[0]!, "rrq_unknown"]))).toEqual({
    approved: 2,
    failed: [ids[1], "rrq_unknown"],
  });
});

it("a refund is decided only as it was shown, not once its money or codes have changed", async () => {
  const [support, finance] = [await staffOf("support"), await staffOf("finance")];
  const buyer = await sale.createBuyer();
  const planId = await createPlan(2);
  const { orderId, requestId } = await askRefund(buyer, planId);
  const { requestId: other } = await askRefund(await sale.createBuyer(), planId);
  const many = await seenRefunds([requestId, other]);
  const version = many.versions[requestId];
  await giveGoodwill(finance, orderId, await goodwill(orderId, 20), "en");
  for (const seen of [{ version }, {}]) {
    expect(await outcome(approveRefund(support, requestId, { overrule: false, ...seen }))).toBe(
      "revision_conflict",
    );
    expect(await outcome(refuseRefund(support, requestId, { reason: "it was used", ...seen }))).toBe(
      "revision_conflict",
    );
  }
  expect(await approveRefunds(support, many)).toEqual({ approved: 1, failed: [requestId] });
  expect(await list("open", { email: buyer.email })).toMatchObject([{ refund_id: requestId, amount: 180 }]);
  expect(await auditOf(orderId, "refund_request_decided")).toEqual([]);
  await sale.runQueue();
  expect(await refundsAtProvider(orderId)).toEqual([{ cents: 2_000 }]);

  const seen = await seenRefund(requestId);
  await refuse(support, requestId, "it was used");
  expect(await outcome(approveRefund(support, requestId, { overrule: true, ...seen }))).toBe(
    "revision_conflict",
  );
  expect(await outcome(approve(support, requestId, true))).toBe("done");
  const refundId = await failRefundForGood(orderId);
  for (const old of [seen, {}])
    expect(await outcome(settleRefund(finance, refundId, { note: "bank transfer", ...old }))).toBe(
      "revision_conflict",
    );
  expect(await auditOf(orderId, "refund.settled")).toEqual([]);
  expect(await outcome(settle(finance, refundId, "bank transfer"))).toBe("done");
});

it("staff request a refund or give a gesture only as the pass was shown", async () => {
  const finance = await staffOf("finance");
  const buyer = await sale.createBuyer();
  const orderId = await sale.sell(buyer, await createPlan());
  await sale.runQueue();
  const input = await goodwill(orderId, 10);
  const refund = { order_id: orderId, order_product_id: input.order_product_id, version: input.version };
  const again = { order_id: orderId, order_product_id: input.order_product_id };
  await db.execute(sql`update orders set country = 'DE' where id = ${orderId}`);
  for (const { version } of [input, {}] as SeenVersion[]) {
    expect(await outcome(requestRefundByStaff(finance, { ...refund, version }, "en"))).toBe(
      "revision_conflict",
    );
    expect(await outcome(giveGoodwill(finance, orderId, { ...input, version }, "en"))).toBe(
      "revision_conflict",
    );
  }
  expect(await list("open", { email: buyer.email })).toEqual([]);
  expect(await auditOf(orderId, "refund.goodwill")).toEqual([]);
  expect(await outcome(giveGoodwill(finance, orderId, await goodwill(orderId, 10), "en"))).toBe("done");
  const seen = await seenLine(orderId);
  expect(await outcome(requestRefundByStaff(finance, { ...again, ...seen }, "en"))).toBe("done");
});

it("the refund list shows the least time left first, page by page, and late requests in their own part", async () => {
  const planId = await createPlan(3);
  const requests = [];
  for (let n = 0; n < 3; n += 1) requests.push(await askRefund(await sale.createBuyer(), planId));
  const [late, soon, later] = requests.map(({ requestId }) => requestId);
  await db.execute(
    sql`update refund_requests set answer_by = shop_now() - interval '1 hour' where id = ${late!}`,
  );
  await db.execute(
    sql`update refund_requests set answer_by = shop_now() + interval '1 hour' where id = ${soon!}`,
  );
  const mine = async (state: string) =>
    (await list(state)).map(({ refund_id }) => refund_id).filter((id) => [late, soon, later].includes(id));
  expect(await mine("open")).toEqual([soon, later]);
  expect(await mine("late")).toEqual([late]);
  const size = { rows: 1, walked: null, counted: true };
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listConsoleRefunds(ConsoleRefundsInput.parse({ state: "open", cursor }), "en", size);
    seen.push(...page.items.map(({ refund_id }) => refund_id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  expect(seen).toEqual((await list("open")).map(({ refund_id }) => refund_id));
  await approveRefunds(await staffOf("admin"), await seenRefunds([late!, soon!, later!]));
});

it("a failed refund that is settled counts as returned, leaves the list, and is booked outside the provider", async () => {
  const viewer = await staffOf("finance");
  const buyer = await sale.createBuyer();
  const { orderId, requestId } = await askRefund(buyer, await createPlan());
  await approve(viewer, requestId);
  const refundId = await failRefundForGood(orderId);
  const [failed] = await list("failed", { email: buyer.email });
  expect(failed).toMatchObject({ refund_id: refundId, amount: 200, failure: "expired_or_canceled_card" });
  const outcomes = await Promise.all(
    [1, 2].map(() => outcome(settle(viewer, refundId, "bank transfer of 3 November"))),
  );
  expect(outcomes.toSorted()).toEqual(["done", "refund_decided"]);
  expect(await list("failed", { email: buyer.email })).toEqual([]);
  expect(await getProviderCash(orderId)).toBe(20_000);
  const entries = await db.execute<{ account: string; cents: number }>(sql`
    select account, sum(amount_cents)::int as cents from ledger_entries where order_id = ${orderId} group by account order by account`);
  expect([...entries]).toEqual([
    { account: "merchant_payable", cents: 0 },
    { account: "merchant_share", cents: 0 },
    { account: "other_cash", cents: -20_000 },
    { account: "provider_cash", cents: 20_000 },
    { account: "refunds", cents: 20_000 },
    { account: "sales", cents: -20_000 },
  ]);
  expect((await getOrder(buyer.viewer, orderId, "en")).refunds).toMatchObject([
    { amount: 200, step: "done" },
  ]);
  await sendRefund(refundId);
  expect(await refundsAtProvider(orderId)).toEqual([]);
  expect(await outcome(giveGoodwill(viewer, orderId, await goodwill(orderId, 1, 200), "en"))).toBe(
    "refund_not_allowed",
  );
  const detail = { refundId, amountCents: 20_000, note: "bank transfer of 3 November" };
  expect(await auditOf(orderId, "refund.settled")).toMatchObject([{ actor: viewer.userId, detail }]);
  expect(await outcome(settle(viewer, "rfd_unknown", "paid"))).toBe("refund_unknown");
});

it("support gives at most $25 per order in all gestures together, and finance more", async () => {
  const [support, finance] = [await staffOf("support"), await staffOf("finance")];
  const buyer = await sale.createBuyer();
  const planId = await createPlan();
  const orderId = await sale.sell(buyer, planId);
  await sale.runQueue();
  const give = async (viewer: typeof support, amount: number, refunded = 0) =>
    outcome(giveGoodwill(viewer, orderId, await goodwill(orderId, amount, refunded), "en"));
  expect(await give(support, 26)).toBe("amount_above_limit");
  expect(await give(support, 20)).toBe("done");
  expect(await give(support, 5.01, 20)).toBe("amount_above_limit");
  const refused = giveGoodwill(support, orderId, await goodwill(orderId, 5.01, 20), "en");
  await expect(refused).rejects.toMatchObject({ params: { limit: "$25.00", left: "$5.00" } });
  expect((await getConsoleOrder(orderId, "en")).goodwill_given).toBe(20);
  expect(await give(support, 5)).toBe("line_changed");
  expect(await give(support, 5, 20)).toBe("done");
  expect(await give(finance, 70, 25)).toBe("done");
  await sale.runQueue();
  expect(await sale.countKeysByState(planId)).toEqual({ assigned: 1 });
  expect(await sale.getOrderStatus(orderId)).toBe("completed");
  expect(await getProviderCash(orderId)).toBe(10_500);
  expect((await refundsAtProvider(orderId)).map(({ cents }) => cents).toSorted((a, b) => a - b)).toEqual([
    500, 2_000, 7_000,
  ]);
  expect(await auditOf(orderId, "refund.goodwill")).toHaveLength(3);
  const line = (await findOrderForStaff(orderId, "en"))!.order_products[0]!;
  expect(line).toMatchObject({ refunded_amount: 95, state: "assigned", refund: { amount: 105 } });
});

it("a gesture is booked as the shop's loss, and the queue shows what is left of the pass to refund", async () => {
  const finance = await staffOf("finance");
  const { orderId, requestId } = await askRefund(await sale.createBuyer(), await createPlan(1, 15_900));
  const findSale = async () => {
    const [row] = await db.execute<{ state: string; refunded_cents: number; kept: number; net: number }>(sql`
      select state, refunded_cents, net_cents - net_back_cents as kept, net_cents as net from merchant_sales where order_id = ${orderId}`);
    return row!;
  };
  const before = await findSale();
  expect(await outcome(giveGoodwill(finance, orderId, await goodwill(orderId, 20), "en"))).toBe("done");
  expect(await outcome(giveGoodwill(finance, orderId, await goodwill(orderId, 80, 20), "en"))).toBe("done");
  expect(await findSale()).toEqual(before);
  const [request] = await list("open", { number: (await findOrderForStaff(orderId, "en"))!.order_number! });
  expect(request).toMatchObject({ refund_id: requestId, amount: 59 });
  expect((await auditOf(orderId, "refund.goodwill"))[0]!.detail).toMatchObject({ fundedBy: "shop" });
  await approve(finance, requestId);
  await sale.runQueue();
  expect(await getProviderCash(orderId)).toBe(0);
  const { kept, net, ...after } = await findSale();
  expect(after).toEqual({ state: "reduced", refunded_cents: 5_900 });
  expect(net - kept).toBe(Math.round((net * 59) / 159));
});

it("a gesture that two people give at the same time is given once", async () => {
  const people = [await staffOf("support"), await staffOf("admin")];
  const orderId = await sale.sell(await sale.createBuyer(), await createPlan());
  const input = await goodwill(orderId, 10);
  const outcomes = await Promise.all(
    people.map((viewer) => outcome(giveGoodwill(viewer, orderId, input, "en"))),
  );
  expect(outcomes.toSorted()).toEqual(["done", "line_changed"]);
  await sale.runQueue();
  expect(await refundsAtProvider(orderId)).toEqual([{ cents: 1_000 }]);
});

it("a gesture above $100 needs a second person whose role may give it, and is checked again when approved", async () => {
  await endAllMemberships();
  const [support, finance, admin] = [
    await staffOf("support"),
    await staffOf("finance"),
    await staffOf("admin"),
  ];
  const orderId = await sale.sell(await sale.createBuyer(), await createPlan());
  await sale.runQueue();
  const ask = async (amount: number, refunded = 0) =>
    giveGoodwill(finance, orderId, await goodwill(orderId, amount, refunded), "en").catch(
      (error: unknown) => {
        if (!isShopError(error, "approval_required")) throw error;
        return error.issues![0]!.message;
      },
    ) as Promise<string>;
  const id = await ask(120);
  expect(await refundsAtProvider(orderId)).toEqual([]);
  const decide = (viewer: typeof finance, approval: string) =>
    outcome(decideSeen(viewer, { id: approval, decision: "approve" }));
  expect(await decide(finance, id)).toBe("own_approval");
  expect(await decide(support, id)).toBe("approval_unknown");
  const decisions = await Promise.all([decide(admin, id), decide(admin, id)]);
  expect(decisions.toSorted()).toEqual(["approval_decided", "done"]);
  await sale.runQueue();
  expect(await refundsAtProvider(orderId)).toEqual([{ cents: 12_000 }]);
  const second = await ask(10, 120);
  await db.execute(
    sql`update order_lines set refunded_cents = refunded_cents + 1 where order_id = ${orderId}`,
  );
  expect(await decide(admin, second)).toBe("line_changed");
  await db.execute(
    sql`update order_lines set refunded_cents = refunded_cents - 1 where order_id = ${orderId}`,
  );
  await expect(
    db.execute(
      sql`update approvals set state = 'approved', decided_by = asked_by, decided_at = shop_now() where id = ${second}`,
    ),
  ).rejects.toThrow();
  expect(await decide(admin, second)).toBe("done");
});

it("gestures above $100 by one person in a day need a second person, whatever the order, even concurrently", async () => {
  await endAllMemberships();
  const [finance, admin] = [await staffOf("finance"), await staffOf("admin")];
  const planId = await createPlan(4);
  const orders = [];
  for (let count = 0; count < 4; count++) orders.push(await sale.sell(await sale.createBuyer(), planId));
  const [first, second, third, fourth] = orders as [string, string, string, string];
  const give = async (orderId: string, amount: number) =>
    giveGoodwill(finance, orderId, await goodwill(orderId, amount), "en");
  const outcomes = await Promise.all([outcome(give(first, 60)), outcome(give(second, 60))]);
  expect(outcomes.toSorted()).toEqual(["approval_required", "done"]);
  const error: unknown = await give(third, 40.01).catch((thrown: unknown) => thrown);
  if (!isShopError(error, "approval_required")) throw error;
  const decision = { id: error.issues![0]!.message, decision: "approve" as const };
  expect(await outcome(decideSeen(admin, decision))).toBe("done");
  // Neither the person who asked nor the one who agreed has used more of their own sum.
  expect(await outcome(give(fourth, 40))).toBe("done");
  const refunded = await db.execute<{ cents: number }>(sql`
    select sum(amount_cents)::int as cents from refunds where order_id in ${orders}`);
  expect(refunded).toEqual([{ cents: 6_000 + 4_001 + 4_000 }]);
  await sale.runQueue();
  await sale.setClockAhead("1 day");
  const undecided = outcomes[0] === "done" ? second : first;
  expect(await outcome(give(undecided, 60))).toBe("done");
});

it("a gesture is at most what is left of a paid order, and never during a dispute or for one's own order", async () => {
  const admin = await staffOf("admin");
  const own = await createStaff({ roles: ["admin"] });
  const planId = await createPlan(3, 5_000);
  const give = async (orderId: string, amount: number, viewer = admin) =>
    outcome(giveGoodwill(viewer, orderId, await goodwill(orderId, amount), "en"));
  const ownOrder = await sale.sell(own, planId);
  expect(await give(ownOrder, 1, own.viewer)).toBe("own_refund");
  expect(await give(ownOrder, 50.01)).toBe("amount_above_left");
  const unpaid = await sale.orderPlan(await sale.createBuyer(), planId);
  expect(await give(unpaid, 1)).toBe("refund_not_allowed");
  expect(await outcome(giveGoodwill(admin, "ord_unknown", await goodwill(ownOrder, 1), "en"))).toBe(
    "order_unknown",
  );
  const disputed = await sale.sell(await sale.createBuyer(), planId);
  const [payment] = await db.execute<{ intent: string }>(
    sql`select transaction_id as intent from orders where id = ${disputed}`,
  );
  await disputeSandboxPayment(payment!.intent, "needs_response");
  await sale.processEvents();
  expect(await give(disputed, 1)).toBe("payment_disputed");
  await cancelOrderByStaff(admin, unpaid, await seenOrder(unpaid));
  await clearQueue();
});

it("staff cancel unpaid orders only, with an audit entry", async () => {
  const viewer = await staffOf("support");
  const planId = await createPlan(2);
  const buyer = await sale.createBuyer();
  const orderId = await sale.orderPlan(buyer, planId);
  await sale.openPayment(buyer, orderId);
  const seen = await seenOrder(orderId);
  for (const old of [{ version: "0123456789abcdef" }, {}])
    expect(await outcome(cancelOrderByStaff(viewer, orderId, old))).toBe("revision_conflict");
  expect(await sale.getOrderStatus(orderId)).toBe("pending");
  const outcomes = await Promise.all([1, 2].map(() => outcome(cancelOrderByStaff(viewer, orderId, seen))));
  expect(outcomes).toContain("done");
  expect(await sale.getOrderStatus(orderId)).toBe("cancelled");
  expect(await auditOf(orderId, "order.cancelled")).toMatchObject([{ actor: viewer.userId }]);
  expect(await outcome(cancelOrderByStaff(viewer, orderId, seen))).toBe("order_not_cancellable");
  const sold = await sale.sell(await sale.createBuyer(), planId);
  expect(await outcome(cancelOrderByStaff(viewer, sold, seen))).toBe("order_not_cancellable");
});

const changeOrder = (orderId: string, event: OrderEvent) =>
  transaction(async (tx) => void (await transition(tx, (await lockOrder(tx, orderId))!, event)));

it.each([
  ["closes it", undefined],
  [
    "refuses, because it may still succeed",
    new ProviderError("refused", "cancel_intent", "it is being decided"),
  ],
])(
  "an order whose payment begins between the check and the cancellation is not cancelled by staff: the provider %s",
  async (_, refusal) => {
    const viewer = await staffOf("support");
    const planId = await createPlan(1);
    const buyer = await sale.createBuyer();
    const orderId = await sale.orderPlan(buyer, planId);
    await sale.openPayment(buyer, orderId);
    const seen = await seenOrder(orderId);
    const cancels = vi.spyOn(paymentProvider(), "cancelIntent").mockImplementationOnce(async (id) => {
      await changeOrder(orderId, "payment_started");
      if (refusal) throw refusal;
      return paymentProvider().cancelIntent(id);
    });
    expect(await outcome(cancelOrderByStaff(viewer, orderId, seen))).toBe("revision_conflict");
    expect(cancels).toHaveBeenCalled();
    cancels.mockRestore();
    const [order] = await db.execute(
      sql`select status, cancel_requested_at as wished, released_at as released from orders where id = ${orderId}`,
    );
    expect(order).toEqual({ status: "processingPayment", wished: null, released: null });
    expect(await auditOf(orderId, "order.cancelled")).toEqual([]);
    await cancelOrderByStaff(viewer, orderId, await seenOrder(orderId));
    expect(await sale.getOrderStatus(orderId)).toBe("cancelled");
  },
);

it("an order becomes pending when the payment is closed for its cancellation by staff, and is cancelled", async () => {
  const viewer = await staffOf("support");
  const buyer = await sale.createBuyer();
  const orderId = await sale.orderPlan(buyer, await createPlan(1));
  await sale.openPayment(buyer, orderId);
  await changeOrder(orderId, "payment_started");
  const seen = await seenOrder(orderId);
  const cancels = vi.spyOn(paymentProvider(), "cancelIntent").mockImplementationOnce(async (id) => {
    const intent = await paymentProvider().cancelIntent(id);
    await changeOrder(orderId, "payment_failed");
    return intent;
  });
  await cancelOrderByStaff(viewer, orderId, seen);
  cancels.mockRestore();
  expect(await sale.getOrderStatus(orderId)).toBe("cancelled");
});

it("staff mail codes again that their buyer has seen, and only those", async () => {
  const viewer = await staffOf("support");
  const planId = await createPlan(2);
  const seen = await sale.sell(await sale.createBuyer(), planId);
  const unseen = await sale.sellWithoutMails(await sale.createBuyer(), planId);
  await db.execute(
    sql`update mails set state = 'dropped' where event = 'keys' and refs->>'orderId' = ${unseen}`,
  );
  await clearQueue();
  expect(await outcome(resendKeysByStaff(viewer, unseen))).toBe("code_unrevealed");
  expect(await resendOrders(viewer, [unseen, seen, "ord_unknown"])).toEqual({
    resent: 1,
    failed: [unseen, "ord_unknown"],
  });
  expect(await auditOf(seen, "order.resent")).toMatchObject([{ actor: viewer.userId }]);
  await resendKeysByStaff(viewer, seen);
  await resendKeysByStaff(viewer, seen);
  expect(await outcome(resendKeysByStaff(viewer, seen))).toBe("too_many_requests");
});
