import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { createApiToken, createMerchant } from "@/db/factories/merchants";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { refuseConsoleReplacement } from "@/lib/delivery/console/decide-console-replacements";
import { requestReplacement } from "@/lib/delivery/replacement/request-replacement";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { refuseRefund } from "@/lib/orders/console/decide-refunds";
import { getConsoleOrder } from "@/lib/orders/console/get-console-order";
import { giveGoodwill } from "@/lib/orders/console/give-goodwill";
import { sendMailAgain } from "@/lib/orders/console/send-mail-again";
import { takeDisputeEvidence } from "@/lib/orders/console/take-dispute-evidence";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import { isShopError } from "@/lib/platform/errors";
import { askRefund, findFirstLine } from "../setup/refunds";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";
import { asCall } from "../setup/second-person";
import { decideSeen, seenLine, seenRefund, seenReplacement } from "../setup/seen";

registerSaleHooks({ runJobs: true });

let finance: StaffUser;
let admin: StaffUser;
let planId: number;
beforeAll(async () => {
  finance = await createStaff({ roles: ["finance"] });
  admin = await createStaff();
  planId = (await createSinglePlan({ type: "year", priceCents: 30_000, keys: 20 })).id;
});

/** What the timeline says of a kind, without the times. */
const said = async (orderId: string, kind: string) =>
  (await getConsoleOrder(orderId, "en")).timeline
    .filter((entry) => entry.kind === kind)
    .map(({ event, detail, actor }) => [event, detail, actor]);

async function askGoodwill(orderId: string, amount: number, reason: string): Promise<string> {
  const input = {
    order_product_id: await findFirstLine(orderId),
    amount,
    refunded_amount: 0,
    reason,
    ...(await seenLine(orderId)),
  };
  const asked = await asCall(giveGoodwill)(finance.viewer, orderId, input, "en").catch(
    (error: unknown) => error,
  );
  if (!isShopError(asked, "approval_required")) throw asked;
  return asked.issues![0]!.message;
}
const decide = (id: string, decision: "approve" | "refuse", note?: string) =>
  decideSeen(admin.viewer, { id, decision, note });

it("the timeline of an order shows which approval was requested, why, and how it was decided", async () => {
  const orderId = await sale.sell(await sale.createBuyer(), planId);
  await sale.runQueue();
  const refused = await askGoodwill(orderId, 150, "vendor closed");
  expect(await askGoodwill(orderId, 150, "vendor closed")).toBe(refused);
  await decide(refused, "refuse", "too much");
  await decide(await askGoodwill(orderId, 101.5, "vendor answered late"), "approve");
  expect(await said(orderId, "staff")).toEqual([
    ["refund.goodwill_asked", "US$150.00 · vendor closed", finance.email],
    ["approval.refused", "too much", admin.email],
    ["refund.goodwill_asked", "US$101.50 · vendor answered late", finance.email],
    ["approval.approved", null, admin.email],
    ["refund.goodwill", "US$101.50 · vendor answered late", admin.email],
  ]);
});

it("the timeline of an order shows what staff did to its emails and disputes", async () => {
  const orderId = await sale.sell(await sale.createBuyer(), planId);
  await sale.runQueue();
  const [mail] = await db.execute<{ id: string }>(sql`
    select m.id from mails m join orders o on o.order_number = m.order_number
    where o.id = ${orderId} and m.event = 'keys' and m.state = 'sent'`);
  await sendMailAgain(admin.viewer, mail!.id);
  await db.execute(sql`
    insert into disputes (id, order_id, intent_id, amount_cents, reason, status, is_open)
    select 'dp_timeline', id, transaction_id, total_cents, 'fraudulent', 'won', false from orders where id = ${orderId}`);
  await takeDisputeEvidence(admin.viewer, "dp_timeline", "en");
  expect(await said(orderId, "staff")).toEqual([
    ["mail.again", "keys", admin.email],
    ["dispute.evidence", null, admin.email],
  ]);
  await db.execute(sql`delete from disputes where id = 'dp_timeline'`);
});

it("the timeline of an order names the deciders by address", async () => {
  const buyer = await sale.createBuyer();
  const { orderId, requestId } = await askRefund(buyer, planId);
  await refuseRefund(finance.viewer, requestId, {
    reason: "It was used.",
    ...(await seenRefund(requestId)),
  });
  expect(await said(orderId, "refund")).toContainEqual(["request_refused", null, finance.email]);
  const [key] = await db.execute<{ id: string }>(sql`
    select k.id from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${orderId}`);
  await requestReplacement(buyer.viewer, { library_id: key!.id, reason: "It does not work." });
  const [request] = await db.execute<{ id: string }>(
    sql`select id from replacement_requests where key_id = ${key!.id}`,
  );
  await refuseConsoleReplacement(finance.viewer, request!.id, {
    reason: "The vendor says it works.",
    ...(await seenReplacement(request!.id)),
  });
  expect(await said(orderId, "key")).toContainEqual(["replacement_refused", key!.id, finance.email]);
  const text = JSON.stringify((await getConsoleOrder(orderId, "en")).timeline);
  for (const { id } of [finance, admin]) expect(text).not.toContain(id);
});

it("the timeline of an order shows nothing of an earlier order that held the same code", async () => {
  const { id } = await createSinglePlan({ keys: 1 });
  const earlier = await sale.orderPlan(await sale.createBuyer(), id);
  await sale.expireHold(earlier);
  const orderId = await sale.sell(await sale.createBuyer(), id);
  await sale.runQueue();
  const events = (await said(orderId, "key")).map(([event]) => event);
  expect(events.slice(0, 2)).toEqual(["reserved", "assigned"]);
  expect(events).not.toContain("released");
});

describe("codes that were not mailed", () => {
  const aboutCodes = async (orderId: string) => ({
    assigned: (await said(orderId, "order")).find(([event]) => event === "assigned")![1],
    mails: (await said(orderId, "email")).map(([event, detail]) => `${event} ${detail}`),
    shown: (await getConsoleOrder(orderId, "en")).mails.map(({ codes }) => codes),
  });

  it.each([
    ["without consent to immediate delivery", { immediate_delivery: false }, "no_consent"],
    ["by the choice of their buyer", { keep_in_library: true }, "by_choice"],
  ] as const)("are said to be in the library: %s", async (_, choice, reason) => {
    const orderId = await sale.sellWithChoice(await sale.createBuyer(), planId, choice);
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("shipped");
    expect(await aboutCodes(orderId)).toEqual({
      assigned: reason,
      mails: ["queued keys.none", "sent keys.none"],
      shown: ["none"],
    });
  });

  it("are not mentioned when all codes were mailed", async () => {
    const orderId = await sale.sell(await sale.createBuyer(), planId);
    await sale.runQueue();
    expect(await aboutCodes(orderId)).toEqual({
      assigned: null,
      mails: ["queued keys", "sent keys"],
      shown: ["all"],
    });
  });
});

it("the timeline of an order names a merchant's token, the shell's user, and who showed a code on which device", async () => {
  const token = await createApiToken(await createMerchant());
  const buyer = await sale.createBuyer();
  const [byToken, byShell] = [await askRefund(buyer, planId), await askRefund(buyer, planId)];
  const refuse = (id: string, by: string) =>
    decideRefundRequest(id, { decision: "refused", by, note: "used" });
  await refuse(byToken.requestId, `token:${token.id}`);
  await refuse(byShell.requestId, "staff:mara");
  expect(await said(byToken.orderId, "refund")).toContainEqual(["request_refused", null, "API · Test"]);
  expect(await said(byShell.orderId, "refund")).toContainEqual(["request_refused", null, "staff:mara"]);
  await db.execute(sql`
    insert into key_events (key_id, event, order_line_id, actor)
    select k.id, 'revealed', k.order_line_id, ${`${buyer.id} Firefox, Linux`} from keys k where k.order_line_id = ${byShell.lineId}`);
  const { timeline } = await getConsoleOrder(byShell.orderId, "en");
  expect(timeline.find(({ event }) => event === "revealed")).toMatchObject({
    actor: buyer.email,
    device: "Firefox, Linux",
  });
  expect(JSON.stringify(timeline)).not.toContain(buyer.id);
});

it("an order with a running payment says that its cancellation was requested", async () => {
  const buyer = await sale.createBuyer();
  const orderId = await sale.orderPlan(buyer, planId);
  const { intentId } = await sale.pay(buyer, orderId, "silent");
  await settlePayment(intentId);
  expect((await getConsoleOrder(orderId, "en")).cancel_requested).toBe(false);
  await db.execute(sql`update orders set cancel_requested_at = shop_now() where id = ${orderId}`);
  expect((await getConsoleOrder(orderId, "en")).cancel_requested).toBe(true);
  await cancelOrder(buyer.viewer, { order_id: orderId });
  expect(await getConsoleOrder(orderId, "en")).toMatchObject({
    status: "cancelled",
    cancel_requested: false,
  });
});
