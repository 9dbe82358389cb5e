import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createCartLine, createOrder } from "@/db/factories/orders";
import { verifyEmail } from "@/lib/accounts/verification/commands";
import { findMailboxMails } from "@/lib/notifications/queries";
import { changeDeliveryEmail } from "@/lib/orders/delivery-options/commands";
import { placeOrder } from "@/lib/orders/placing/commands";
import { ORDER_STATUSES } from "@/lib/orders/rules";
import { refusal } from "../setup/refusal";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 120_000 });
let buyer: sale.Buyer;
let planId: number;
beforeAll(async () => {
  sale.receiveEventsHere();
  buyer = await sale.newBuyer();
  planId = (await createProduct({ plans: [{ keys: 30 }] })).plans[0]!.id;
});
afterAll(sale.endSale);

const change = (order_id: string, send_email: string, who = buyer) =>
  changeDeliveryEmail(who.viewer, { order_id, send_email }, "en");
const order = async (send_email?: string) => {
  const line = await createCartLine(buyer.id, planId);
  return (await placeOrder(buyer.viewer, { cart_record_ids: [line], send_email }, "en")).order_id;
};
const codeFor = async (email: string) => {
  await sale.runQueue();
  const [mail] = (await findMailboxMails(email))!.filter((one) => one.event === "verification-code");
  return /\b\d{6}\b/.exec(mail?.text ?? "")![0];
};
let n = 0;
const address = () => `friend-${++n}-${process.pid}@example.com`;

describe("another address for the keys", () => {
  it("is refused until a mailed code has proved it, then taken, and the keys go there", async () => {
    const friend = address();
    const line = await createCartLine(buyer.id, planId);
    const place = () =>
      placeOrder(buyer.viewer, { cart_record_ids: [line], send_email: friend }, "en").then(
        (placed) => placed.order_id,
      );
    expect(await refusal(place())).toBe("delivery_email_unverified");
    // pressed again at once: the code is on its way, no second one and no other refusal
    expect(await refusal(place())).toBe("delivery_email_unverified");
    const code = await codeFor(friend);
    expect((await findMailboxMails(friend))!).toHaveLength(1);
    await verifyEmail(buyer.viewer, { email: friend, code });
    const id = await place();
    await sale.pay(buyer, id);
    await sale.eventsArrived();
    await sale.runQueue();
    const events = (await findMailboxMails(friend))!.map((mail) => mail.event).sort();
    expect(events).toEqual(["keys", "order-placed", "verification-code"]);
    expect((await findMailboxMails(buyer.email))!).toEqual([]);
    const other = await sale.newBuyer();
    const theirs = await createCartLine(other.id, planId);
    const borrowed = placeOrder(other.viewer, { cart_record_ids: [theirs], send_email: friend }, "en");
    expect(await refusal(borrowed)).toBe("delivery_email_unverified"); // proved by one, not for all
  });

  it("gets no code for an order that is refused anyway, and nothing is held while the address is unproved", async () => {
    const { plans } = await createProduct({
      plans: [{ keys: 1 }, { type: "day", keys: 0 }, { type: "month", keys: 9, purchaseLimit: 1 }],
    });
    const [last, gone, limited] = plans.map(({ id }) => id) as [number, number, number];
    const who = await sale.newBuyer();
    const friend = address();
    const place = (more: object) => placeOrder(who.viewer, { send_email: friend, ...more }, "en");
    const lineOf = async (id: number, quantity = 1) => [await createCartLine(who.id, id, { quantity })];
    expect(await refusal(place({}))).toBe("nothing_selected");
    expect(await refusal(place({ cart_record_ids: ["cart_nobody"] }))).toBe("cart_line_unknown");
    expect(await refusal(place({ cart_record_ids: await lineOf(gone) }))).toBe("sold_out");
    expect(await refusal(place({ cart_record_ids: await lineOf(last, 2) }))).toBe("sold_out");
    expect(await refusal(place({ cart_record_ids: await lineOf(limited, 2) }))).toBe("purchase_limit");
    const misspelt = { cart_record_ids: await lineOf(planId), coupon_code: "NOTHING" };
    expect(await refusal(place(misspelt))).toBe("coupon_unknown");
    const codes = () => db.execute(sql`select 1 from verification_codes where email = ${friend}`);
    expect(await codes()).toHaveLength(0);

    expect(await refusal(place({ cart_record_ids: await lineOf(last) }))).toBe("delivery_email_unverified");
    expect(await codes()).toHaveLength(1);
    expect(await sale.keysOf(last)).toEqual({ available: 1 });
    expect(await db.execute(sql`select 1 from orders where user_id = ${who.id}`)).toHaveLength(0);
  });

  it("may be the account's own in any spelling, verified or not", async () => {
    const direct = await sale.newBuyer({ verified: false });
    const line = await createCartLine(direct.id, planId);
    const input = { cart_record_ids: [line], send_email: direct.email.toUpperCase() };
    expect(await refusal(placeOrder(direct.viewer, input, "en"))).toBeNull();
  });

  it("too many codes are refused as such", async () => {
    const friend = address();
    const id = await order();
    for (let sent = 0; sent < 5; sent++) {
      await sale.setClockAhead(`${sent * 61} seconds`);
      expect(await refusal(change(id, friend))).toBe("delivery_email_unverified");
    }
    await sale.setClockAhead(`${5 * 61} seconds`);
    expect(await refusal(change(id, friend))).toBe("too_many_codes");
    await sale.setClockAhead("0");
  });
});

describe("changing it", () => {
  it("is told to the old address, each time", async () => {
    const owner = await sale.newBuyer();
    const { id } = await createOrder(owner, planId);
    const friend = address();
    expect(await refusal(change(id, friend, owner))).toBe("delivery_email_unverified");
    await verifyEmail(owner.viewer, { email: friend, code: await codeFor(friend) });
    expect(await change(id, friend, owner)).toEqual({ order_id: id, send_email: friend });
    await change(id, owner.email, owner);
    await change(id, owner.email, owner); // no change, no word
    await change(id, friend, owner);
    await sale.runQueue();
    const told = async (to: string) =>
      (await findMailboxMails(to))!.filter((mail) => mail.event === "email-changed").length;
    expect([await told(owner.email), await told(friend)]).toEqual([2, 1]);
  });

  it("is possible until the keys are sent, for the owner only", async () => {
    for (const status of ORDER_STATUSES) {
      const { id } = await createOrder({ id: buyer.id, email: address() }, planId, { status });
      const open = ["pending", "processingPayment", "paid", "processing"].includes(status);
      expect([status, await refusal(change(id, buyer.email))]).toEqual([
        status,
        open ? null : "delivery_frozen",
      ]);
      const other = await sale.newBuyer();
      expect(await refusal(change(id, other.email, other))).toBe("order_unknown");
    }
    expect(await refusal(change("ord_missing", buyer.email))).toBe("order_unknown");
  });

  it("is over once a part of the keys is mailed, though the rest still waits", async () => {
    const owner = await sale.newBuyer();
    const made = await createOrder({ id: owner.id, email: address() }, planId, { status: "processing" });
    await db.execute(sql`
      update keys set state = 'reserved', order_line_id = ${made.lineId}, slot = 1 where id =
        (select id from keys where plan_id = ${planId} and state = 'available' limit 1)`);
    await db.execute(sql`
      update keys set state = 'assigned', mailed_at = shop_now() where order_line_id = ${made.lineId}`);
    expect(await refusal(change(made.id, owner.email, owner))).toBe("delivery_frozen");
  });

  it("to an address that is not proved sends a code for an own order that can change only", async () => {
    const friend = address();
    const { id } = await createOrder(await sale.newBuyer(), planId);
    expect(await refusal(change(id, friend))).toBe("order_unknown");
    const { id: over } = await createOrder(buyer, planId, { status: "refunded" });
    expect(await refusal(change(over, friend))).toBe("delivery_frozen");
    const codes = await db.execute(sql`select 1 from verification_codes where email = ${friend}`);
    expect(codes).toHaveLength(0);
  });
});
