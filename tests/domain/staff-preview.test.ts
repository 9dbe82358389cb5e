import { sql } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import { db, dryRun, pool, transaction } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { createCampaign, createCoupon } from "@/db/factories/coupons";
import { createMerchant, createSeller } from "@/db/factories/merchants";
import { createStaff, endAllMemberships } from "@/db/factories/staff";
import { changeCampaign } from "@/lib/coupons/console/change-campaign";
import { revokeCouponByStaff } from "@/lib/coupons/console/revoke-coupon-by-staff";
import {
  approveConsoleReplacement,
  refuseConsoleReplacement,
  requestConsoleReplacement,
} from "@/lib/delivery/console/decide-console-replacements";
import { listWithheldPlans } from "@/lib/delivery/withheld/list-withheld-plans";
import { createChange } from "@/lib/merchants/changes/create-change";
import { approveChange, refuseChange, returnChange } from "@/lib/merchants/changes/decide-change";
import { getMerchantProduct } from "@/lib/merchants/changes/get-merchant-product";
import { getConsoleChange } from "@/lib/merchants/changes/list-console-changes";
import { proposeChange } from "@/lib/merchants/changes/propose-change";
import { addCommissionRule } from "@/lib/merchants/console/add-commission-rule";
import { approveApplication } from "@/lib/merchants/console/approve-application";
import { changeStateByStaff } from "@/lib/merchants/console/change-state-by-staff";
import { CommissionInput } from "@/lib/merchants/console/contract-commission";
import { endMerchant } from "@/lib/merchants/console/end-merchant";
import { getConsoleMerchant } from "@/lib/merchants/console/get-console-merchant";
import { inviteOwner } from "@/lib/merchants/console/invite-owner";
import { findConsoleApplication } from "@/lib/merchants/console/list-console-applications";
import { refuseApplication } from "@/lib/merchants/console/refuse-application";
import { approveName, NAME_VERSION, refuseName } from "@/lib/merchants/names/decide-name";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { cancelOrder, cancelOrderByStaff } from "@/lib/orders/cancellation/cancel-order";
import { approveRefund, approveRefunds, refuseRefund } from "@/lib/orders/console/decide-refunds";
import { decideWithheld } from "@/lib/orders/console/decide-withheld";
import { giveGoodwill } from "@/lib/orders/console/give-goodwill";
import { resendOrders } from "@/lib/orders/console/resend-orders";
import { sendMailAgain } from "@/lib/orders/console/send-mail-again";
import { resendKeysByStaff } from "@/lib/orders/fulfilment/resend-keys";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import { requestRefundByStaff } from "@/lib/orders/refunds/request-refund";
import { settleFailedRefund } from "@/lib/orders/refunds/settle-failed-refund";
import type { StaffRole } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { isShopError } from "@/lib/platform/errors";
import { sendMail } from "@/lib/platform/mail/send";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import { replaceSandboxTransport, sandboxTransport } from "@/lib/platform/stripe/sandbox/transport";
import { supportAddress } from "@/lib/platform/support-address";
import { ConsoleReferralsInput } from "@/lib/referrals/console/contract";
import { listConsoleReferrals } from "@/lib/referrals/console/list-console-referrals";
import { refuseReferralByStaff } from "@/lib/referrals/console/refuse-referral-by-staff";
import { endCustomerSessions, requireCustomerPassword } from "@/lib/staff/customers/change-customer-access";
import { giveCustomerCoupon } from "@/lib/staff/customers/give-customer-coupon";
import { changeRoles } from "@/lib/staff/members/change-roles";
import { resetFactor } from "@/lib/staff/members/reset-factor";
import type { Effect } from "@/lib/staff/preview/contract";
import { previewEffects } from "@/lib/staff/preview/preview-effects";
import { closeShopByStaff, openShopByStaff } from "@/lib/staff/shop/close-shop-by-staff";
import { retryEffects, retryQueue, retryStuck } from "@/lib/staff/stuck/retry-stuck";
import { importCategory, importLines, planRecord, productRecord } from "../setup/catalog-import";
import { getProviderCash } from "../setup/ledger";
import { askRefund, failRefundForGood, findFirstLine } from "../setup/refunds";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";
import { runAsCall } from "../setup/second-person";
import {
  decideSeen,
  seenCampaign,
  seenKey,
  seenLine,
  seenMember,
  seenOrder,
  seenRefunds,
  seenReplacement,
} from "../setup/seen";

registerSaleHooks();

/** A hash of the rows of every table, and of the queue. Sequences may advance. */
async function hashTables(): Promise<Record<string, string>> {
  const tables = await db.execute<{ name: string }>(sql`
    select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
    where schemaname in ('public', 'graphile_worker') order by 1`);
  const hashes: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await db.execute<{ hash: string }>(
      sql.raw(`select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash from ${name} t`),
    );
    hashes[name] = row!.hash;
  }
  return hashes;
}

/** The effects of a command, after checking that finding them has changed no row, called nobody and notified nobody. */
const previewOnly = (command: () => Promise<unknown>): Promise<Effect[]> =>
  findOnly(() => previewEffects(command));

/** The same for an action whose preview says more. */
async function findOnly(preview: () => Promise<Effect[]>): Promise<Effect[]> {
  await sale.waitForLastEvents();
  const notified: string[] = [];
  const listeners = await Promise.all(
    ["page_tags", "jobs:insert"].map((channel) => pool().listen(channel, () => notified.push(channel))),
  );
  const calls: string[] = [];
  const transport = { ...sandboxTransport() };
  replaceSandboxTransport({
    fetch: async (url) => {
      calls.push(url);
      throw new Error("the payment provider was called");
    },
    deliver: async () => {
      calls.push("event");
      return 200;
    },
  });
  const requests = vi.spyOn(globalThis, "fetch");
  const before = await hashTables();
  const effects = await preview().finally(() => replaceSandboxTransport(transport));
  expect(await hashTables()).toEqual(before);
  await db.execute(sql`select pg_sleep(0.2)`);
  expect([calls, notified, requests.mock.calls]).toEqual([[], [], []]);
  requests.mockRestore();
  await Promise.all(listeners.map((listener) => listener.unlisten()));
  return effects;
}

type Seen = {
  mails: string[];
  cash: number | null;
  keys: Record<string, number>;
  status: string | undefined;
};

/** What an order and its plan look like after all jobs have run. */
async function look(orderId: string, planId: number): Promise<Seen> {
  await sale.runQueue({ mails: false });
  const mails = await db.execute<{ mail: string }>(sql`
    select event || ' to ' || to_address as mail from mails where order_number = (select order_number from orders where id = ${orderId})
    order by created_at, id`);
  return {
    mails: mails.map(({ mail }) => mail),
    cash: await getProviderCash(orderId),
    keys: await sale.countKeysByState(planId),
    status: await sale.getOrderStatus(orderId),
  };
}

/** Asks for an action that needs a second person, and returns the approval's id. */
async function askedBy(viewer: StaffViewer, action: () => Promise<unknown>): Promise<string> {
  const error: unknown = await runAsCall(viewer, action).catch((thrown: unknown) => thrown);
  if (!isShopError(error, "approval_required")) throw error;
  return error.issues![0]!.message;
}

const mailsOf = (effects: Effect[]) =>
  effects.flatMap((effect) => (effect.kind === "email" ? [`${effect.event} to ${effect.to}`] : []));

it("the preview of a refund's approval changes nothing and names the effects", async () => {
  const buyer = await sale.createBuyer();
  const plan = await createSinglePlan({ type: "month", keys: 3 });
  const { orderId, requestId } = await askRefund(buyer, plan.id, 2);
  const approve = () => decideRefundRequest(requestId, { decision: "approved", by: "staff:test" });
  const before = await look(orderId, plan.id);
  const effects = await previewOnly(approve);
  const [{ number }] = (await db.execute<{ number: string }>(
    sql`select order_number as number from orders where id = ${orderId}`,
  )) as [{ number: string }];
  expect(effects).toEqual([
    { kind: "money_returned", amount: before.cash! / 100 },
    { kind: "order_status", order_number: number, status: "refunded" },
    { kind: "codes", change: "quarantined", count: 2 },
    { kind: "email", event: "refund", to: buyer.email },
  ]);
  expect(await approve()).toMatchObject({ outcome: "decided" });
  const after = await look(orderId, plan.id);
  expect(after).toMatchObject({ cash: 0, keys: { quarantined: 2, available: 1 }, status: "refunded" });
  expect(after.mails).toEqual([...before.mails, ...mailsOf(effects)]);
});

it("the preview of a refusal names its email only", async () => {
  const buyer = await sale.createBuyer();
  const plan = await createSinglePlan({ type: "month", keys: 2 });
  const { requestId } = await askRefund(buyer, plan.id, 1);
  const refuse = () =>
    decideRefundRequest(requestId, { decision: "refused", by: "staff:test", note: "used" });
  expect(await previewOnly(refuse)).toEqual([{ kind: "email", event: "refund-refused", to: buyer.email }]);
});

it("the preview of cancelling an unpaid order names the payment and the released codes", async () => {
  const buyer = await sale.createBuyer();
  const plan = await createSinglePlan({ type: "month", keys: 2 });
  const orderId = await sale.orderPlan(buyer, plan.id, 2);
  await sale.openPayment(buyer, orderId);
  const cancel = () => cancelOrder(buyer.viewer, { order_id: orderId });
  const before = await look(orderId, plan.id);
  const effects = await previewOnly(cancel);
  expect(effects).toMatchObject([
    { kind: "payments_cancelled", count: 1 },
    { kind: "order_status", status: "cancelled" },
    { kind: "codes", change: "released", count: 2 },
  ]);
  await cancel();
  const after = await look(orderId, plan.id);
  expect(after).toMatchObject({ status: "cancelled", keys: { available: 2 } });
  expect(after.mails).toEqual(before.mails);
});

it("the preview of cancelling an unpaid order by staff names the email to its buyer, which is then sent once", async () => {
  const buyer = await sale.createBuyer();
  const staff = await createStaff({ roles: ["support"] });
  const plan = await createSinglePlan({ type: "month", keys: 2 });
  const orderId = await sale.orderPlan(buyer, plan.id);
  await sale.openPayment(buyer, orderId);
  const seen = await seenOrder(orderId);
  const cancel = () => cancelOrderByStaff(staff.viewer, orderId, seen);
  const before = await look(orderId, plan.id);
  const effects = await previewOnly(cancel);
  expect(effects).toMatchObject([
    { kind: "payments_cancelled", count: 1 },
    { kind: "order_status", status: "cancelled" },
    { kind: "codes", change: "released", count: 1 },
    { kind: "email", event: "order-cancelled", to: buyer.email },
  ]);
  await cancel();
  const after = await look(orderId, plan.id);
  expect(after).toMatchObject({ status: "cancelled", keys: { available: 2 } });
  expect(after.mails).toEqual([...before.mails, ...mailsOf(effects)]);
  await sale.runQueue();
  const mails = (await findMailboxMails(buyer.email))?.filter(({ event }) => event === "order-cancelled");
  expect(mails).toHaveLength(1);
  expect(mails![0]!.text).toContain("as you asked. Nothing was charged.");
});

it("no email about a cancelled order goes to an unverified address", async () => {
  const buyer = await sale.createBuyer({ verified: false });
  const staff = await createStaff({ roles: ["support"] });
  const plan = await createSinglePlan({ type: "month", keys: 1 });
  const orderId = await sale.orderPlan(buyer, plan.id);
  const seen = await seenOrder(orderId);
  const cancel = () => cancelOrderByStaff(staff.viewer, orderId, seen);
  expect(mailsOf(await previewOnly(cancel))).toEqual([]);
  await cancel();
  expect((await look(orderId, plan.id)).mails).toEqual([]);
});

it.each([
  ["the provider cancels it", false],
  ["the provider has taken the money", true],
])(
  "the preview of cancelling an order during its payment says that the payment decides: %s",
  async (_, taken) => {
    const buyer = await sale.createBuyer();
    const staff = await createStaff({ roles: ["support"] });
    const plan = await createSinglePlan({ type: "month", keys: 1 });
    const orderId = await sale.orderPlan(buyer, plan.id);
    const { intentId } = await sale.pay(buyer, orderId, "silent");
    await settlePayment(intentId);
    const seen = await seenOrder(orderId);
    const cancel = () => cancelOrderByStaff(staff.viewer, orderId, seen);
    const before = await look(orderId, plan.id);
    expect(before.status).toBe("processingPayment");
    const [order] = await db.execute<{ number: string }>(
      sql`select order_number as number from orders where id = ${orderId}`,
    );
    const effects = await previewOnly(cancel);
    expect(effects).toEqual([
      { kind: "cancellation_open", order_number: order!.number },
      { kind: "email", event: "order-cancelled", to: buyer.email },
    ]);
    if (taken)
      await db.execute(
        sql`update sandbox_intents set status = 'succeeded', received_cents = amount_cents where id = ${intentId}`,
      );
    expect(await cancel()).toEqual({
      order_id: orderId,
      status: taken ? "processingPayment" : "cancelled",
    });
    const asked = await seenOrder(orderId);
    const again = () => cancelOrderByStaff(staff.viewer, orderId, asked);
    if (taken) expect(mailsOf(await previewOnly(again))).toEqual([]);
    if (taken) await settlePayment(intentId);
    const after = await look(orderId, plan.id);
    expect(after).toMatchObject({ status: taken ? "refunded" : "cancelled", keys: { available: 1 } });
    const refund = taken ? [`refund to ${buyer.email}`] : [];
    expect(after.mails).toEqual([...before.mails, ...mailsOf(effects), ...refund]);
    await sale.runQueue();
    const [mail] = (await findMailboxMails(buyer.email))!.filter(({ event }) => event === "order-cancelled");
    expect(mail!.text).toContain(taken ? "If it succeeds, we refund all of it." : "Nothing was charged.");
  },
);

it("the preview of a gesture names the money and the email, and locks no code", async () => {
  const buyer = await sale.createBuyer();
  const staff = await createStaff({ roles: ["support"] });
  const plan = await createSinglePlan({ type: "month", keys: 2 });
  const orderId = await sale.sell(buyer, plan.id);
  await sale.runQueue();
  const input = {
    order_product_id: await findFirstLine(orderId),
    amount: 4,
    refunded_amount: 0,
    reason: "late answer",
    ...(await seenLine(orderId)),
  };
  const give = () => giveGoodwill(staff.viewer, orderId, input, "en");
  const before = await look(orderId, plan.id);
  const effects = await previewOnly(give);
  expect(effects).toEqual([
    { kind: "money_returned", amount: 4 },
    { kind: "email", event: "refund", to: buyer.email },
  ]);
  await give();
  const after = await look(orderId, plan.id);
  expect(after).toEqual({
    ...before,
    cash: before.cash! - 400,
    mails: [...before.mails, ...mailsOf(effects)],
  });
  // The provider's answer to the first gesture is read again, from what is stored.
  const more = { ...input, amount: 3, refunded_amount: 4, ...(await seenLine(orderId)) };
  const again = () => giveGoodwill(staff.viewer, orderId, more, "en");
  expect(await previewOnly(again)).toEqual([
    { kind: "money_returned", amount: 3 },
    { kind: "email", event: "refund", to: buyer.email },
  ]);
});

it("the preview of a gesture that needs a second person says so, and requests nothing", async () => {
  const staff = await createStaff({ roles: ["finance"] });
  const plan = await createSinglePlan({ type: "year", priceCents: 30_000, keys: 1 });
  const orderId = await sale.sell(await sale.createBuyer(), plan.id);
  const input = {
    order_product_id: await findFirstLine(orderId),
    amount: 101,
    refunded_amount: 0,
    reason: "vendor closed",
    ...(await seenLine(orderId)),
  };
  const effects = await previewOnly(() => giveGoodwill(staff.viewer, orderId, input, "en"));
  expect(effects).toEqual([{ kind: "second_person" }]);
});

it("the preview of approving a commission names the sales and the share before and after", async () => {
  await endAllMemberships();
  const [asking, second] = [await createStaff({ roles: ["finance"] }), await createStaff()];
  const ask = async (input: object) => {
    const id = await askedBy(asking.viewer, () => addCommissionRule(CommissionInput.parse(input)));
    return () => decideSeen(second.viewer, { id, decision: "approve" });
  };
  const first = await ask({ vip_type: "year", percent: 12.5, fixed: 0.5 });
  const sales = { kind: "commission", merchant: null, category: null, vip_type: "year" };
  const [half, less] = [
    { percent: 12.5, fixed: 0.5 },
    { percent: 10, fixed: 0 },
  ];
  expect(await previewOnly(first)).toEqual([{ ...sales, before: null, after: half, valid_from: null }]);
  await first();
  const later = "2999-01-01T00:00:00.000Z";
  const next = await ask({ vip_type: "year", percent: 10, valid_from: later });
  expect(await previewOnly(next)).toEqual([{ ...sales, before: half, after: less, valid_from: later }]);
});

it("the preview of an approval names its effects to the approver", async () => {
  const [asking, second] = [await createStaff({ roles: ["finance"] }), await createStaff()];
  const buyer = await sale.createBuyer();
  const plan = await createSinglePlan({ type: "year", priceCents: 30_000, keys: 1 });
  const orderId = await sale.sell(buyer, plan.id);
  await sale.runQueue();
  const input = {
    order_product_id: await findFirstLine(orderId),
    amount: 150.5,
    refunded_amount: 0,
    reason: "vendor closed",
    ...(await seenLine(orderId)),
  };
  const id = await askedBy(asking.viewer, () => giveGoodwill(asking.viewer, orderId, input, "en"));
  const approve = () => decideSeen(second.viewer, { id, decision: "approve" });
  const before = await look(orderId, plan.id);
  const effects = await previewOnly(approve);
  expect(effects).toEqual([
    { kind: "money_returned", amount: 150.5 },
    { kind: "email", event: "refund", to: buyer.email },
  ]);
  expect(await approve()).toEqual({ approval_id: id, state: "approved" });
  expect(await look(orderId, plan.id)).toEqual({
    ...before,
    cash: before.cash! - 15_050,
    mails: [...before.mails, ...mailsOf(effects)],
  });
});

it("the preview of a change of roles names the roles and where staff mode ends", async () => {
  await endAllMemberships();
  const [admin, second] = [await createStaff(), await createStaff()];
  const other = await createStaff({ roles: ["support", "catalogue"] });
  // A second session, which is not in staff mode, and stays as it is.
  await db.execute(sql`
    insert into sessions (id, user_id, refresh_hash, device, expires_at)
    select id || 'b', user_id, refresh_hash || 'b', device, expires_at from sessions where id = ${other.viewer.sessionId}`);
  const seen = await seenMember(other.email);
  const change = (roles: StaffRole[]) => () =>
    changeRoles(admin.viewer, { email: other.email, roles, ...seen });
  const modes = async () => {
    const [row] = await db.execute<{ staff: number; live: number }>(sql`
      select count(factor_at)::int as staff, count(*) filter (where revoked_at is null)::int as live
      from sessions where user_id = ${other.id}`);
    return row;
  };
  const effects = (after: StaffRole[]) => [
    { kind: "roles", person: other.email, before: ["support", "catalogue"], after },
    { kind: "staff_mode_ended", count: 1 },
    ...[admin, second].map(({ email: to }) => ({ kind: "email", event: "staff-changed", to })),
  ];
  // The order of the emails is that of their ids.
  const sorted = (list: Effect[] | null) => list?.toSorted((a, b) => rank(a) - rank(b));
  const rank = (effect: Effect) =>
    effect.kind === "email" ? [admin.email, second.email].indexOf(effect.to) : -1;
  expect(sorted(await previewOnly(change([])))).toEqual(effects([]));
  expect(await previewOnly(change(["support", "catalogue"]))).toEqual([]);
  expect(await previewOnly(change(["support", "catalogue", "finance"]))).toEqual([{ kind: "second_person" }]);
  expect(sorted(await previewOnly(change(["support"])))).toEqual(effects(["support"]));
  expect(await modes()).toEqual({ staff: 1, live: 2 });
  expect(await change(["support"])()).toEqual({ changed: true });
  expect(await modes()).toEqual({ staff: 0, live: 2 });
});

it("the preview of removing an authenticator app names where staff mode ends, and the email", async () => {
  const [asking, second] = [await createStaff(), await createStaff()];
  const concerned = await createStaff({ roles: ["support"] });
  const { email } = concerned;
  const shown = { email, ...(await seenMember(email)) };
  const id = await askedBy(asking.viewer, () => resetFactor(shown));
  const approve = () => decideSeen(second.viewer, { id, decision: "approve" });
  expect(await previewOnly(approve)).toEqual([
    { kind: "staff_mode_ended", count: 1 },
    { kind: "email", event: "account-notice", to: concerned.email },
  ]);
});

it("the preview of settling a failed refund names the amount, and that no money moves at the provider", async () => {
  const buyer = await sale.createBuyer();
  const plan = await createSinglePlan({ type: "month", keys: 1 });
  const { orderId, requestId } = await askRefund(buyer, plan.id);
  await decideRefundRequest(requestId, { decision: "approved", by: "staff:test" });
  const refundId = await failRefundForGood(orderId);
  const cents = await getProviderCash(orderId);
  const effects = await previewOnly(() =>
    settleFailedRefund("staff:test", refundId, { note: "by bank transfer" }),
  );
  expect(effects).toEqual([{ kind: "paid_otherwise", amount: cents! / 100 }]);
});

it("a preview whose rows change while it runs is repeated", async () => {
  const plan = await createSinglePlan({ type: "month", keys: 1 });
  const orderId = await sale.orderPlan(await sale.createBuyer(), plan.id);
  let runs = 0;
  const effects = await previewEffects(async () => {
    runs += 1;
    if (runs === 1) await pool()`update orders set send_email = 'changed@example.com' where id = ${orderId}`;
    await transaction((tx) =>
      tx.execute(sql`update orders set hidden_at = shop_now() where id = ${orderId}`),
    );
  });
  expect([runs, effects]).toEqual([2, []]);
});

it("a preview returns the error of its action", async () => {
  const buyer = await sale.createBuyer();
  const cancel = () => cancelOrder(buyer.viewer, { order_id: "ord_unknown" });
  await expect(previewEffects(cancel)).rejects.toMatchObject({ error: "order_unknown" });
});

it("a dry run sends no email, and calls no payment provider without a stand-in", async () => {
  const mail = {
    id: "mail_x",
    to: "a@example.com",
    subject: "x",
    text: "x",
    html: "x",
    tags: {},
    idempotencyKey: "x",
  };
  await expect(dryRun(() => sendMail(mail))).rejects.toThrow("a dry run sends no email");
  await expect(dryRun(async () => paymentProvider())).rejects.toThrow("without a stand-in");
});

it("operations inside a dry run share its transaction, and nothing is committed", async () => {
  const marks = () =>
    db.execute<{ count: number }>(
      sql`select count(*)::int as count from audit_entries where action = 'mark'`,
    );
  const mark = () =>
    db.execute(sql`insert into audit_entries (actor, action, subject) values ('system', 'mark', 'x')`);
  const inside = await dryRun(async () => {
    await mark();
    await transaction(async (tx) => {
      await mark();
      await tx.execute(sql`select 1`);
    });
    await transaction(async () => {
      await mark();
      throw new Error("undone");
    }).catch(() => {});
    return marks();
  });
  expect(inside[0]!.count).toBe(2);
  expect((await marks())[0]!.count).toBe(0);
});

it("the previews of the other staff actions change nothing and name the effects", async () => {
  await endAllMemberships();
  const [admin, colleague] = [(await createStaff()).viewer, (await createStaff()).viewer];
  const buyer = await sale.createBuyer();
  const { id: planId } = await createSinglePlan({ type: "month", priceCents: 20_000, keys: 8 });
  const asked = [await askRefund(buyer, planId), await askRefund(await sale.createBuyer(), planId)] as const;
  const delivered = await sale.sell(buyer, planId);
  const replaced = await sale.sell(buyer, planId);
  await sale.runQueue();
  const findKey = async (orderId: string) => {
    const [key] = await db.execute<{ id: string; mail: string }>(sql`
      select k.id, (select m.id from mails m where m.event = 'keys' and k.id = any(string_to_array(m.refs->>'keyIds', ','))) as mail
      from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${orderId}`);
    return key!;
  };
  const key = await findKey(delivered);
  const reason = "The vendor says: already used.";
  const { id: replacedKey } = await findKey(replaced);
  const { request_id: requestId } = await requestConsoleReplacement(colleague, replaced, {
    key_id: replacedKey,
    reason,
    ...(await seenKey(replaced, replacedKey)),
  });
  const seenCode = await seenKey(delivered, key.id);
  const seenRequest = await seenReplacement(requestId);
  await db.execute(sql`
    insert into merchant_applications (id, email, product_url, phone_num, locale, state)
    values ('app_preview', 'applicant@example.com', 'https://preview-tools.example/', '+15550100', 'en', 'received')`);
  const { merchant } = await createSeller(await createMerchant());
  const campaign = await createCampaign({ monthlyBudgetCents: 10_000 });
  const seenTerms = await seenCampaign(campaign);
  const coupon = await createCoupon({ userId: buyer.id });
  const note = "As agreed on the phone";
  const ids = asked.map((request) => request.requestId);
  const listed = await seenRefunds(ids);
  const [first, second] = ids.map((id) => ({ version: listed.versions[id] }));
  const seen = { version: (await findConsoleApplication("app_preview"))!.version };
  const shown = await getConsoleMerchant(merchant.id);
  type Action = [name: string, kind: Effect["kind"], command: () => Promise<unknown>];
  const actions: Action[] = [
    [
      "approve a refund",
      "money_returned",
      () => approveRefund(admin, ids[0]!, { overrule: false, ...first }),
    ],
    ["refuse a refund", "email", () => refuseRefund(admin, ids[1]!, { reason: note, ...second })],
    ["approve several refunds", "money_returned", () => approveRefunds(admin, listed)],
    ["send codes again", "email", () => resendKeysByStaff(admin, delivered)],
    ["send codes of several orders again", "email", () => resendOrders(admin, [delivered, replaced])],
    [
      "ask for another code",
      "replacement_asked",
      () => requestConsoleReplacement(admin, delivered, { key_id: key.id, reason, ...seenCode }),
    ],
    ["approve another code", "codes", () => approveConsoleReplacement(admin, requestId, seenRequest)],
    [
      "refuse another code",
      "email",
      () => refuseConsoleReplacement(admin, requestId, { reason: note, ...seenRequest }),
    ],
    ["send an email again", "email", () => sendMailAgain(admin, key.mail)],
    ["sign a customer out", "sessions_ended", () => endCustomerSessions(admin, buyer.id, undefined)],
    ["require a new password", "password_removed", () => requireCustomerPassword(admin, buyer.id, note)],
    [
      "give a coupon",
      "coupons_issued",
      () => giveCustomerCoupon(admin, buyer.id, { campaign, reason: note }),
    ],
    ["revoke a coupon", "coupons_revoked", () => revokeCouponByStaff(admin, coupon, note)],
    [
      "change a campaign",
      "campaign_off",
      () => changeCampaign(admin, campaign, { enabled: false, ...seenTerms }),
    ],
    ["approve an application", "email", () => approveApplication(admin, "app_preview", seen)],
    ["refuse an application", "email", () => refuseApplication(admin, "app_preview", { ...seen, note })],
    ["invite an owner", "email", () => inviteOwner(admin, merchant.id, "owner@example.com")],
    [
      "suspend a merchant",
      "email",
      () => changeStateByStaff(admin, merchant.id, { change: "suspend", note, version: shown.version }),
    ],
    ["close the shop", "shop_closed", () => closeShopByStaff(admin, { reason: note })],
  ];
  for (const [name, kind, command] of actions)
    expect(
      (await previewOnly(command)).map((effect) => effect.kind),
      name,
    ).toContain(kind);
  // Two of them, run after their previews, do what these said.
  expect(await approveRefund(admin, ids[0]!, { overrule: false, ...first })).toMatchObject({
    state: "approved",
  });
  expect(await refuseRefund(admin, ids[1]!, { reason: note, ...second })).toMatchObject({ state: "refused" });
  await sale.runQueue();
});

const NOTE = "As agreed on the phone";

it("the previews of decisions about a merchant change nothing and name the effects", async () => {
  await endAllMemberships();
  const [asking, second] = [(await createStaff()).viewer, (await createStaff()).viewer];
  await importCategory();
  const merchant = await createMerchant();
  const seller = await createSeller(merchant);
  const proposed = productRecord({ plans: [planRecord({ price: 10 })] });
  await importLines([proposed]);
  const [product] = await db.execute<{ id: number }>(
    sql`update products set merchant_id = ${merchant.id} where slug = ${proposed.slug} returning id`,
  );
  const { line, revision } = await getMerchantProduct(seller.member, product!.id, "en");
  const texts = { ...line.texts, en: { ...line.texts.en, name: "Another Name" } };
  const change = {
    product_id: product!.id,
    base_revision: revision,
    line: { ...line, texts },
    preview: false,
  };
  const saved = await createChange(seller.member, change, "en");
  const { change_id: changeId } = saved;
  await proposeChange(seller.member, changeId!, { version: saved.version!, locale: "en" });
  const { version } = await getConsoleChange(changeId!, "en");
  const [named] = await db.execute<{ version: string }>(sql`
    with named as (update merchants set proposed_name = 'Preview Tools', proposed_name_at = shop_now()
      where id = ${merchant.id} returning *)
    select ${NAME_VERSION} as version from named m`);
  const paused = await createMerchant({ state: "paused" });
  const pausedSeller = await createSeller(paused);
  const shownVersion = async (merchantId: string) => (await getConsoleMerchant(merchantId)).version;
  const end = async (merchantId: string) =>
    endMerchant(merchantId, { version: await shownVersion(merchantId), note: NOTE });
  const id = await askedBy(asking, () => end(merchant.id));
  const decideEnd = (decision: "approve" | "refuse") => () =>
    decideSeen(second, { id, decision, note: NOTE });
  const mail = (event: string, to = seller.email) => ({ kind: "email", event, to });
  const off = { kind: "products_off", count: 1 };
  const written = { kind: "product_written", product: "Another Name", count: 1 };
  const setState = (merchantId: string, change: "pause" | "resume") => async () =>
    changeStateByStaff(second, merchantId, { change, version: await shownVersion(merchantId), note: NOTE });
  const actions: [name: string, effects: object[], command: () => Promise<unknown>][] = [
    [
      "approve a change",
      [written, mail("change-approved")],
      () => approveChange(second, changeId!, { version, locale: "en" }),
    ],
    [
      "return a change",
      [mail("change-returned")],
      () => returnChange(second, changeId!, { version, note: NOTE }),
    ],
    [
      "refuse a change",
      [mail("change-refused")],
      () => refuseChange(second, changeId!, { version, note: NOTE }),
    ],
    [
      "approve a name",
      [mail("merchant-name")],
      () => approveName(second, merchant.id, { version: named!.version }),
    ],
    [
      "refuse a name",
      [mail("merchant-name")],
      () => refuseName(second, merchant.id, { version: named!.version, note: NOTE }),
    ],
    ["pause a merchant", [off, mail("merchant-notice")], setState(merchant.id, "pause")],
    ["resume a merchant", [mail("merchant-notice", pausedSeller.email)], setState(paused.id, "resume")],
    ["ask to close a merchant", [{ kind: "second_person" }], () => end(paused.id)],
    ["close a merchant", [off, mail("merchant-notice")], decideEnd("approve")],
    ["refuse to close a merchant", [], decideEnd("refuse")],
  ];
  for (const [name, effects, command] of actions) expect(await previewOnly(command), name).toEqual(effects);
  // The previewed actions can be run.
  expect(await approveChange(second, changeId!, { version, locale: "en" })).toMatchObject({
    state: "approved",
  });
  expect(await setState(paused.id, "resume")()).toMatchObject({ state: "active" });
  expect(await decideEnd("approve")()).toMatchObject({ state: "approved" });
  await sale.runQueue();
});

it("the previews of codes, invitations, requests, stuck work and the shop change nothing and name the effects", async () => {
  await endAllMemberships();
  const admin = (await createStaff()).viewer;
  const buyer = await sale.createBuyer();
  const { id: withheldPlan } = await createSinglePlan({ keys: 3 });
  await db.execute(sql`update keys set state = 'withheld' where plan_id = ${withheldPlan}`);
  const { id: planId } = await createSinglePlan({ type: "month", keys: 3 });
  const delivered = await sale.sell(buyer, planId);
  await sale.runQueue();
  await db.execute(sql`
    insert into referrals (id, inviter_id, friend_id, email_identity, network)
    values ('ref_preview', ${buyer.id}, ${(await sale.createBuyer()).id}, 'identity', 'network')`);
  const queue = "job-preview-retry";
  await db.execute(sql`select graphile_worker.add_job(${queue}, max_attempts => 3)`);
  await db.execute(sql`select count(j) from graphile_worker.permanently_fail_jobs(
    array(select id from graphile_worker.jobs where task_identifier = ${queue}), 'Error') j`);
  const stuck = await sale.orderPlan(buyer, planId);
  const { intentId } = await sale.pay(buyer, stuck);
  await settlePayment(intentId);
  await sale.waitForEvents();
  await db.execute(sql`select graphile_worker.complete_jobs(array(
    select id from graphile_worker.jobs where key = ${`assign:${stuck}`}))`);
  await sale.setClockAhead("6 minutes");
  const withheld = (await listWithheldPlans()).find((plan) => plan.planId === withheldPlan)!;
  const decide = (state: "available" | "revoked") => () =>
    decideWithheld(admin, withheldPlan, { state, version: withheld.version });
  const line = { order_id: delivered, order_product_id: await findFirstLine(delivered) };
  const request = { ...line, ...(await seenLine(delivered)) };
  const requestRefund = () => requestRefundByStaff(admin, request, "en");
  const referrals = await listConsoleReferrals(ConsoleReferralsInput.parse({}));
  const { version } = referrals.items.find(({ referral_id }) => referral_id === "ref_preview")!;
  const refuseReferral = () => refuseReferralByStaff(admin, "ref_preview", { version });
  const retry = () => retryStuck(admin, { kind: "order", id: stuck });
  const retryJobs = () => retryQueue(admin, queue);
  const openShop = () => openShopByStaff(admin);
  const codes = (change: string, count: number) => ({ kind: "codes", change, count });
  const effects = {
    release: await previewOnly(decide("available")),
    revoke: await previewOnly(decide("revoked")),
    request: await previewOnly(requestRefund),
    refuse: await previewOnly(refuseReferral),
    retry: await findOnly(() => retryEffects.find(retry)),
    retryQueue: await previewOnly(retryJobs),
  };
  expect(effects).toEqual({
    release: [codes("restocked", 3)],
    revoke: [codes("revoked", 3)],
    // The order of the emails is that of their ids.
    request: expect.arrayContaining([
      { kind: "email", event: "refund-requested", to: buyer.email },
      { kind: "email", event: "vendor-confirmation", to: supportAddress() },
    ]),
    refuse: [{ kind: "referrals_refused", count: 1 }],
    retry: [
      { kind: "retry", outcome: "queued" },
      { kind: "order_status", order_number: expect.any(String), status: "shipped" },
      codes("assigned", 1),
      { kind: "email", event: "keys", to: buyer.email },
    ],
    retryQueue: [{ kind: "jobs_retried", count: 1 }],
  });
  // The previewed actions can be run.
  expect(await decide("available")()).toMatchObject({ count: 3 });
  expect(await requestRefund()).toMatchObject({ state: "asked" });
  expect(await refuseReferral()).toEqual({ referral_id: "ref_preview" });
  expect(await retryJobs()).toEqual({ queue, retried: 1 });
  expect(await retry()).toEqual({ outcome: "queued" });
  await closeShopByStaff(admin, { reason: NOTE });
  expect(await previewOnly(openShop)).toEqual([{ kind: "shop_opened", count: expect.any(Number) }]);
  expect(await openShop()).toMatchObject({ open: true });
});
