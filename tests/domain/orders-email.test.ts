import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createProduct, createSinglePlan } from "@/db/factories/catalog";
import { createCartLine, createOrder } from "@/db/factories/orders";
import { verifyEmail } from "@/lib/accounts/verification/verify-email";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { changeDeliveryEmail } from "@/lib/orders/delivery-options/change-delivery-email";
import { getOrder } from "@/lib/orders/find-order";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { awaitsEmail, ORDER_STATUSES } from "@/lib/orders/rules";
import { listStuck } from "@/lib/staff/stuck/list-stuck";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";

let buyer: sale.Buyer;
let planId: number;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  buyer = await sale.createBuyer();
  planId = (await createSinglePlan({ keys: 30 })).id;
});
afterAll(sale.closeSale);

const changeEmail = (order_id: string, send_email: string, user = buyer) =>
  changeDeliveryEmail(user.viewer, { order_id, send_email }, "en");
const placeTestOrder = async (send_email?: string) => {
  const line = await createCartLine(buyer.id, planId);
  return (await placeOrder(buyer.viewer, { cart_record_ids: [line], send_email }, "en")).order_id;
};
const readCode = async (email: string) => {
  await sale.runQueue();
  const [mail] = (await findMailboxMails(email))!.filter((mail) => mail.event === "verification-code");
  return /\b\d{6}\b/.exec(mail?.text ?? "")![0];
};
let lastAddress = 0;
const uniqueAddress = () => `friend-${++lastAddress}-${process.pid}@example.com`;

describe("another delivery email", () => {
  it("is rejected until a mailed code verifies it, then receives the keys", async () => {
    const newEmail = uniqueAddress();
    const line = await createCartLine(buyer.id, planId);
    const placeToNewEmail = () =>
      placeOrder(buyer.viewer, { cart_record_ids: [line], send_email: newEmail }, "en").then(
        (placed) => placed.order_id,
      );
    expect(await getErrorName(placeToNewEmail())).toBe("delivery_email_unverified");
    // an immediate repetition sends no second code and gives the same error
    expect(await getErrorName(placeToNewEmail())).toBe("delivery_email_unverified");
    const code = await readCode(newEmail);
    expect((await findMailboxMails(newEmail))!).toHaveLength(1);
    await verifyEmail(buyer.viewer, { email: newEmail, code });
    const id = await placeToNewEmail();
    await sale.pay(buyer, id);
    await sale.waitForEvents();
    await sale.runQueue();
    const events = (await findMailboxMails(newEmail))!.map((mail) => mail.event).sort();
    expect(events).toEqual(["keys", "verification-code"]);
    expect((await findMailboxMails(buyer.email))!).toEqual([]);
    const other = await sale.createBuyer();
    const otherLine = await createCartLine(other.id, planId);
    const otherOrder = placeOrder(other.viewer, { cart_record_ids: [otherLine], send_email: newEmail }, "en");
    expect(await getErrorName(otherOrder)).toBe("delivery_email_unverified"); // verified by one user, not for others
  });

  it("gets no code for an invalid order and reserves no key while it is unverified", async () => {
    const { plans } = await createProduct({
      plans: [{ keys: 1 }, { type: "day", keys: 0 }, { type: "month", keys: 9, purchaseLimit: 1 }],
    });
    const [lastKey, soldOut, withLimit] = plans.map(({ id }) => id) as [number, number, number];
    const user = await sale.createBuyer();
    const newEmail = uniqueAddress();
    const placeToNewEmail = (fields: object) =>
      placeOrder(user.viewer, { send_email: newEmail, ...fields }, "en");
    const createLine = async (id: number, quantity = 1) => [await createCartLine(user.id, id, { quantity })];
    expect(await getErrorName(placeToNewEmail({}))).toBe("nothing_selected");
    expect(await getErrorName(placeToNewEmail({ cart_record_ids: ["cart_missing"] }))).toBe(
      "cart_line_unknown",
    );
    expect(await getErrorName(placeToNewEmail({ cart_record_ids: await createLine(soldOut) }))).toBe(
      "sold_out",
    );
    expect(await getErrorName(placeToNewEmail({ cart_record_ids: await createLine(lastKey, 2) }))).toBe(
      "sold_out",
    );
    expect(await getErrorName(placeToNewEmail({ cart_record_ids: await createLine(withLimit, 2) }))).toBe(
      "purchase_limit",
    );
    const unknownCoupon = { cart_record_ids: await createLine(planId), coupon_code: "NOTHING" };
    expect(await getErrorName(placeToNewEmail(unknownCoupon))).toBe("coupon_unknown");
    const codes = () => db.execute(sql`select 1 from verification_codes where email = ${newEmail}`);
    expect(await codes()).toHaveLength(0);

    expect(await getErrorName(placeToNewEmail({ cart_record_ids: await createLine(lastKey) }))).toBe(
      "delivery_email_unverified",
    );
    expect(await codes()).toHaveLength(1);
    expect(await sale.countKeysByState(lastKey)).toEqual({ available: 1 });
    expect(await db.execute(sql`select 1 from orders where user_id = ${user.id}`)).toHaveLength(0);
  });

  it("may be the account's own address in any letter case, verified or not", async () => {
    const unverified = await sale.createBuyer({ verified: false });
    const line = await createCartLine(unverified.id, planId);
    const input = { cart_record_ids: [line], send_email: unverified.email.toUpperCase() };
    expect(await getErrorName(placeOrder(unverified.viewer, input, "en"))).toBeNull();
  });

  it("is rejected after too many codes", async () => {
    const newEmail = uniqueAddress();
    const id = await placeTestOrder();
    for (let sent = 0; sent < 5; sent++) {
      await sale.setClockAhead(`${sent * 61} seconds`);
      expect(await getErrorName(changeEmail(id, newEmail))).toBe("delivery_email_unverified");
    }
    await sale.setClockAhead(`${5 * 61} seconds`);
    expect(await getErrorName(changeEmail(id, newEmail))).toBe("too_many_codes");
    await sale.setClockAhead("0");
  });
});

describe("changing the delivery email", () => {
  it("notifies the old address each time", async () => {
    const owner = await sale.createBuyer();
    const { id } = await createOrder(owner, planId);
    const newEmail = uniqueAddress();
    expect(await getErrorName(changeEmail(id, newEmail, owner))).toBe("delivery_email_unverified");
    await verifyEmail(owner.viewer, { email: newEmail, code: await readCode(newEmail) });
    expect(await changeEmail(id, newEmail, owner)).toEqual({ order_id: id, send_email: newEmail });
    await changeEmail(id, owner.email, owner);
    await changeEmail(id, owner.email, owner); // no change, no mail
    await changeEmail(id, newEmail, owner);
    await sale.runQueue();
    const countNotices = async (to: string) =>
      (await findMailboxMails(to))!.filter((mail) => mail.event === "email-changed").length;
    expect([await countNotices(owner.email), await countNotices(newEmail)]).toEqual([2, 1]);
  });

  it("sends waiting codes only to the new address, even after a failed attempt", async () => {
    const owner = await sale.createBuyer();
    const later = await createSinglePlan({ keys: 0, availability: "pre_order" });
    const lines = [await createCartLine(owner.id, planId), await createCartLine(owner.id, later.id)];
    const { order_id } = await placeOrder(owner.viewer, { cart_record_ids: lines }, "en");
    await sale.pay(owner, order_id);
    await sale.waitForEvents();
    await sale.runQueue({ mails: false });
    const listKeysMails = () =>
      db.execute<{ id: string; to: string; state: string }>(sql`
        select id, to_address as "to", state from mails where event = 'keys' and refs->>'orderId' = ${order_id}`);
    const [waiting] = await listKeysMails();
    expect(waiting).toMatchObject({ to: owner.email, state: "queued" });
    await db.execute(sql`update mails set attempts = 1 where id = ${waiting!.id}`);
    const newEmail = uniqueAddress();
    await db.execute(sql`insert into verified_emails (user_id, email) values (${owner.id}, ${newEmail})`);
    await changeEmail(order_id, newEmail, owner);
    await sale.runQueue();
    const [sent, ...more] = await listKeysMails();
    expect([sent, more]).toMatchObject([{ to: newEmail, state: "sent" }, []]);
    // The provider knows the first id together with the old address.
    expect(sent!.id).not.toBe(waiting!.id);
    expect((await findMailboxMails(owner.email))!.map(({ event }) => event)).not.toContain("keys");
  });

  it("is allowed for the owner until the keys are sent, and reports a cancelled order", async () => {
    for (const status of ORDER_STATUSES) {
      const { id } = await createOrder({ id: buyer.id, email: uniqueAddress() }, planId, { status });
      const changeable = ["pending", "processingPayment", "paid", "processing"].includes(status);
      expect([status, await getErrorName(changeEmail(id, buyer.email))]).toEqual([
        status,
        changeable ? null : status === "cancelled" ? "delivery_order_cancelled" : "delivery_frozen",
      ]);
      const other = await sale.createBuyer();
      expect(await getErrorName(changeEmail(id, other.email, other))).toBe("order_unknown");
    }
    expect(await getErrorName(changeEmail("ord_missing", buyer.email))).toBe("order_unknown");
  });

  it("is rejected once some keys are mailed, even while others wait", async () => {
    const owner = await sale.createBuyer();
    const created = await createOrder({ id: owner.id, email: uniqueAddress() }, planId, {
      status: "processing",
    });
    await db.execute(sql`
      update keys set state = 'reserved', order_line_id = ${created.lineId}, slot = 1 where id =
        (select id from keys where plan_id = ${planId} and state = 'available' limit 1)`);
    await db.execute(sql`
      update keys set state = 'assigned', mailed_at = shop_now() where order_line_id = ${created.lineId}`);
    expect(await getErrorName(changeEmail(created.id, owner.email, owner))).toBe("delivery_frozen");
  });

  it("sends a code to an unverified address only for the user's own changeable order", async () => {
    const newEmail = uniqueAddress();
    const { id } = await createOrder(await sale.createBuyer(), planId);
    expect(await getErrorName(changeEmail(id, newEmail))).toBe("order_unknown");
    const { id: refundedId } = await createOrder(buyer, planId, { status: "refunded" });
    expect(await getErrorName(changeEmail(refundedId, newEmail))).toBe("delivery_frozen");
    const codes = await db.execute(sql`select 1 from verification_codes where email = ${newEmail}`);
    expect(codes).toHaveLength(0);
  });
});

describe("an undeliverable email with codes", () => {
  it("is shown to staff and to the buyer, whose codes are in the library", async () => {
    const user = await sale.createBuyer();
    // An account from before the limit of 64 letters.
    const address = `${"a".repeat(66)}@${user.id.toLowerCase().replace("_", "-")}.example.com`;
    await db.execute(sql`update users set email = ${address} where id = ${user.id}`);
    const orderId = await sale.sell({ ...user, viewer: { ...user.viewer, email: address } }, planId);
    const order = await getOrder(user.viewer, orderId, "en");
    expect(order).toMatchObject({ status: "shipped", send_email: address, email_failed: true });
    expect(awaitsEmail(order)).toBe(false);
    expect(order.order_products[0]!.keys).toHaveLength(1);
    const board = await listStuck({ kind: "mail_failed" }, "en");
    expect(board.items).toContainEqual(expect.objectContaining({ about: address, mail_event: "keys" }));
  });

  it("is no longer mentioned once the email was delivered", async () => {
    const user = await sale.createBuyer();
    const order = await getOrder(user.viewer, await sale.sell(user, planId), "en");
    expect(order).toMatchObject({ status: "completed", email_failed: false });
  });
});
