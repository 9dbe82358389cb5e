import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { createSinglePlan, type PlanInput } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { activatePass } from "@/lib/delivery/library/activate-pass";
import { openKeysForEmail } from "@/lib/delivery/library/open-keys";
import { approveReplacement } from "@/lib/delivery/replacement/decide-replacement";
import { requestReplacement } from "@/lib/delivery/replacement/request-replacement";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { chooseDelivery } from "@/lib/orders/delivery-options/choose-delivery";
import { keysMail } from "@/lib/orders/emails/keys-mail";
import { getOrder } from "@/lib/orders/find-order";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { claimGift } from "@/lib/orders/gifts/claim-gift";
import { saveGift } from "@/lib/orders/gifts/save-gift";
import { startPayment } from "@/lib/orders/payment/start-payment";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { decideRefundRequest } from "@/lib/orders/refunds/decide-refund-request";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { UNREVEALED_RETURNS_MAX } from "@/lib/orders/returns/rules";
import { forgetReturners } from "@/lib/orders/returns/take-back-keys";
import { listCodeReferences } from "@/lib/orders/vendor-confirmation/code-reference";
import { withdrawFromOrder } from "@/lib/orders/withdrawal/withdraw-from-order";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { auditSale } from "../setup/audit";
import { getErrorName } from "../setup/error-name";
import { rounds } from "../setup/rounds";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks({ runJobs: true });

/** The constraint that rejects an action; null: none. */
const getConstraint = (action: Promise<unknown>): Promise<string | null> =>
  action.then(
    () => null,
    (error: { cause?: { constraint_name?: string } }) => error.cause?.constraint_name ?? "another error",
  );

const UNREVEALED: sale.DeliveryChoice = { immediate_delivery: false };
const NETWORK = "203.0.113.7";
let buyer: sale.Buyer;
beforeEach(async () => {
  await db.execute(
    sql`update returned_keys set identity = null, card_fingerprint = null, address_group = null`,
  );
  buyer = await sale.createBuyer();
});

const createPlan = async (input: PlanInput = {}) =>
  (await createSinglePlan({ type: "month", keys: 3, ...input })).id;
const sellUnrevealed = (planId: number, quantity = 1, who = buyer) =>
  sale.sellWithChoice(who, planId, UNREVEALED, quantity);
const withdraw = (order_id: string, who = buyer, ip = NETWORK) =>
  withdrawFromOrder(who.viewer, { order_id, confirm: true }, "en", ip);
const listKeys = (orderId: string) =>
  db.execute<{ id: string; lineId: string }>(sql`
    select k.id, l.id as "lineId" from keys k join order_lines l on l.id = k.order_line_id
    where l.order_id = ${orderId} order by k.slot`);
const countStock = async (planId: number) => (await sale.countKeysByState(planId)).available ?? 0;
const listEvents = async (keyId: string) =>
  (
    await db.execute<{ event: string }>(sql`select event from key_events where key_id = ${keyId} order by id`)
  ).map(({ event }) => event);
/** Orders a plan as `sale.orderPlan`, from an address. */
async function order(who: sale.Buyer, planId: number, quantity: number, ip: string) {
  await sale.forgetHolds(who);
  const line = await createCartLine(who.id, planId, { quantity });
  return (await placeOrder(who.viewer, { cart_record_ids: [line] }, "en", { ip })).order_id;
}

describe("a unit that is returned unrevealed", () => {
  it("is on sale again after a withdrawal, and its code reaches only the next buyer", async () => {
    const planId = await createPlan({ keys: 1 });
    const orderId = await sellUnrevealed(planId);
    const [key] = await listKeys(orderId);
    await withdraw(orderId);
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(await countStock(planId)).toBe(1);
    const next = await sale.createBuyer();
    const nextOrder = await sellUnrevealed(planId, 1, next);
    expect((await listKeys(nextOrder)).map(({ id }) => id)).toEqual([key!.id]);
    expect(await getErrorName(revealKey(buyer.viewer, { library_id: key!.id }))).toBe("key_unknown");
    expect(await keysMail(orderId, [key!.id], "en")).toBeNull();
    expect((await revealKey(next.viewer, { library_id: key!.id })).code).not.toBe("");
    expect(await listEvents(key!.id)).toEqual([
      "imported",
      "reserved",
      "assigned",
      "restocked",
      "reserved",
      "assigned",
      "revealed",
    ]);
    const [sold] = await db.execute(
      sql`select refunded_units from merchant_sales where order_id = ${orderId}`,
    );
    expect(sold).toMatchObject({ refunded_units: 1 });
    expect(await auditSale()).toEqual([]);
  });

  it("is on sale again after an instant or a decided refund", async () => {
    const planId = await createPlan();
    const instant = await sellUnrevealed(planId);
    const [line] = (await getOrder(buyer.viewer, instant, "en")).order_products;
    await requestRefund(buyer.viewer, { order_id: instant, order_product_id: line!.order_product_id }, "en");
    expect(await countStock(planId)).toBe(3);
    const decided = await sellUnrevealed(planId, 2);
    const [first] = await listKeys(decided);
    await revealKey(buyer.viewer, { library_id: first!.id });
    await requestRefund(buyer.viewer, { order_id: decided, order_product_id: first!.lineId }, "en");
    const [request] = await db.execute<{ id: string }>(
      sql`select id from refund_requests where order_line_id = ${first!.lineId}`,
    );
    await decideRefundRequest(request!.id, { decision: "approved", by: "vendor" });
    expect(await sale.countKeysByState(planId)).toEqual({ available: 2, quarantined: 1 });
    expect(await auditSale()).toEqual([]);
  });

  it("is never sold again once it was revealed, mailed, decrypted for an email or a vendor, activated or reported", async () => {
    const ways: Record<string, (keyId: string, orderId: string) => Promise<unknown>> = {
      revealed: (library_id) => revealKey(buyer.viewer, { library_id }),
      "an email whose process was killed before its record": (keyId, orderId) =>
        transaction(async (tx) => {
          await tx.execute(
            sql`update order_lines set immediate_delivery = true, immediate_consent_at = shop_now(), consent = '{}' where order_id = ${orderId}`,
          );
          return openKeysForEmail(tx, orderId, [keyId]);
        }),
      "a reference for its vendor": (keyId) => listCodeReferences([keyId]),
      "a report that it does not work": (library_id) =>
        requestReplacement(buyer.viewer, { library_id, reason: "It does not work" }),
    };
    for (const [way, see] of Object.entries(ways)) {
      const planId = await createPlan({ keys: 1 });
      const orderId = await sellUnrevealed(planId);
      const [key] = await listKeys(orderId);
      await see(key!.id, orderId);
      await db.execute(sql`
        update order_lines set immediate_delivery = false, immediate_consent_at = null, consent = null where order_id = ${orderId}`);
      const [line] = (await getOrder(buyer.viewer, orderId, "en")).order_products;
      await requestRefund(
        buyer.viewer,
        { order_id: orderId, order_product_id: line!.order_product_id },
        "en",
      );
      const [request] = await db.execute<{ id: string; state: string }>(
        sql`select id, state from refund_requests where order_line_id = ${key!.lineId}`,
      );
      if (request!.state === "asked")
        await decideRefundRequest(request!.id, { decision: "approved", by: "vendor" });
      expect([way, await sale.countKeysByState(planId)]).toEqual([way, { quarantined: 1 }]);
    }
  });

  it("is kept off sale by the database itself when any record says that it was seen", async () => {
    const records: Record<string, (keyId: string) => unknown> = {
      opened_at: (id) => db.execute(sql`update keys set opened_at = shop_now() where id = ${id}`),
      mailed_at: (id) => db.execute(sql`update keys set mailed_at = shop_now() where id = ${id}`),
      first_revealed_at: (id) =>
        db.execute(sql`update keys set first_revealed_at = shop_now() where id = ${id}`),
      activated_at: (id) => db.execute(sql`update keys set activated_at = shop_now() where id = ${id}`),
      redemption: (id) => db.execute(sql`update keys set redemption = 'redeemed' where id = ${id}`),
      "an event alone": (id) =>
        db.execute(sql`insert into key_events (key_id, event, actor) values (${id}, 'mailed', 'shop')`),
    };
    for (const [name, see] of Object.entries(records)) {
      const planId = await createPlan({ keys: 1 });
      const [key] = await listKeys(await sellUnrevealed(planId));
      await see(key!.id);
      const resale = db.execute(sql`
        update keys set state = 'available', order_line_id = null, slot = null, assigned_at = null where id = ${key!.id}`);
      expect([name, await getConstraint(resale)]).toEqual([name, "keys_unseen"]);
      await db.execute(sql`
        update keys set opened_at = null, mailed_at = null, first_revealed_at = null, activated_at = null where id = ${key!.id}`);
    }
  });

  it("is on sale again when it was an unrevealed gift, and its recipient keeps nothing", async () => {
    const planId = await createPlan({ keys: 1 });
    const orderId = await sale.orderPlan(buyer, planId);
    const recipient = await sale.createBuyer();
    await saveGift(buyer.viewer, { order_id: orderId, recipient_email: recipient.email }, "en", "UTC");
    await sale.pay(buyer, orderId);
    await sale.processEvents();
    const [mail] = (await findMailboxMails(recipient.email))!.filter(({ event }) => event === "gift");
    await claimGift(recipient.viewer, { token: /\/gift\/([\w-]+)/.exec(mail!.text)![1]! });
    const [key] = await listKeys(orderId);
    await withdraw(orderId);
    expect(await sale.countKeysByState(planId)).toEqual({ available: 1 });
    expect(await getErrorName(revealKey(recipient.viewer, { library_id: key!.id }))).toBe("key_unknown");
  });

  it("leaves no journal entry for its former order, and gets one for the next", async () => {
    const planId = await createPlan({ keys: 1 });
    const orderId = await sellUnrevealed(planId);
    const [key] = await listKeys(orderId);
    await db.execute(sql`insert into unjournaled_keys (key_id, order_id) values (${key!.id}, ${orderId})`);
    await withdraw(orderId);
    expect(await db.execute(sql`select 1 from unjournaled_keys where key_id = ${key!.id}`)).toHaveLength(0);
    await sellUnrevealed(planId, 1, await sale.createBuyer());
  });

  it("is not sold again when it had replaced another one", async () => {
    const planId = await createPlan({ keys: 2 });
    const orderId = await sellUnrevealed(planId);
    const [key] = await listKeys(orderId);
    await revealKey(buyer.viewer, { library_id: key!.id });
    await requestReplacement(buyer.viewer, { library_id: key!.id, reason: "It does not work" });
    const [request] = await db.execute<{ id: string }>(
      sql`select id from replacement_requests where key_id = ${key!.id}`,
    );
    await approveReplacement(request!.id, "staff:mara");
    await requestRefund(buyer.viewer, { order_id: orderId, order_product_id: key!.lineId }, "en");
    const [refund] = await db.execute<{ id: string }>(
      sql`select id from refund_requests where order_line_id = ${key!.lineId}`,
    );
    await decideRefundRequest(refund!.id, { decision: "approved", by: "vendor" });
    expect(await sale.countKeysByState(planId)).toEqual({ quarantined: 1, revoked: 1 });
  });

  it("cannot be activated before it is revealed, so that an activation always follows a record", async () => {
    const planId = await createPlan({ keys: 1 });
    const [key] = await listKeys(await sellUnrevealed(planId));
    expect(await getErrorName(activatePass(buyer.viewer, { library_id: key!.id }))).toBe("code_unrevealed");
  });
});

describe("the limit on units that are returned unrevealed", () => {
  /** Each takes ten of thirty units. */
  const ROUNDS = rounds(20, 5);
  /** Buys ten unseen units from the network and gives them back. */
  async function returnTen(who: sale.Buyer, planId: number, ip = NETWORK) {
    const orderId = await order(who, planId, 10, ip);
    await sale.pay(who, orderId, "succeeded", UNREVEALED);
    await sale.processEvents();
    await withdraw(orderId, who, ip);
  }
  const choose = (who: sale.Buyer, order_id: string, choice: sale.DeliveryChoice, ip: string) =>
    getErrorName(chooseDelivery(who.viewer, { order_id, ...choice }, "en", ip));

  it("keeps the whole stock on sale through rounds of one buyer, and of as many buyers", async () => {
    const planId = await createPlan({ keys: 30 });
    const start = await countStock(planId);
    let refused = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const orderId = await order(buyer, planId, 10, NETWORK);
      const isRefused = await getErrorName(
        startPayment(buyer.viewer, { order_id: orderId, ...UNREVEALED }, "en", NETWORK),
      );
      if (isRefused) {
        refused += 1;
        await cancelOrder(buyer.viewer, { order_id: orderId });
        continue;
      }
      await sale.pay(buyer, orderId, "succeeded", UNREVEALED);
      await sale.processEvents();
      await withdraw(orderId);
      await sale.runQueue();
    }
    const afterOne = await countStock(planId);
    for (let round = 0; round < ROUNDS; round++)
      await returnTen(await sale.createBuyer(), planId, `198.51.${round}.1`);
    const afterMany = await countStock(planId);
    console.info(
      `stock: ${start} at the start, ${afterOne} after ${ROUNDS} rounds of one buyer (${refused} refused), ${afterMany} after ${ROUNDS} buyers`,
    );
    expect({ afterOne, afterMany, refused }).toEqual({
      afterOne: start,
      afterMany: start,
      refused: ROUNDS - 1,
    });
    expect(await auditSale()).toEqual([]);
  });

  it("counts an account, its email identity, its card and its address group, for a week", async () => {
    const planId = await createPlan({ keys: 60 });
    await returnTen(buyer, planId);
    const otherBuyer = await sale.createBuyer();
    const far = "192.0.2.9";
    const sameNetwork = await order(otherBuyer, planId, 1, NETWORK);
    expect(await choose(otherBuyer, sameNetwork, UNREVEALED, "203.0.113.7")).toBe("unrevealed_returns");
    expect(await choose(otherBuyer, sameNetwork, UNREVEALED, far)).toBe("unrevealed_returns");
    await cancelOrder(otherBuyer.viewer, { order_id: sameNetwork });
    const farNetwork = await order(otherBuyer, planId, 1, far);
    expect(await choose(otherBuyer, farNetwork, UNREVEALED, NETWORK)).toBe("unrevealed_returns");
    expect(await choose(otherBuyer, farNetwork, UNREVEALED, far)).toBeNull();
    const own = await order(buyer, planId, 1, far);
    expect(await choose(buyer, own, UNREVEALED, far)).toBe("unrevealed_returns");
    expect(await choose(buyer, own, { immediate_delivery: true, keep_in_library: true }, far)).toBe(
      "unrevealed_returns",
    );
    expect(await choose(buyer, own, { immediate_delivery: true }, far)).toBeNull();
    expect(
      await getErrorName(
        saveGift(buyer.viewer, { order_id: own, recipient_email: otherBuyer.email }, "en", "UTC", far),
      ),
    ).toBe("unrevealed_returns");
    expect((await getOrder(buyer.viewer, own, "en", far)).immediate_only).toBe(true);
    expect((await getOrder(otherBuyer.viewer, farNetwork, "en", far)).immediate_only).toBe(false);
    // A card that another account pays with.
    await db.execute(
      sql`update returned_keys set card_fingerprint = 'card-of-both' where identity is not null`,
    );
    const paid = await sale.sell(otherBuyer, planId);
    await db.execute(sql`update payments set card_fingerprint = 'card-of-both' where order_id = ${paid}`);
    const withCard = await order(otherBuyer, planId, 1, far);
    expect(await choose(otherBuyer, withCard, UNREVEALED, far)).toBe("unrevealed_returns");
    await sale.setClockAhead("7 days 1 hour");
    const later = await order(buyer, planId, 1, NETWORK);
    expect(await choose(buyer, later, UNREVEALED, NETWORK)).toBeNull();
    await sale.setClockAhead("8 days 1 hour");
    await forgetReturners();
    expect(await db.execute(sql`select 1 from returned_keys where identity is not null`)).toHaveLength(0);
  });

  it.each<[string, sale.DeliveryChoice & { choose_later?: boolean }]>([
    ["chosen unseen", UNREVEALED],
    ["chosen to be kept in the Library", { immediate_delivery: true, keep_in_library: true }],
    ["left to be chosen later", { choose_later: true }],
  ])("immediately delivers what was %s before the tenth return and is paid after it", async (_, choice) => {
    const planId = await createPlan({ keys: 12 });
    const open = await order(buyer, planId, 1, NETWORK);
    await db.execute(sql`update orders set country = 'DE' where id = ${open}`);
    const { client_secret } = await startPayment(buyer.viewer, { order_id: open, ...choice }, "en", NETWORK);
    await returnTen(buyer, planId);
    await confirmSandboxIntent(client_secret, "succeeded");
    await sale.processEvents();
    expect(await sale.getOrderStatus(open)).toBe("completed");
    const [line] = (await getOrder(buyer.viewer, open, "en")).order_products;
    expect(line).toMatchObject({ immediate_delivery: true, consent_source: "returns-limit" });
    const [key] = await listKeys(open);
    expect(await listEvents(key!.id)).toContain("mailed");
    expect(await withdraw(open)).toMatchObject({
      refund_amount: 0,
      lines: [{ units: 0, reason: "shown" }],
    });
    expect(await countStock(planId)).toBe(11);
    expect(await auditSale()).toEqual([]);
  });

  it("counts the card that pays an account's first order, and leaves a paid gift to its recipient", async () => {
    const planId = await createPlan({ keys: 14 });
    await returnTen(buyer, planId);
    const otherBuyer = await sale.createBuyer();
    await db.execute(sql`
      update returned_keys set identity = 'another', address_group = null, card_fingerprint = 'card-of-both'
      where identity is not null`);
    const chargeSharedCard = (intentId: string) =>
      db.execute(sql`update sandbox_intents set card_fingerprint = 'card-of-both' where id = ${intentId}`);
    const first = await sale.orderPlan(otherBuyer, planId);
    await chargeSharedCard((await sale.pay(otherBuyer, first, "succeeded", UNREVEALED)).intentId);
    await sale.processEvents();
    const another = await sale.createBuyer();
    const gift = await sale.orderPlan(another, planId);
    await saveGift(another.viewer, { order_id: gift, recipient_email: otherBuyer.email }, "en", "UTC");
    await chargeSharedCard((await sale.pay(another, gift)).intentId);
    await sale.processEvents();
    const codesOf = async (id: string, who: sale.Buyer) =>
      (await getOrder(who.viewer, id, "en")).order_products.map((line) => line.consent_source);
    expect(await codesOf(first, otherBuyer)).toEqual(["returns-limit"]);
    expect(await codesOf(gift, another)).toEqual([null]);
    const [kept] = await listKeys(gift);
    expect(await listEvents(kept!.id)).not.toContain("mailed");
    expect(await auditSale()).toEqual([]);
  });

  it("counts the returned units that were unrevealed, and no others", async () => {
    const planId = await createPlan({ keys: 60 });
    const nine = await sellUnrevealed(planId, UNREVEALED_RETURNS_MAX - 1);
    await withdraw(nine);
    const open = await order(buyer, planId, 1, NETWORK);
    expect(await choose(buyer, open, UNREVEALED, NETWORK)).toBeNull();
    await sale.pay(buyer, open, "succeeded", UNREVEALED);
    await sale.processEvents();
    const [key] = await listKeys(open);
    await revealKey(buyer.viewer, { library_id: key!.id });
    await requestRefund(buyer.viewer, { order_id: open, order_product_id: key!.lineId }, "en");
    const [request] = await db.execute<{ id: string }>(
      sql`select id from refund_requests where order_line_id = ${key!.lineId}`,
    );
    await decideRefundRequest(request!.id, { decision: "approved", by: "vendor" });
    const next = await order(buyer, planId, 1, NETWORK);
    expect(await choose(buyer, next, UNREVEALED, NETWORK)).toBeNull();
  });
});
