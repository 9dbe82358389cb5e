import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createKeys, createSinglePlan, type PlanInput } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { createStaff } from "@/db/factories/staff";
import { deleteAccount } from "@/lib/accounts/erasure/delete-account";
import { exportAccount } from "@/lib/accounts/export/export-account";
import { type CustodyProblem, verifyCustody } from "@/lib/delivery/custody/verify-custody";
import { activatePass } from "@/lib/delivery/library/activate-pass";
import { listLibrary } from "@/lib/delivery/library/list-library";
import { approveReplacement } from "@/lib/delivery/replacement/decide-replacement";
import { requestReplacement } from "@/lib/delivery/replacement/request-replacement";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { UNVERIFIED_MAILS_TO_RECIPIENT } from "@/lib/notifications/rules";
import { ConsoleWarningsInput } from "@/lib/orders/console/contract-warnings";
import { releaseWarning } from "@/lib/orders/console/decide-warnings";
import { getConsoleOrder } from "@/lib/orders/console/get-console-order";
import { listConsoleWarnings } from "@/lib/orders/console/list-console-warnings";
import { sendMailAgain } from "@/lib/orders/console/send-mail-again";
import { chooseDelivery } from "@/lib/orders/delivery-options/choose-delivery";
import { updateDispute } from "@/lib/orders/disputes/update-dispute";
import { getOrder } from "@/lib/orders/find-order";
import { assignWaitingOrders } from "@/lib/orders/fulfilment/assign-waiting-orders";
import { resendKeys } from "@/lib/orders/fulfilment/resend-keys";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { claimGift } from "@/lib/orders/gifts/claim-gift";
import type { SaveGiftInput } from "@/lib/orders/gifts/contract";
import { deleteAbandonedGifts, deliverGifts } from "@/lib/orders/gifts/deliver-gifts";
import { listGivenGifts } from "@/lib/orders/gifts/list-given-gifts";
import { resendGift } from "@/lib/orders/gifts/resend-gift";
import { removeGift, saveGift } from "@/lib/orders/gifts/save-gift";
import { viewGiftLink } from "@/lib/orders/gifts/view-gift-link";
import { completeFreeOrder } from "@/lib/orders/payment/complete-free-order";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { withdrawFromOrder } from "@/lib/orders/withdrawal/withdraw-from-order";
import { formatDate, formatMoment } from "@/lib/platform/format";
import { warnOfSandboxPayment } from "@/lib/platform/stripe/sandbox/radar";
import { addDays, zonedDay } from "@/lib/platform/zoned-day";
import { createReview } from "@/lib/reviews/create-review";
import { uniqueEmail } from "../setup/accounts";
import { getErrorName } from "../setup/error-name";
import { rounds } from "../setup/rounds";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";
import { disputeSandboxPayment } from "../setup/sandbox-bank";

registerSaleHooks({ runJobs: true });
const MESSAGE = "Happy birthday, little sister";
let giver: sale.Buyer;
let recipient: sale.Buyer;
beforeEach(async () => {
  giver = await sale.createBuyer();
  recipient = await sale.createBuyer();
});

const createTestPlan = async (input: PlanInput = {}) =>
  (await createSinglePlan({ type: "month", keys: 5, ...input })).id;
const today = () => zonedDay(new Date(), "UTC");
const save = (orderId: string, input: Partial<SaveGiftInput> = {}, timeZone = "UTC") =>
  saveGift(
    giver.viewer,
    { order_id: orderId, recipient_email: recipient.email, message: MESSAGE, ...input },
    "en",
    timeZone,
  );
const getGiftOf = async (orderId: string) => (await getOrder(giver.viewer, orderId, "en")).gift;
const listGiftMails = async (to = recipient.email) =>
  ((await findMailboxMails(to)) ?? []).filter((mail) => mail.event === "gift");
const readToken = (text: string) => /\/gift\/([\w-]+)/.exec(text)![1]!;
/** The token of the newest email. */
const newestToken = async (to = recipient.email) => readToken((await listGiftMails(to))[0]!.text);
/** Runs the minute's job, and the emails that it queues. */
const runDelivery = async () => {
  await deliverGifts();
  await sale.runQueue();
};
/** A paid gift whose email is sent. */
async function give(
  planId: number,
  { quantity = 1, ...input }: Partial<SaveGiftInput> & { quantity?: number } = {},
) {
  const orderId = await sale.orderPlan(giver, planId, quantity);
  await save(orderId, input);
  await sale.pay(giver, orderId);
  await sale.processEvents();
  await runDelivery();
  return orderId;
}
const claim = (token: string, by = recipient) => claimGift(by.viewer, { token });
const codesOf = async (user: sale.Buyer) => (await listLibrary(user.viewer, "en")).items;
const listCustody = async (keyId: string) =>
  (
    await db.execute<{ event: string }>(sql`select event from key_events where key_id = ${keyId} order by id`)
  ).map(({ event }) => event);
const refundLine = async (orderId: string) => {
  const [line] = (await getOrder(giver.viewer, orderId, "en")).order_products;
  return requestRefund(giver.viewer, { order_id: orderId, order_product_id: line!.order_product_id }, "en");
};

describe("a gift", () => {
  it("is due until its email is sent, and on a later day not before its morning", async () => {
    const [planId, otherId] = [await createTestPlan(), await createTestPlan()];
    const [now, later] = [await sale.orderPlan(giver, planId), await sale.orderPlan(giver, otherId)];
    expect((await save(now)).gift).toMatchObject({ state: "scheduled", due: true });
    expect((await save(later, { deliver_on: addDays(today(), 2) })).gift).toMatchObject({ due: false });
    await sale.pay(giver, now);
    await sale.processEvents();
    await runDelivery();
    expect(await getGiftOf(now)).toMatchObject({ state: "sent", due: false });
    const [receipt] = ((await findMailboxMails(giver.email)) ?? []).filter(({ event }) => event === "keys");
    expect(receipt!.text).toContain("We are emailing the link to the recipient now.");
  });

  it("is paid out to its merchant after the last day to claim, also when the giver moves its day or keeps it", async () => {
    const orderId = await give(await createTestPlan(), { deliver_on: addDays(today(), 2) });
    const payableInDays = async () => {
      const [row] = await db.execute<{ days: number }>(sql`
        select extract(epoch from s.available_at - shop_now())::float8 / 86400 as days
        from merchant_sales s join order_lines l on l.id = s.line_id where l.order_id = ${orderId}`);
      return row!.days;
    };
    const before = await payableInDays();
    expect(before).toBeGreaterThan(30);
    await save(orderId, { deliver_on: addDays(today(), 62) });
    expect((await payableInDays()) - before).toBeCloseTo(60, 0);
    await removeGift(giver.viewer, { order_id: orderId });
    expect(await payableInDays()).toBeLessThan(before);
  });

  it("is mailed only after the payment, without the giver's words, and shows the message behind its link", async () => {
    const orderId = await sale.orderPlan(giver, await createTestPlan());
    await save(orderId);
    await runDelivery();
    expect(await listGiftMails()).toEqual([]);
    await sale.pay(giver, orderId, "succeeded", { immediate_delivery: true });
    await sale.processEvents();
    await runDelivery();
    const [mail, ...more] = await listGiftMails();
    expect(more).toEqual([]);
    for (const word of [MESSAGE, giver.email, giver.username, "PL-"])
      expect(`${mail!.subject} ${mail!.text}`).not.toContain(word);
    const token = readToken(mail!.text);
    expect(await viewGiftLink({ kind: "guest", locale: "en" }, token, "en")).toMatchObject({
      state: "open",
      yours: false,
      message: MESSAGE,
      passes: [{ quantity: 1 }],
    });
    const [stored] = await db.execute<{ row: string }>(
      sql`select (select to_jsonb(g)::text from gifts g where order_id = ${orderId}) || (select jsonb_agg(refs)::text from mails) as row`,
    );
    expect(stored!.row).not.toContain(token);
    expect(await getGiftOf(orderId)).toMatchObject({ state: "sent", can_resend: true, can_change: false });
  });

  it("names one deadline for the claim, in the email with the giver's time zone", async () => {
    const to = uniqueEmail();
    const orderId = await sale.orderPlan(giver, await createTestPlan());
    await save(orderId, { recipient_email: to }, "Asia/Tokyo");
    await sale.pay(giver, orderId);
    await sale.processEvents();
    await runDelivery();
    const until = (await getGiftOf(orderId))!.claim_until!;
    expect((await listGiftMails(to))[0]!.text).toContain(formatMoment(until, "en", "Asia/Tokyo"));
  });

  it("gives its codes to no one until it is claimed, then to the claimer, unrevealed until shown with consent", async () => {
    const orderId = await give(await createTestPlan(), { quantity: 2 });
    expect(await codesOf(giver)).toEqual([]);
    expect((await getOrder(giver.viewer, orderId, "en")).order_products[0]!.keys).toEqual([]);
    const other = await sale.createBuyer();
    const claimed = await claim(await newestToken(), other); // another address than the email's
    expect(claimed.library_ids).toHaveLength(2);
    const [item] = await codesOf(other);
    expect(item).toMatchObject({ seen: false, needs_consent: true, order_id: null });
    expect(item!.gift_claimed_at).toBe(claimed.claimed_at);
    const reveal = { library_id: item!.library_id };
    expect(await getErrorName(revealKey(giver.viewer, reveal))).toBe("key_unknown");
    expect(await getErrorName(revealKey(recipient.viewer, reveal))).toBe("key_unknown");
    expect(await getErrorName(activatePass(other.viewer, reveal))).toBe("code_unrevealed");
    await revealKey(other.viewer, reveal, "ja");
    const [key] = await db.execute<{ consent: object }>(
      sql`select consent from keys where id = ${item!.library_id}`,
    );
    expect(key!.consent).toMatchObject({ source: "revealed", wording: { locale: "ja" } });
    await activatePass(other.viewer, reveal);
    expect(await getErrorName(activatePass(giver.viewer, reveal))).toBe("key_unknown");
    expect(await getErrorName(resendKeys(giver.viewer, { order_id: orderId }))).toBe("key_unknown");
    expect(await sale.getOrderStatus(orderId)).toBe("shipped");
    const [line] = (await getOrder(giver.viewer, orderId, "en")).order_products;
    expect(line!.review).toBe("none"); // The giver has not used the pass.
    const review = {
      order_id: orderId,
      product_id: line!.product_id,
      rating: 5,
      title: "Good",
      content: "Good",
    };
    expect(await getErrorName(createReview(giver.viewer, review))).toBe("review_not_bought");
    await revealKey(other.viewer, { library_id: claimed.library_ids.find((id) => id !== item!.library_id)! });
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
    expect(await listCustody(item!.library_id)).toEqual([
      "imported",
      "reserved",
      "assigned",
      "gift_sent",
      "gift_claimed",
      "revealed",
      "activated",
    ]);
    const problems: CustodyProblem[] = [];
    await verifyCustody((problem) => problems.push(problem));
    expect(problems.filter(({ keyId }) => keyId === item!.library_id)).toEqual([]);
  });

  it("requires a verified account, and its link works once", async () => {
    await give(await createTestPlan());
    const token = await newestToken();
    const unverified = await sale.createBuyer({ verified: false });
    expect(await getErrorName(claim(token, unverified))).toBe("email_unverified");
    const first = await claim(token);
    expect(await claim(token)).toEqual(first);
    const other = await sale.createBuyer();
    expect(await getErrorName(claim(token, other))).toBe("gift_claimed");
    expect(await getErrorName(claim("wrong", other))).toBe("gift_link_invalid");
    expect(await viewGiftLink(other.viewer, token, "en")).toMatchObject({
      state: "claimed",
      message: "",
      passes: [],
    });
    expect(await viewGiftLink(recipient.viewer, token, "en")).toMatchObject({
      yours: true,
      message: MESSAGE,
    });
  });

  it("waits for its day, in the giver's time zone, at most 90 days", async () => {
    const planId = await createTestPlan();
    const orderId = await sale.orderPlan(giver, planId);
    for (const deliver_on of [addDays(today(), -2), addDays(today(), 92)])
      expect(await getErrorName(save(orderId, { deliver_on }))).toBe("gift_date_wrong");
    const day = addDays(today(), 3);
    await save(orderId, { deliver_on: day }, "Asia/Tokyo");
    const [gift] = await db.execute<{ at: string }>(
      sql`select send_at as at from gifts where order_id = ${orderId}`,
    );
    expect(new Date(gift!.at).toISOString()).toBe(`${addDays(day, -1)}T23:00:00.000Z`); // 8:00 in Tokyo
    await sale.pay(giver, orderId);
    await sale.processEvents();
    await sale.setClockAhead("1 day");
    await runDelivery();
    expect(await listGiftMails()).toEqual([]);
    expect(await getErrorName(resendGift(giver.viewer, { order_id: orderId }))).toBe("gift_unsent");
    await sale.setClockAhead("3 days");
    await runDelivery();
    expect(await listGiftMails()).toHaveLength(1);
    expect(await sale.countKeysByState(planId)).toEqual({ assigned: 1, available: 4 });
  });

  it("reserves codes that last until its day plus 30 days and the margin, and names the last day when too few do", async () => {
    const planId = await createTestPlan();
    const dayIn = (days: number) => addDays(new Date().toISOString().slice(0, 10), days);
    const codes = await db.execute<{ id: string }>(
      sql`select id from keys where plan_id = ${planId} order by created_at, id`,
    );
    // Five codes: two end early, two last until a gift in 40 days, one until a gift in 60 days.
    for (const [index, days] of [40, 50, 84, 84, 104].entries())
      await db.execute(sql`
        update keys set redeem_by = ${dayIn(days)}::date + interval '1 day' - interval '1 second' where id = ${codes[index]!.id}`);
    const reserved = async () => {
      const rows = await db.execute<{ id: string }>(
        sql`select id from keys where plan_id = ${planId} and state = 'reserved' order by redeem_by, created_at, id`,
      );
      return rows.map(({ id }) => codes.findIndex((code) => code.id === id));
    };
    const orderId = await sale.orderPlan(giver, planId, 2);
    expect(await reserved()).toEqual([0, 1]);
    const tooLate = await save(orderId, { deliver_on: dayIn(41) }, "UTC").catch((error) => error);
    expect(tooLate).toMatchObject({ error: "gift_too_late", issues: [{ path: "deliver_on" }] });
    expect(tooLate.params.day).toBe(formatDate(dayIn(40), "en", "UTC"));
    expect(await reserved()).toEqual([0, 1]);
    await save(orderId, { deliver_on: dayIn(10) }, "UTC");
    expect(await reserved()).toEqual([2, 3]);
    await save(orderId, { deliver_on: dayIn(40) }, "UTC");
    expect(await reserved()).toEqual([2, 3]);
    await sale.pay(giver, orderId);
    await sale.processEvents();
    await sale.runQueue();
    expect(await getErrorName(save(orderId, { deliver_on: dayIn(41) }, "UTC"))).toBe("gift_too_late");
    await save(orderId, { deliver_on: dayIn(20) }, "UTC");
    expect(await sale.countKeysByState(planId)).toEqual({ assigned: 2, available: 3 });
  });

  it("is refused when no code lasts long enough for any day, and after payment waits for one that does", async () => {
    const planId = await createTestPlan();
    await db.execute(
      sql`update keys set redeem_by = shop_now() + interval '30 days' where plan_id = ${planId}`,
    );
    const orderId = await sale.orderPlan(giver, planId);
    expect(await getErrorName(save(orderId))).toBe("gift_codes_expire");
    await db.execute(sql`update keys set redeem_by = null where plan_id = ${planId} and state = 'available'`);
    await save(orderId);
    await sale.pay(giver, orderId);
    await db.execute(sql`update keys set state = 'available', order_line_id = null, slot = null, reserved_at = null,
      redeem_by = shop_now() + interval '30 days' where plan_id = ${planId}`);
    await sale.processEvents();
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("processing");
    await db.execute(sql`update keys set redeem_by = shop_now() + interval '90 days' where id =
      (select id from keys where plan_id = ${planId} limit 1)`);
    await assignWaitingOrders(planId);
    expect(await sale.getOrderStatus(orderId)).toBe("shipped");
  });

  it("that waits blocks the sale of a code only if it can use it", async () => {
    const planId = await createTestPlan({ availability: "pre_order", keys: 0 });
    const orderId = await sale.orderPlan(giver, planId);
    await save(orderId, { deliver_on: addDays(today(), 60) });
    await sale.pay(giver, orderId);
    await sale.processEvents();
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("processing");
    await db.execute(sql`update plans set availability = 'in_stock' where id = ${planId}`);
    await createKeys(planId, 2);
    await db.execute(
      sql`update keys set redeem_by = shop_now() + interval '40 days' where plan_id = ${planId}`,
    );
    await assignWaitingOrders(planId);
    expect(await sale.getOrderStatus(orderId)).toBe("processing");
    await sale.orderPlan(await sale.createBuyer(), planId);
    await db.execute(sql`update keys set redeem_by = null where plan_id = ${planId} and state = 'available'`);
    const rival = sale.orderPlan(await sale.createBuyer(), planId);
    expect(await getErrorName(rival)).toBe("sold_out");
  });

  it("of a pre-order is mailed when the codes are delivered", async () => {
    const planId = await createTestPlan({ availability: "pre_order", keys: 0 });
    const orderId = await give(planId);
    expect(await sale.getOrderStatus(orderId)).toBe("processing");
    expect(await listGiftMails()).toEqual([]);
    await createKeys(planId, 1);
    await assignWaitingOrders(planId);
    await runDelivery();
    expect(await listGiftMails()).toHaveLength(1);
  });

  it("of a free pass is claimed like any other", async () => {
    const planId = await createTestPlan({ priceCents: 0, purchaseLimit: 1 });
    const orderId = await sale.orderPlan(giver, planId);
    await save(orderId);
    await completeFreeOrder(giver.viewer, { order_id: orderId, immediate_delivery: true });
    expect(await sale.getOrderStatus(orderId)).toBe("shipped");
    await runDelivery();
    await claim(await newestToken());
    expect(await codesOf(recipient)).toHaveLength(1);
    // The limit counts for the giver, not for the recipient.
    const line = await createCartLine(giver.id, planId);
    const again = placeOrder(giver.viewer, { cart_record_ids: [line] }, "en");
    expect(await getErrorName(again)).toBe("purchase_limit");
    await sale.orderPlan(recipient, planId);
  });

  it("cannot be delivered to its giver through a delivery choice, before or with the payment", async () => {
    const orderId = await sale.orderPlan(giver, await createTestPlan());
    await chooseDelivery(giver.viewer, { order_id: orderId, immediate_delivery: true });
    await save(orderId);
    const choice = await chooseDelivery(giver.viewer, { order_id: orderId, immediate_delivery: true });
    expect(choice.immediate_delivery).toBe(false);
    await sale.pay(giver, orderId, "succeeded", { immediate_delivery: true });
    await sale.processEvents();
    const [line] = (await getOrder(giver.viewer, orderId, "en")).order_products;
    expect(line).toMatchObject({ immediate_delivery: false, consent_source: null });
    const [mail] = ((await findMailboxMails(giver.email)) ?? []).filter(({ event }) => event === "keys");
    expect(mail!.subject).toContain("Your gift is ready");
    expect(mail!.text).not.toContain(recipient.email);
  });
});

describe("the giver", () => {
  it("changes recipient and day until the email is sent, or keeps the codes", async () => {
    const orderId = await sale.orderPlan(giver, await createTestPlan());
    const day = addDays(today(), 5);
    await save(orderId, { deliver_on: day });
    await sale.pay(giver, orderId);
    await sale.processEvents();
    const other = await sale.createBuyer();
    await save(orderId, { recipient_email: other.email, deliver_on: day });
    expect(await getGiftOf(orderId)).toMatchObject({ recipient_email: other.email, can_change: true });
    await sale.setClockAhead("6 days");
    await runDelivery();
    expect([(await listGiftMails()).length, (await listGiftMails(other.email)).length]).toEqual([0, 1]);
    expect(await getErrorName(save(orderId))).toBe("gift_fixed");
    expect(await getErrorName(removeGift(giver.viewer, { order_id: orderId }))).toBe("gift_fixed");
    const kept = await sale.orderPlan(giver, await createTestPlan());
    await save(kept, { deliver_on: addDays(today(), 30) });
    await sale.pay(giver, kept);
    await sale.processEvents();
    expect((await removeGift(giver.viewer, { order_id: kept })).gift).toMatchObject({ state: "returned" });
    const [item] = await codesOf(giver);
    expect(item).toMatchObject({ order_id: kept, needs_consent: true });
  });

  it("cannot turn a paid order into a gift or change another user's", async () => {
    const paid = await sale.sell(giver, await createTestPlan());
    expect(await getErrorName(save(paid))).toBe("gift_fixed");
    const orderId = await sale.orderPlan(giver, await createTestPlan());
    const input = { order_id: orderId, recipient_email: recipient.email };
    expect(await getErrorName(saveGift(recipient.viewer, input, "en", null))).toBe("order_unknown");
    expect(await getErrorName(removeGift(recipient.viewer, input))).toBe("order_unknown");
    expect(await getErrorName(resendGift(recipient.viewer, input))).toBe("order_unknown");
    expect(await getErrorName(resendGift(giver.viewer, input))).toBe("gift_unknown");
    await save(orderId);
    expect((await removeGift(giver.viewer, input)).gift).toBeNull();
  });

  it("lets staff resend it to its recipient until it is claimed", async () => {
    const { viewer } = await createStaff({ roles: ["support"] });
    const orderId = await give(await createTestPlan());
    const [sent] = await db.execute<{ id: string }>(
      sql`select id from mails where event = 'gift' and refs->>'orderId' = ${orderId}`,
    );
    expect(await sendMailAgain(viewer, sent!.id)).toMatchObject({
      to_address: recipient.email,
      state: "queued",
    });
    await sale.runQueue();
    expect(await listGiftMails()).toHaveLength(2);
    await claim(await newestToken());
    expect(await getErrorName(sendMailAgain(viewer, sent!.id))).toBe("mail_not_repeatable");
  });

  it("sends a new link at most three times a day, which voids the old one", async () => {
    const orderId = await give(await createTestPlan());
    const old = await newestToken();
    for (let attempt = 0; attempt < 3; attempt++) await resendGift(giver.viewer, { order_id: orderId });
    expect(await getErrorName(resendGift(giver.viewer, { order_id: orderId }))).toBe("too_many_requests");
    await sale.runQueue();
    expect(await getErrorName(claim(old))).toBe("gift_link_invalid");
    const tokens = (await listGiftMails()).map(({ text }) => readToken(text));
    expect(new Set(tokens).size).toBe(tokens.length);
    const results = await Promise.all(tokens.map((token) => getErrorName(claim(token))));
    expect(results.filter((result) => result === null)).toHaveLength(1);
  });

  it("may correct an undeliverable address", async () => {
    const orderId = await give(await createTestPlan());
    await db.execute(
      sql`update mails set state = 'failed' where event = 'gift' and refs->>'orderId' = ${orderId}`,
    );
    const old = await newestToken();
    expect(await getGiftOf(orderId)).toMatchObject({ email_failed: true, can_change: true });
    const other = await sale.createBuyer();
    await save(orderId, { recipient_email: other.email });
    expect(await getErrorName(claim(old))).toBe("gift_link_invalid");
    await runDelivery();
    await claim(await newestToken(other.email));
  });

  it("sees the gift in the library and on the order, as do staff", async () => {
    const orderId = await give(await createTestPlan());
    expect(await listGivenGifts(giver.viewer, "en")).toMatchObject([
      { order_id: orderId, gift: { state: "sent" } },
    ]);
    await claim(await newestToken());
    expect(await getGiftOf(orderId)).toMatchObject({ state: "claimed", can_resend: false });
    expect((await getConsoleOrder(orderId, "en")).gift).toMatchObject({
      state: "claimed",
      claimed_by: recipient.email,
    });
  });
});

describe("an unclaimed gift", () => {
  it("returns to the giver's library after 30 days with an email, and its link says so", async () => {
    const orderId = await give(await createTestPlan());
    const token = await newestToken();
    await sale.setClockAhead("29 days");
    await runDelivery();
    expect(await getGiftOf(orderId)).toMatchObject({ state: "sent" });
    await sale.setClockAhead("30 days 1 hour");
    expect(await getErrorName(claim(token))).toBe("gift_returned"); // also before the job has run
    await runDelivery();
    expect(await viewGiftLink(recipient.viewer, token, "en")).toMatchObject({
      state: "returned",
      message: "",
    });
    const [item] = await codesOf(giver);
    expect(item).toMatchObject({ order_id: orderId, seen: false, needs_consent: true });
    const returned = ((await findMailboxMails(giver.email)) ?? []).filter(
      ({ event }) => event === "gift-returned",
    );
    expect(returned).toHaveLength(1);
    expect(await listCustody(item!.library_id)).toContain("gift_returned");
    await revealKey(giver.viewer, { library_id: item!.library_id });
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
  });
});

describe("a refund of a gift", () => {
  it("goes to the payer while the code is unrevealed, claimed or not, and the link says so", async () => {
    const open = await give(await createTestPlan());
    const openToken = await newestToken();
    expect((await refundLine(open)).state).toBe("approved");
    expect(await getErrorName(claim(openToken))).toBe("gift_refunded");
    const claimed = await give(await createTestPlan());
    const token = await newestToken();
    await claim(token);
    expect((await refundLine(claimed)).state).toBe("approved");
    expect(await viewGiftLink(recipient.viewer, token, "en")).toMatchObject({ state: "refunded" });
    expect(await codesOf(recipient)).toEqual([]);
    await sale.runQueue();
    const mails = ((await findMailboxMails(giver.email)) ?? []).filter(({ event }) => event === "refund");
    expect(mails).toHaveLength(2);
    expect(mails[0]!.text).toContain("The refunded codes no longer work.");
  });

  it("is refused once the recipient has revealed the code", async () => {
    const orderId = await give(await createTestPlan());
    const { library_ids } = await claim(await newestToken());
    await revealKey(recipient.viewer, { library_id: library_ids[0]! });
    const [line] = (await getOrder(giver.viewer, orderId, "en")).order_products;
    expect(line).toMatchObject({ can_refund: false, refund: { reason: "gift_seen" } });
    expect(await getErrorName(refundLine(orderId))).toBe("refund_not_allowed");
    const withdrawal = await withdrawFromOrder(
      giver.viewer,
      { order_id: orderId, confirm: true },
      "en",
      "203.0.113.7",
    );
    expect(withdrawal.refund_amount).toBe(0);
  });

  it("waits, as the claim does, while the payment is disputed, which extends the time to claim", async () => {
    const orderId = await sale.orderPlan(giver, await createTestPlan());
    await save(orderId);
    const { intentId } = await sale.pay(giver, orderId);
    await sale.processEvents();
    await runDelivery();
    const token = await newestToken();
    const before = (await getGiftOf(orderId))!.claim_until!;
    const disputeId = (await disputeSandboxPayment(intentId, "needs_response"))!;
    await updateDispute(disputeId);
    expect(await getErrorName(claim(token))).toBe("gift_disputed");
    expect(await getErrorName(resendGift(giver.viewer, { order_id: orderId }))).toBe("gift_disputed");
    await sale.setClockAhead("40 days");
    await runDelivery();
    await disputeSandboxPayment(intentId, "won");
    await updateDispute(disputeId);
    const after = (await getGiftOf(orderId))!.claim_until!;
    expect(Date.parse(after) - Date.parse(before)).toBeGreaterThan(39 * 86_400_000);
    await claim(token);
  });

  /** A gift that was sent; `until`: when its claim ends, in milliseconds. */
  async function sendGift() {
    const orderId = await sale.orderPlan(giver, await createTestPlan({ priceCents: 4_000 }));
    await save(orderId);
    const { intentId } = await sale.pay(giver, orderId);
    await sale.processEvents();
    await runDelivery();
    const until = async () => Date.parse((await getGiftOf(orderId))!.claim_until!);
    return { orderId, intentId, token: await newestToken(), until };
  }

  async function release(warningId: string): Promise<void> {
    const { viewer } = await createStaff({ roles: ["finance"] });
    const { items } = await listConsoleWarnings(ConsoleWarningsInput.parse({}));
    const { version } = items.find(({ warning_id }) => warning_id === warningId)!;
    await releaseWarning(viewer, warningId, { version, note: "The buyer is known to us." });
  }

  it("waits, as the claim does, while a fraud warning is undecided, and has as many days more afterwards", async () => {
    const { orderId, intentId, token, until } = await sendGift();
    const before = await until();
    const warningId = (await warnOfSandboxPayment(intentId))!;
    await sale.processEvents();
    expect(await getErrorName(claim(token))).toBe("gift_disputed");
    expect(await getErrorName(resendGift(giver.viewer, { order_id: orderId }))).toBe("gift_disputed");
    await sale.setClockAhead("10 days");
    await release(warningId);
    expect((await until()) - before).toBeGreaterThan(9 * 86_400_000);
    await claim(token);
  });

  it("has the days of two fraud warnings that overlap once, after the last one", async () => {
    const { orderId, intentId, token, until } = await sendGift();
    const before = await until();
    const first = (await warnOfSandboxPayment(intentId))!;
    await sale.processEvents();
    await sale.setClockAhead("4 days");
    const second = `${first}_second`;
    await db.execute(sql`
      insert into fraud_warnings (id, order_id, intent_id, fraud_type, state) values (${second}, ${orderId}, ${intentId}, 'misc', 'open')`);
    await sale.setClockAhead("10 days");
    await release(first);
    expect(await until()).toBe(before);
    expect(await getErrorName(claim(token))).toBe("gift_disputed");
    await sale.setClockAhead("12 days");
    await release(second);
    expect(Math.round((await until()) - before) / 86_400_000).toBeCloseTo(12, 1);
    await claim(token);
  });

  it("has the days of a fraud warning and of the dispute that ended it", async () => {
    const { intentId, until } = await sendGift();
    const before = await until();
    await warnOfSandboxPayment(intentId);
    await sale.processEvents();
    await sale.setClockAhead("4 days");
    const disputeId = (await disputeSandboxPayment(intentId, "needs_response"))!;
    await updateDispute(disputeId);
    await sale.setClockAhead("10 days");
    await disputeSandboxPayment(intentId, "won");
    await updateDispute(disputeId);
    expect(((await until()) - before) / 86_400_000).toBeCloseTo(10, 1);
  });

  it("after a lost dispute leaves nothing to claim", async () => {
    const orderId = await sale.orderPlan(giver, await createTestPlan());
    await save(orderId);
    const { intentId } = await sale.pay(giver, orderId);
    await sale.processEvents();
    await runDelivery();
    const token = await newestToken();
    await updateDispute((await disputeSandboxPayment(intentId, "lost"))!);
    expect(await getErrorName(claim(token))).toBe("gift_refunded");
  });
});

describe("races of a gift", () => {
  it("give two concurrent claims one winner", async () => {
    for (let round = 0; round < rounds(6, 2); round++) {
      const orderId = await give(await createTestPlan());
      const token = await newestToken();
      const others = await Promise.all([sale.createBuyer(), sale.createBuyer(), sale.createBuyer()]);
      const results = await Promise.all(others.map((other) => getErrorName(claim(token, other))));
      expect(results.sort()).toEqual(["gift_claimed", "gift_claimed", null].sort());
      const owners = await Promise.all(others.map(async (other) => (await codesOf(other)).length));
      expect(owners.reduce((sum, count) => sum + count, 0)).toBe(1);
      expect((await getGiftOf(orderId))!.state).toBe("claimed");
    }
  });

  it("leave the code with one of the two when a claim races the return", async () => {
    for (let round = 0; round < rounds(6, 2); round++) {
      const orderId = await give(await createTestPlan());
      const token = await newestToken();
      const claimer = await sale.createBuyer();
      // Some claims come before the end, others after it.
      await db.execute(
        sql`update gifts set claim_until = shop_now() + interval '15 milliseconds' where order_id = ${orderId}`,
      );
      const returning = (async () => {
        while ((await getGiftOf(orderId))!.state === "sent") await deliverGifts();
      })();
      await new Promise((resolve) => setTimeout(resolve, round * 5));
      const claimed = await getErrorName(claim(token, claimer));
      await returning;
      expect((await getGiftOf(orderId))!.state).toBe(claimed === null ? "claimed" : "returned");
      const mine = (await codesOf(giver)).filter((item) => item.order_id === orderId).length;
      const theirs = (await codesOf(claimer)).length;
      expect([mine, theirs]).toEqual(claimed === null ? [0, 1] : [1, 0]);
    }
  });

  it("never leave a refunded code readable when a claim races a refund", async () => {
    for (let round = 0; round < rounds(6, 2); round++) {
      const orderId = await give(await createTestPlan());
      const token = await newestToken();
      const claiming = claim(token)
        .then(({ library_ids }) => revealKey(recipient.viewer, { library_id: library_ids[0]! }))
        .then(
          () => "shown",
          () => "refused",
        );
      const refunding = refundLine(orderId).then(
        () => "refunded",
        () => "kept",
      );
      const outcome = await Promise.all([claiming, refunding]);
      expect([
        ["shown", "kept"],
        ["refused", "refunded"],
      ]).toContainEqual(outcome);
    }
  });
});

describe("a gift", () => {
  it("counts its emails against the budget of unverified addresses, and waits above it", async () => {
    const to = `stranger-${randomBytes(4).toString("hex")}@example.com`;
    const { limit } = UNVERIFIED_MAILS_TO_RECIPIENT[0];
    const spellings = Array.from({ length: limit + 1 }, (_, index) => to.replace("@", `+${index}@`));
    for (const recipient_email of spellings) {
      const orderId = await sale.orderPlan(giver, await createTestPlan());
      await save(orderId, { recipient_email });
      await sale.pay(giver, orderId);
    }
    await sale.processEvents();
    await runDelivery();
    const count = async () => {
      const [row] = await db.execute<{ n: number }>(
        sql`select count(*)::int as n from mails where event = 'gift' and to_address like ${to.replace("@", "+%@")}`,
      );
      return row!.n;
    };
    expect(await count()).toBe(limit);
    await sale.setClockAhead("61 minutes");
    await runDelivery();
    expect(await count()).toBe(limit + 1);
  });

  it("gives a replacement to the claimer, who does not learn the order or the price", async () => {
    const orderId = await give(await createTestPlan());
    const { library_ids } = await claim(await newestToken());
    await revealKey(recipient.viewer, { library_id: library_ids[0]! });
    const ask = { library_id: library_ids[0]!, reason: "used" };
    expect(await getErrorName(requestReplacement(giver.viewer, ask))).toBe("key_unknown");
    await requestReplacement(recipient.viewer, ask);
    const [request] = await db.execute<{ id: string }>(
      sql`select id from replacement_requests where key_id = ${library_ids[0]!}`,
    );
    await approveReplacement(request!.id, "usr_staff");
    await sale.runQueue();
    expect((await codesOf(recipient)).map((item) => item.library_id)).not.toContain(library_ids[0]);
    const [mail] = ((await findMailboxMails(recipient.email)) ?? []).filter(({ event }) => event === "keys");
    const { order_number } = await getOrder(giver.viewer, orderId, "en");
    for (const word of [orderId, order_number, "$"]) expect(mail!.text).not.toContain(word);
  });

  it("is exported by both sides and erased with either", async () => {
    const orderId = await give(await createTestPlan());
    const { library_ids } = await claim(await newestToken());
    await revealKey(recipient.viewer, { library_id: library_ids[0]! });
    const given = await exportAccount(giver.viewer);
    expect(given.orders[0]!.gift).toMatchObject({ recipient_email: recipient.email, message: MESSAGE });
    expect(given.orders[0]!.order_products[0]!.codes).toEqual([]);
    const received = await exportAccount(recipient.viewer);
    expect(received.gifts_claimed).toMatchObject([{ message: MESSAGE, passes: [{ code: "••••" }] }]);
    expect(JSON.stringify(received)).not.toContain(giver.email);
    await deleteAccount(recipient.viewer, { confirm: recipient.email }, "en");
    expect(await getGiftOf(orderId)).toMatchObject({ state: "claimed", recipient_email: null, message: "" });
  });

  it("is deleted after 30 days when its order was never paid", async () => {
    const orderId = await sale.orderPlan(giver, await createTestPlan());
    await save(orderId);
    await sale.expireHold(orderId);
    const count = async () => (await db.execute(sql`select 1 from gifts where order_id = ${orderId}`)).length;
    await deleteAbandonedGifts();
    expect(await count()).toBe(1);
    await sale.setClockAhead("31 days");
    await deleteAbandonedGifts();
    expect(await count()).toBe(0);
  });

  it("keeps its giver's account until the email is sent, and its link works afterwards", async () => {
    const orderId = await sale.orderPlan(giver, await createTestPlan());
    await save(orderId, { deliver_on: addDays(today(), 2) });
    await sale.pay(giver, orderId);
    await sale.processEvents();
    const deletion = () => deleteAccount(giver.viewer, { confirm: giver.email }, "en");
    expect(await getErrorName(deletion())).toBe("account_in_use");
    await save(orderId);
    await runDelivery();
    const token = await newestToken();
    await deletion();
    expect(await viewGiftLink(recipient.viewer, token, "en")).toMatchObject({ state: "open", message: "" });
    await claim(token);
    expect(await codesOf(recipient)).toHaveLength(1);
  });
});

describe("the giver's name", () => {
  const FROM = "Ann O’Brien-Lee";

  it("appears in the email's body and on the claim page, not in the subject or its preview", async () => {
    const orderId = await give(await createTestPlan(), { from_name: FROM });
    const [mail] = await listGiftMails();
    expect(mail!.text).toContain(`The giver writes: ${FROM}`);
    expect(mail!.subject).not.toContain("Ann");
    const token = readToken(mail!.text);
    const guest = { kind: "guest", locale: "en" } as const;
    expect(await viewGiftLink(guest, token, "en")).toMatchObject({ from_name: FROM });
    expect(await getGiftOf(orderId)).toMatchObject({ from_name: FROM });
    expect((await exportAccount(giver.viewer)).orders[0]!.gift).toMatchObject({ from_name: FROM });
  });

  it("is refused for a free order, and left out where a coupon makes it free later", async () => {
    const free = await createTestPlan({ type: "day", priceCents: 0 });
    const line = await createCartLine(giver.id, free);
    const { order_id } = await placeOrder(giver.viewer, { cart_record_ids: [line] }, "en");
    expect(await getErrorName(save(order_id, { from_name: FROM }))).toBe("gift_from_free");
    await save(order_id);
    await db.execute(sql`update gifts set from_name = ${FROM} where order_id = ${order_id}`);
    await completeFreeOrder(giver.viewer, { order_id, immediate_delivery: true });
    await sale.runQueue();
    await runDelivery();
    expect((await listGiftMails())[0]!.text).not.toContain(FROM);
    expect(await viewGiftLink({ kind: "guest", locale: "en" }, await newestToken(), "en")).toMatchObject({
      from_name: "",
    });
  });
});

describe("the second secret of the first email", () => {
  const readProof = (text: string) => /\/gift\/[\w-]+#([\w-]+)/.exec(text)?.[1];
  /** Creates an account with the recipient's unverified address. */
  const register = (email: string) => sale.createBuyer({ email, verified: false });
  const claimWith = (who: sale.Buyer, token: string, proof?: string) =>
    getErrorName(claimGift(who.viewer, { token, proof }));
  const isVerified = async ({ id }: sale.Buyer) =>
    (
      await db.execute<{ ok: boolean }>(
        sql`select email_verified_at is not null as ok from users where id = ${id}`,
      )
    )[0]!.ok;

  it("verifies an account with the address that it was sent to, once, when the gift is claimed", async () => {
    const to = uniqueEmail();
    const orderId = await give(await createTestPlan(), { recipient_email: to });
    const { text } = (await listGiftMails(to))[0]!;
    const [token, proof] = [readToken(text), readProof(text)!];
    const friend = await register(to);
    expect(await claimWith(friend, token)).toBe("email_unverified");
    expect(await claimWith(friend, token, `${proof}x`)).toBe("email_unverified");
    expect(await isVerified(friend)).toBe(false);
    expect(await claimWith(friend, token, proof)).toBeNull();
    expect([await isVerified(friend), (await codesOf(friend)).length]).toEqual([true, 1]);
    await db.execute(sql`update users set email_verified_at = null where id = ${friend.id}`);
    expect(await claimWith(friend, token, proof)).toBe("email_unverified"); // used
    const [stored] = await db.execute<{ row: string }>(
      sql`select (select to_jsonb(g)::text from gifts g where order_id = ${orderId}) || (select jsonb_agg(refs)::text from mails) as row`,
    );
    expect(stored!.row).not.toContain(proof);
  });

  it("is stored as a hash and shown to no giver, page or staff", async () => {
    const to = uniqueEmail();
    const orderId = await give(await createTestPlan(), { recipient_email: to });
    const { text } = (await listGiftMails(to))[0]!;
    const proof = readProof(text)!;
    const seen = JSON.stringify([
      await getOrder(giver.viewer, orderId, "en"),
      await listGivenGifts(giver.viewer, "en"),
      await exportAccount(giver.viewer),
      await viewGiftLink(giver.viewer, readToken(text), "en"),
      await getConsoleOrder(orderId, "en"),
      await db.execute(sql`select to_jsonb(g) from gifts g where order_id = ${orderId}`),
      await db.execute(sql`select refs from mails`),
    ]);
    expect(seen).not.toContain(proof);
  });

  it("verifies no other address, and expires after 72 hours", async () => {
    const to = uniqueEmail();
    await give(await createTestPlan(), { recipient_email: to });
    const { text } = (await listGiftMails(to))[0]!;
    const [token, proof] = [readToken(text), readProof(text)!];
    const other = await register(uniqueEmail());
    expect(await claimWith(other, token, proof)).toBe("email_unverified");
    expect(await isVerified(other)).toBe(false);
    const friend = await register(to);
    await sale.setClockAhead("72 hours 1 minute");
    expect(await claimWith(friend, token, proof)).toBe("email_unverified");
    expect(await isVerified(friend)).toBe(false);
  });

  it("is not in an email that the giver or staff send again, and is invalidated by a new link", async () => {
    const to = uniqueEmail();
    const orderId = await give(await createTestPlan(), { recipient_email: to });
    const [first] = await listGiftMails(to);
    const proof = readProof(first!.text)!;
    const staff = await createStaff({ roles: ["support"] });
    const [mail] = await db.execute<{ id: string }>(
      sql`select id from mails where event = 'gift' and to_address = ${to}`,
    );
    await sendMailAgain(staff.viewer, mail!.id);
    await sale.runQueue();
    const repeated = (await listGiftMails(to)).filter(({ text }) => readProof(text) === undefined);
    expect(repeated).toHaveLength(1);
    await resendGift(giver.viewer, { order_id: orderId });
    await sale.runQueue();
    const newest = (await listGiftMails(to))[0]!;
    expect(readProof(newest.text)).toBeUndefined();
    const friend = await register(to);
    expect(await claimWith(friend, readToken(newest.text), proof)).toBe("email_unverified");
    expect(await isVerified(friend)).toBe(false);
  });
});
