import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { POST as approveApproval } from "@/app/api/v1/admin/approvals/[id]/approve/route";
import { POST as cancel } from "@/app/api/v1/admin/orders/[id]/cancel/route";
import { POST as goodwill } from "@/app/api/v1/admin/orders/[id]/goodwill/route";
import { POST as requestRefund } from "@/app/api/v1/admin/orders/[id]/refund/route";
import { POST as resend } from "@/app/api/v1/admin/orders/[id]/resend/route";
import { POST as resendMany } from "@/app/api/v1/admin/orders/resend/route";
import { POST as approve } from "@/app/api/v1/admin/refunds/[id]/approve/route";
import { POST as refuse } from "@/app/api/v1/admin/refunds/[id]/refuse/route";
import { POST as settle } from "@/app/api/v1/admin/refunds/[id]/settle/route";
import { POST as approveMany } from "@/app/api/v1/admin/refunds/approve/route";
import { GET as listRefunds } from "@/app/api/v1/admin/refunds/route";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { getConsoleOrder } from "@/lib/orders/console/get-console-order";
import { placeOrder } from "@/lib/orders/placing/place-order";
import type { Handler } from "@/lib/platform/api/declaration";
import type { StaffRole } from "@/lib/platform/auth/permissions";
import { grantRolesByOperator } from "@/lib/staff/members/change-members-by-operator";
import { askRefund, failRefundForGood, findFirstLine } from "@/tests/setup/refunds";
import * as sale from "@/tests/setup/sale";
import { registerSaleHooks } from "@/tests/setup/sale-hooks";
import { disputeSandboxPayment } from "@/tests/setup/sandbox-bank";
import { decideSeen, seenApproval, seenLine, seenOrder, seenRefund, seenRefunds } from "@/tests/setup/seen";
import { failSandbox } from "@/tests/setup/stripe-faults";
import { authHeaders, call } from "./call";

registerSaleHooks({ runJobs: true });

let support: StaffUser;
let finance: StaffUser;
let planId: number;
beforeAll(async () => {
  support = await createStaff({ roles: ["support"] });
  finance = await createStaff({ roles: ["finance"] });
  planId = (await createSinglePlan({ type: "month", priceCents: 20_000, keys: 40 })).id;
});

const post = async (handler: Handler, path: string, id: string, body: object, user = support) =>
  (await call(handler, path, { ...(id && { params: { id } }), body, headers: authHeaders(user) })).body;
/** A decision as the console sends it. */
const decide = async (handler: Handler, path: string, id: string, body: object = {}, user = support) =>
  post(handler, path, id, { ...(await seenRefund(id)), ...body }, user);
const codeOfDecision = async (...request: Parameters<typeof decide>) => (await decide(...request)).code;
const codeOf = async (...request: Parameters<typeof post>) => (await post(...request)).code;
const sell = async () => sale.sell(await sale.createBuyer(), planId);
const gift = async (orderId: string, amount: number, refunded = 0) => ({
  order_product_id: await findFirstLine(orderId),
  amount,
  refunded_amount: refunded,
  reason: "the vendor answered late",
  ...(await seenLine(orderId)),
});
async function dispute(orderId: string): Promise<void> {
  const [order] = await db.execute<{ intent: string }>(
    sql`select transaction_id as intent from orders where id = ${orderId}`,
  );
  await disputeSandboxPayment(order!.intent, "needs_response");
  await sale.processEvents();
}

it("a refund is previewed, approved once, and then leaves the list", async () => {
  const buyer = await sale.createBuyer();
  const { requestId } = await askRefund(buyer, planId);
  const listed = async () => {
    const query = `email=${encodeURIComponent(buyer.email)}`;
    const { body } = await call(listRefunds, "/admin/refunds", { query, headers: authHeaders(support) });
    return body.data.items.map(({ refund_id }: { refund_id: string }) => refund_id);
  };
  expect(await listed()).toEqual([requestId]);
  const previewed = await decide(approve, "/admin/refunds/x/approve", requestId, { preview: true });
  expect(previewed.data).toMatchObject({
    result: null,
    effects: [{ kind: "money_returned", amount: 200 }, {}, {}, {}],
  });
  expect(await listed()).toEqual([requestId]);
  const approved = await decide(approve, "/admin/refunds/x/approve", requestId, {});
  expect(approved.data).toEqual({ effects: null, result: { refund_id: requestId, state: "approved" } });
  expect(await listed()).toEqual([]);
  for (const preview of [true, false]) {
    expect(await codeOfDecision(approve, "/admin/refunds/x/approve", requestId, { preview })).toBe("40980");
    expect(
      await codeOfDecision(refuse, "/admin/refunds/x/refuse", requestId, { preview, reason: "used" }),
    ).toBe("40980");
  }
});

it("unknown, own and disputed refunds are not decided", async () => {
  const own = await createStaff({ roles: ["support"] });
  const { orderId, requestId } = await askRefund(own, planId);
  for (const [handler, name, body] of [
    [approve, "approve", {}],
    [refuse, "refuse", { reason: "used" }],
  ] as const) {
    const path = `/admin/refunds/x/${name}`;
    expect(await codeOfDecision(handler, path, "rrq_unknown", body)).toBe("40480");
    expect(await codeOfDecision(handler, path, requestId, body, own)).toBe("40981");
  }
  expect(await codeOfDecision(refuse, "/admin/refunds/x/refuse", requestId, { reason: " " })).toBe("40000");
  await dispute(orderId);
  expect(await codeOfDecision(approve, "/admin/refunds/x/approve", requestId, {})).toBe("40923");
  expect(await codeOfDecision(refuse, "/admin/refunds/x/refuse", requestId, { reason: "used" })).toBe(
    "40923",
  );
});

it("a decision about a refund that has changed since it was listed is refused", async () => {
  const { orderId, requestId } = await askRefund(await sale.createBuyer(), planId);
  const seen = await seenRefund(requestId);
  await db.execute(sql`update refund_requests set stated_country = 'DE' where id = ${requestId}`);
  for (const version of [seen.version, undefined])
    for (const [handler, name, body] of [
      [approve, "approve", {}],
      [refuse, "refuse", { reason: "used" }],
    ] as const)
      expect(await codeOf(handler, `/admin/refunds/x/${name}`, requestId, { ...body, version })).toBe(
        "40940",
      );
  await db.execute(sql`update refund_requests set stated_country = null where id = ${requestId}`);
  expect(await codeOf(approve, "/admin/refunds/x/approve", requestId, seen)).toBe("200");
  const refundId = await failRefundForGood(orderId);
  expect(await codeOf(settle, "/admin/refunds/x/settle", refundId, { ...seen, note: "paid" })).toBe("40940");
});

it("a refusal shows its reason", async () => {
  const { requestId } = await askRefund(await sale.createBuyer(), planId);
  const path = "/admin/refunds/x/refuse";
  const answer = await decide(refuse, path, requestId, { reason: "The code was used." });
  expect(answer).toMatchObject({ code: "200", data: { result: { refund_id: requestId, state: "refused" } } });
});

it("several refunds are approved in one call", async () => {
  const requests = [
    await askRefund(await sale.createBuyer(), planId),
    await askRefund(await sale.createBuyer(), planId),
  ];
  const ids = [...requests.map(({ requestId }) => requestId), "rrq_unknown"];
  const input = await seenRefunds(ids);
  const previewed = await post(approveMany, "/admin/refunds/approve", "", { ...input, preview: true });
  expect(previewed.data.effects).toContainEqual({ kind: "money_returned", amount: 400 });
  const { data } = await post(approveMany, "/admin/refunds/approve", "", input);
  expect(data.result).toEqual({ approved: 2, failed: ["rrq_unknown"] });
  const unseen = await askRefund(await sale.createBuyer(), planId);
  const old = { refund_ids: [unseen.requestId], versions: input.versions };
  const refused = await post(approveMany, "/admin/refunds/approve", "", old);
  expect(refused.data.result).toEqual({ approved: 0, failed: [unseen.requestId] });
});

it("the list of refunds refuses an invalid cursor", async () => {
  const { body } = await call(listRefunds, "/admin/refunds", {
    query: "cursor=nonsense",
    headers: authHeaders(support),
  });
  expect(body.code).toBe("40000");
});

it("only a refund that failed for good is settled, once, by someone else, and not during a dispute", async () => {
  const own = await createStaff({ roles: ["finance"] });
  const { orderId, requestId } = await askRefund(own, planId);
  await decide(approve, "/admin/refunds/x/approve", requestId, {});
  const [pending] = await db.execute<{ id: string }>(sql`select id from refunds where order_id = ${orderId}`);
  const path = "/admin/refunds/x/settle";
  const note = "by bank transfer";
  expect(await codeOfDecision(settle, path, pending!.id, { note })).toBe("40980");
  const refundId = await failRefundForGood(orderId);
  expect(await codeOfDecision(settle, path, "rfd_unknown", { note })).toBe("40480");
  expect(await codeOfDecision(settle, path, refundId, { note }, own)).toBe("40981");
  await db.execute(sql`
    insert into disputes (id, order_id, intent_id, amount_cents, reason, status, is_open)
    select 'du_' || id, id, transaction_id, 0, 'fraudulent', 'needs_response', true from orders where id = ${orderId}`);
  expect(await codeOfDecision(settle, path, refundId, { note })).toBe("40923");
  await db.execute(sql`delete from disputes where order_id = ${orderId}`);
  const { data } = await decide(settle, path, refundId, { note });
  expect(data.result).toEqual({ refund_id: refundId, amount: 200 });
  expect(await codeOfDecision(settle, path, refundId, { note })).toBe("40980");
});

it("staff request a refund within the rules once", async () => {
  const orderId = await sell();
  const path = "/admin/orders/x/refund";
  const order_product_id = await findFirstLine(orderId);
  const input = { order_product_id, ...(await seenLine(orderId)) };
  for (const version of ["0123456789abcdef", undefined])
    expect(await codeOf(requestRefund, path, orderId, { ...input, version })).toBe("40940");
  const previewed = await post(requestRefund, path, orderId, { ...input, preview: true });
  const events = (previewed.data.effects as { event: string }[]).map(({ event }) => event);
  expect(events.sort()).toEqual(["refund-requested", "vendor-confirmation"]); // written at the same time
  const { data } = await post(requestRefund, path, orderId, input);
  expect(data.result).toMatchObject({ state: "asked", refund_amount: 200 });
  expect(await codeOf(requestRefund, path, orderId, { order_product_id })).toBe("40918");
  expect(await codeOf(requestRefund, path, "ord_unknown", { order_product_id })).toBe("40402");
  const week = (await createSinglePlan({ type: "week", keys: 1 })).id;
  const short = await sale.sell(await sale.createBuyer(), week);
  const line = { order_product_id: await findFirstLine(short) };
  expect(await codeOf(requestRefund, path, short, line)).toBe("40917");
});

const goodwillRefusal = (left: string) =>
  `Your role may return at most $25.00 of one order beyond the refund rule, counting what colleagues have returned; ${left} of it is left for this order. For more, ask finance or an administrator.`;

it("a gesture of $26 by support is refused, with the limit and what is left of it", async () => {
  const orderId = await sell();
  const path = "/admin/orders/x/goodwill";
  for (const version of ["0123456789abcdef", undefined])
    expect(await codeOf(goodwill, path, orderId, { ...(await gift(orderId, 5)), version })).toBe("40940");
  for (const preview of [true, false]) {
    const answer = await post(goodwill, path, orderId, { ...(await gift(orderId, 26)), preview });
    expect([answer.code, answer.message]).toEqual(["40380", goodwillRefusal("$25.00")]);
  }
  expect((await post(goodwill, path, orderId, await gift(orderId, 25))).data.result).toMatchObject({
    amount: 25,
  });
  const more = await post(goodwill, path, orderId, await gift(orderId, 1, 25));
  expect([more.code, more.message]).toEqual(["40380", goodwillRefusal("$0.00")]);
  expect(await codeOf(goodwill, path, orderId, await gift(orderId, 25))).toBe("40982");
  expect(await codeOf(goodwill, path, orderId, await gift(orderId, 200, 25), finance)).toBe("40983");
  expect(await codeOf(goodwill, path, orderId, await gift(orderId, 1.005, 25), finance)).toBe("40000");
  expect(await codeOf(goodwill, path, orderId, await gift(orderId, 0, 25), finance)).toBe("40000");
  expect(await codeOf(goodwill, path, orderId, await gift(orderId, 1, 5e-324), finance)).toBe("40000");
  expect(await codeOf(goodwill, path, "ord_unknown", await gift(orderId, 1))).toBe("40402");
  const unpaid = await sale.orderPlan(await sale.createBuyer(), planId);
  expect(await codeOf(goodwill, path, unpaid, await gift(unpaid, 1))).toBe("40917");
  const own = await createStaff({ roles: ["support"] });
  const ownOrder = await sale.sell(own, planId);
  expect(await codeOf(goodwill, path, ownOrder, await gift(ownOrder, 1), own)).toBe("40981");
});

it("a gesture above $100 waits for approval, and is checked again then", async () => {
  await createStaff({ roles: ["finance"] });
  const ask = async (orderId: string) => {
    const answer = await post(
      goodwill,
      "/admin/orders/x/goodwill",
      orderId,
      await gift(orderId, 101),
      finance,
    );
    expect(answer.code).toBe("40941");
    return answer.errors!.find(({ path }) => path === "approval_id")!.message;
  };
  const other = await createStaff({ roles: ["admin"] });
  const decide = async (id: string) => {
    const seen = await seenApproval(other.viewer, id);
    return codeOf(approveApproval, "/admin/approvals/x/approve", id, seen, other);
  };
  const [changed, disputed, fine] = [await sell(), await sell(), await sell()];
  const ids = [await ask(changed), await ask(disputed), await ask(fine)];
  await post(goodwill, "/admin/orders/x/goodwill", changed, await gift(changed, 1));
  await dispute(disputed);
  expect([await decide(ids[0]!), await decide(ids[1]!), await decide(ids[2]!)]).toEqual([
    "40982",
    "40923",
    "200",
  ]);
  expect(await codeOf(goodwill, "/admin/orders/x/goodwill", disputed, await gift(disputed, 1))).toBe("40923");
});

it("two gestures of one order are not approved by a role that may not give their sum", async () => {
  const roles: StaffRole[] = ["support"];
  const [asking, second, young] = [
    await createStaff({ roles }),
    await createStaff({ roles }),
    await createStaff({ roles }),
  ];
  // What one person may give in a day without another is used up.
  await db.execute(sql`
    insert into audit_entries (actor, action, subject, detail)
    values (${asking.id}, 'refund.goodwill', 'ord_other', '{"amountCents": 10000}')`);
  const buyer = await sale.createBuyer();
  const week = await createSinglePlan({ type: "week", priceCents: 20_000, keys: 1 });
  const cart = [await createCartLine(buyer.id, planId), await createCartLine(buyer.id, week.id)];
  const { order_id: orderId } = await placeOrder(buyer.viewer, { cart_record_ids: cart }, "en");
  await sale.pay(buyer, orderId);
  await sale.processEvents();
  const ids: string[] = [];
  for (const { order_product_id, version } of (await getConsoleOrder(orderId, "en")).order_products) {
    const input = { order_product_id, amount: 20, refunded_amount: 0, reason: "the vendor answered late" };
    const answer = await post(goodwill, "/admin/orders/x/goodwill", orderId, { ...input, version }, asking);
    expect(answer.code).toBe("40941");
    ids.push(answer.errors!.find(({ path }) => path === "approval_id")!.message);
  }
  const decide = async (id: string, user: StaffUser) =>
    post(approveApproval, "/admin/approvals/x/approve", id, await seenApproval(user.viewer, id), user);
  expect((await decide(ids[0]!, second)).code).toBe("200");
  const refused = await decide(ids[1]!, second);
  expect([refused.code, refused.message]).toEqual(["40380", goodwillRefusal("$5.00")]);
  // A role decides 72 hours after its grant, also beside an older one.
  await grantRolesByOperator(young.email, ["support", "finance"], "staff:test");
  await expect(decideSeen(young.viewer, { id: ids[1]!, decision: "approve" })).rejects.toMatchObject({
    error: "amount_above_limit",
  });
  expect((await decide(ids[1]!, finance)).code).toBe("200");
});

it("codes are mailed again only if the buyer has seen one", async () => {
  const path = "/admin/orders/x/resend";
  const seen = await sell();
  const previewed = await post(resend, path, seen, { preview: true });
  expect(previewed.data.effects).toMatchObject([{ kind: "email", event: "keys" }]);
  expect((await post(resend, path, seen, {})).data.result).toMatchObject({ order_id: seen, sent: 1 });
  const many = await post(resendMany, "/admin/orders/resend", "", { order_ids: [seen, "ord_unknown"] });
  expect(many.data.result).toEqual({ resent: 1, failed: ["ord_unknown"] });
  const { orderId: locked } = await askRefund(await sale.createBuyer(), planId);
  const unpaid = await sale.orderPlan(await sale.createBuyer(), planId);
  const unseen = await sale.sellWithChoice(await sale.createBuyer(), planId, {
    immediate_delivery: true,
    keep_in_library: true,
  });
  const codes = [];
  for (const id of ["ord_unknown", locked, unpaid, unseen]) codes.push(await codeOf(resend, path, id, {}));
  expect(codes).toEqual(["40402", "40913", "40407", "40912"]);
});

it("only unpaid orders are cancelled, and none while the provider does not respond", async () => {
  const path = "/admin/orders/x/cancel";
  const buyer = await sale.createBuyer();
  const orderId = await sale.orderPlan(buyer, planId);
  await sale.openPayment(buyer, orderId);
  const previewed = await post(cancel, path, orderId, { ...(await seenOrder(orderId)), preview: true });
  expect(previewed.data.effects).toContainEqual({ kind: "codes", change: "released", count: 1 });
  failSandbox("retrieve_intent", { when: "before", as: "junk" });
  expect(await codeOf(cancel, path, orderId, {})).toBe("40940");
  expect(await codeOf(cancel, path, orderId, await seenOrder(orderId))).toMatch(/^50[23]/);
  expect((await post(cancel, path, orderId, await seenOrder(orderId))).data.result).toEqual({
    order_id: orderId,
    status: "cancelled",
  });
  expect(await codeOf(cancel, path, orderId, {})).toBe("40910");
  expect(await codeOf(cancel, path, "ord_unknown", {})).toBe("40402");
});
