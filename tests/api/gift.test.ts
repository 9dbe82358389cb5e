import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { POST as claim } from "@/app/api/v1/gift/claim/route";
import { POST as view } from "@/app/api/v1/gift/view/route";
import { POST as remove } from "@/app/api/v1/order/gift/remove/route";
import { POST as resend } from "@/app/api/v1/order/gift/resend/route";
import { POST as save } from "@/app/api/v1/order/gift/save/route";
import { db, pool } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { updateDispute } from "@/lib/orders/disputes/update-dispute";
import { getOrder } from "@/lib/orders/find-order";
import { deliverGifts } from "@/lib/orders/gifts/deliver-gifts";
import { GIFT_MESSAGE_MAX } from "@/lib/orders/gifts/rules";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import type { Handler } from "@/lib/platform/api/declaration";
import { errorMessage } from "@/lib/platform/error-messages";
import { formatDate } from "@/lib/platform/format";
import { uniqueEmail } from "@/tests/setup/accounts";
import * as sale from "@/tests/setup/sale";
import { disputeSandboxPayment } from "@/tests/setup/sandbox-bank";
import { authHeaders, call } from "./call";

let giver: sale.Buyer;
beforeAll(sale.receiveEventsInProcess);
beforeEach(async () => {
  giver = await sale.createBuyer();
});
afterAll(sale.closeSale);

const send = (handler: Handler, path: string, body: object, user?: sale.Buyer) =>
  call(handler, path, { body, headers: { ...authHeaders(user), "time-zone": "Asia/Tokyo" } });
const saveGift = (order_id: string, fields: object = {}, user = giver) =>
  send(save, "/order/gift/save", { order_id, recipient_email: uniqueEmail(), ...fields }, user);
const order = async () => sale.orderPlan(giver, (await createSinglePlan({ type: "month", keys: 1 })).id);

/** A paid and sent gift; returns its order and the token of its link. */
async function give(fields: object = {}) {
  const orderId = await order();
  const recipient = uniqueEmail();
  await saveGift(orderId, { recipient_email: recipient, ...fields });
  const { intentId } = await sale.pay(giver, orderId);
  await sale.processEvents();
  await deliverGifts();
  await sale.runQueue();
  const [mail] = (await findMailboxMails(recipient))!;
  return { orderId, intentId, token: /\/gift\/([\w-]+)/.exec(mail!.text)![1]! };
}

describe("saving a gift", () => {
  it("returns the gift, with today in the giver's time zone as the default day", async () => {
    const email = uniqueEmail();
    const { status, body } = await saveGift(await order(), { recipient_email: email.toUpperCase() });
    expect(status).toBe(200);
    expect(body.data.gift).toMatchObject({ state: "scheduled", recipient_email: email, message: "" });
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Tokyo" }).format(new Date());
    expect(body.data.gift.deliver_on).toBe(today);
  });

  it.each([
    ["no address", { recipient_email: "nobody" }, "recipient_email"],
    ["a long message", { message: "x".repeat(GIFT_MESSAGE_MAX + 1) }, "message"],
    ["a day that has passed", { deliver_on: "2020-01-01" }, "deliver_on"],
    ["a day too far ahead", { deliver_on: "2999-01-01" }, "deliver_on"],
    ["no day", { deliver_on: "tomorrow" }, "deliver_on"],
    ["a day that does not exist", { deliver_on: "2027-02-30" }, "deliver_on"],
  ])("rejects %s, names the field and changes nothing", async (_, fields, path) => {
    const orderId = await order();
    const { status, body } = await saveGift(orderId, fields);
    expect([status, body.code]).toEqual([400, "40000"]);
    expect(body.errors).toMatchObject([{ path }]);
    const gone = await send(remove, "/order/gift/remove", { order_id: orderId }, giver);
    expect(gone.body.data).toEqual({ order_id: orderId, gift: null });
  });

  it("returns the last possible day for codes that expire, and rejects codes that expire too early for any day", async () => {
    const setLastDay = (orderId: string, days: number) =>
      db.execute(sql`
        update keys set redeem_by = date_trunc('day', shop_now() at time zone 'UTC') at time zone 'UTC' + make_interval(days => ${days})
        where order_line_id in (select id from order_lines where order_id = ${orderId})`);
    const orderId = await order();
    await setLastDay(orderId, 65);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const late = await saveGift(orderId, { deliver_on: inDays(30) });
    expect([late.status, late.body.code]).toEqual([400, "40000"]);
    expect(late.body.errors).toEqual([{ path: "deliver_on", message: late.body.message }]);
    expect(late.body.message).toContain(formatDate(inDays(20), "en"));
    await setLastDay(orderId, 40);
    const never = await saveGift(orderId);
    expect(never.body.errors).toMatchObject([
      { path: "deliver_on", message: errorMessage("gift_codes_expire", "en") },
    ]);
  });

  it("responds 503 and changes nothing while another order holds the only code that lasts long enough", async () => {
    const plan = await createSinglePlan({ type: "month", keys: 2 });
    const orderId = await sale.orderPlan(giver, plan.id);
    await db.execute(sql`
      update keys set redeem_by = shop_now() + interval '40 days'
      where order_line_id in (select id from order_lines where order_id = ${orderId})`);
    const held = await pool().reserve();
    try {
      await held`begin`;
      await held`select 1 from keys where plan_id = ${plan.id} and state = 'available' for update`;
      const { status, body } = await saveGift(orderId);
      expect([status, body.code]).toEqual([503, "503"]);
    } finally {
      await held`rollback`;
      held.release();
    }
    expect(await db.execute(sql`select 1 from gifts where order_id = ${orderId}`)).toHaveLength(0);
    expect((await saveGift(orderId)).status).toBe(200);
  });

  it("responds to another user's order as to a missing one, and 401 without a session", async () => {
    const orderId = await order();
    const other = await sale.createBuyer();
    for (const [handler, path] of [
      [save, "/order/gift/save"],
      [remove, "/order/gift/remove"],
      [resend, "/order/gift/resend"],
    ] as const) {
      const fields = handler === save ? { recipient_email: uniqueEmail() } : {};
      const answers = await Promise.all([
        send(handler, path, { order_id: orderId, ...fields }, other),
        send(handler, path, { order_id: "ord_missing", ...fields }, other),
        send(handler, path, { order_id: orderId, ...fields }),
      ]);
      expect(answers.map(({ body }) => body.code)).toEqual(["40402", "40402", "401"]);
    }
  });
});

describe("the link of a gift", () => {
  it("is shown to everyone who has the link, and claimed by an account with a verified email", async () => {
    const { token, orderId } = await give({ message: "For you" });
    const seen = await send(view, "/gift/view", { token });
    expect(seen.body.data).toMatchObject({ state: "open", message: "For you", yours: false });
    expect(JSON.stringify(seen.body.data)).not.toContain(orderId);
    expect((await send(claim, "/gift/claim", { token })).body.code).toBe("401");
    const unverified = await sale.createBuyer({ verified: false });
    expect((await send(claim, "/gift/claim", { token }, unverified)).body.code).toBe("40311");
    const recipient = await sale.createBuyer();
    const claimed = await send(claim, "/gift/claim", { token }, recipient);
    expect(claimed.status).toBe(200);
    expect(claimed.body.data.library_ids).toHaveLength(1);
    expect((await send(claim, "/gift/claim", { token }, giver)).body.code).toBe("40950");
    expect((await send(view, "/gift/view", { token })).body.data).toMatchObject({
      state: "claimed",
      message: "",
    });
    expect((await send(resend, "/order/gift/resend", { order_id: orderId }, giver)).body.code).toBe("40950");
    expect((await saveGift(orderId)).body.code).toBe("40954");
  });

  it("responds 40416 to guests and users when it is unknown", async () => {
    const recipient = await sale.createBuyer();
    for (const token of ["x", "../", "A".repeat(43)]) {
      expect((await send(view, "/gift/view", { token })).body.code).toBe("40416");
      expect((await send(claim, "/gift/claim", { token }, recipient)).body.code).toBe("40416");
    }
  });
});

describe("a gift cannot be claimed or changed", () => {
  /** The codes of the answers to the claim and to the giver's calls. */
  const ask = async ({ orderId, token }: { orderId: string; token: string }) => {
    const recipient = await sale.createBuyer();
    const order_id = orderId;
    const answers = [
      await send(claim, "/gift/claim", { token }, recipient),
      await saveGift(orderId),
      await send(remove, "/order/gift/remove", { order_id }, giver),
      await send(resend, "/order/gift/resend", { order_id }, giver),
    ];
    return answers.map(({ body }) => body.code);
  };

  it("after it was refunded", async () => {
    const gift = await give();
    const [line] = (await getOrder(giver.viewer, gift.orderId, "en")).order_products;
    const ids = { order_id: gift.orderId, order_product_id: line!.order_product_id };
    await requestRefund(giver.viewer, ids, "en");
    expect(await ask(gift)).toEqual(["40952", "40954", "40954", "40952"]);
  });

  it("after it has expired", async () => {
    const gift = await give();
    await db.execute(sql`update gifts set claim_until = shop_now() where order_id = ${gift.orderId}`);
    expect(await ask(gift)).toEqual(["40951", "40954", "40954", "40951"]);
  });

  it("while the payment is disputed", async () => {
    const gift = await give();
    await updateDispute((await disputeSandboxPayment(gift.intentId, "needs_response"))!);
    const codes = await ask(gift);
    expect([codes[0], codes[3]]).toEqual(["40953", "40953"]);
    // An unsent one of a disputed order is not changed either.
    await db.execute(sql`update gifts set state = 'scheduled' where order_id = ${gift.orderId}`);
    expect((await ask(gift)).slice(1, 3)).toEqual(["40953", "40953"]);
  });

  it("before it was sent, or after its recipient's address was erased", async () => {
    const gift = await give();
    const order_id = gift.orderId;
    const again = () => send(resend, "/order/gift/resend", { order_id }, giver);
    expect((await again()).status).toBe(200);
    await db.execute(sql`update gifts set recipient_email = null where order_id = ${order_id}`);
    expect((await again()).body.code).toBe("40954");
    await db.execute(sql`update gifts set state = 'scheduled' where order_id = ${order_id}`);
    expect((await again()).body.code).toBe("40955");
  });
});
