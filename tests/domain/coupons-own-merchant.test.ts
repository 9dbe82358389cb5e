import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { type CreatedProduct, createProduct } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { createMerchant, createMerchantInvite, createSeller, type Seller } from "@/db/factories/merchants";
import { createCartLine } from "@/db/factories/orders";
import { createStaff } from "@/db/factories/staff";
import { checkCoupon } from "@/lib/coupons/check-coupon";
import { getConsoleMerchant } from "@/lib/merchants/console/get-console-merchant";
import { listConsoleMerchants } from "@/lib/merchants/console/list-console-merchants";
import { reviewDiscounts } from "@/lib/merchants/console/review-discounts";
import { countShopDiscountsJob } from "@/lib/merchants/jobs";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { claimGift } from "@/lib/orders/gifts/claim-gift";
import { saveGift } from "@/lib/orders/gifts/save-gift";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { giveGoodwill } from "@/lib/orders/refunds/give-goodwill";
import { recordSales } from "@/lib/orders/sales/record-sales";
import { lockOrder } from "@/lib/orders/status/lock-order";
import type { StaffRole } from "@/lib/platform/auth/permissions";
import { getToday } from "@/lib/staff/today/get-today";
import { auditSale } from "../setup/audit";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks({ runJobs: true });
let seller: Seller;
let product: CreatedProduct;
beforeAll(async () => {
  const merchant = await createMerchant();
  seller = await createSeller(merchant, { email: "kim.ito@gmail.com" });
  product = await createProduct({ merchantId: merchant.id, plans: [{ type: "month", keys: 10 }] });
});
const planId = () => product.plans[0]!.id;

async function tryCoupon(buyer: sale.Buyer, ip?: string) {
  const code = await createCoupon({ amountCents: 300 });
  await sale.forgetHolds(buyer);
  const line = await createCartLine(buyer.id, planId());
  const checked = await getErrorName(
    checkCoupon(buyer.viewer, { coupon_code: code, cart_ids: [line] }, "en", ip),
  );
  const input = { cart_record_ids: [line], coupon_code: code };
  const placed = await getErrorName(placeOrder(buyer.viewer, input, "en", ip ? { ip } : {}));
  return [checked, placed];
}
const REFUSED = ["coupon_own_product", "coupon_own_product"];

describe("a shop coupon on a merchant's pass", () => {
  it("is refused to a member, an invited owner, and another account of a member's email identity", async () => {
    const invited = await sale.createBuyer();
    await createMerchantInvite(seller.merchant, { email: invited.email });
    const alias = await sale.createBuyer({ email: "kimito+shop@googlemail.com" });
    for (const buyer of [seller, invited, alias]) expect(await tryCoupon(buyer)).toEqual(REFUSED);
  });

  it("is refused to anyone who orders from a member's address group or paid with a member's card", async () => {
    const line = await createCartLine(seller.id, planId());
    await placeOrder(seller.viewer, { cart_record_ids: [line] }, "en", { ip: "2001:db8:7::1" });
    const neighbour = await sale.createBuyer();
    expect(await tryCoupon(neighbour, "2001:db8:7::2")).toEqual(REFUSED);
    const friend = await sale.createBuyer();
    for (const buyer of [seller, friend]) {
      const orderId = await sale.sell(buyer, planId());
      await db.execute(sql`update payments set card_fingerprint = 'fp_shared' where order_id = ${orderId}`);
    }
    expect(await tryCoupon(friend)).toEqual(REFUSED);
  });

  it("is accepted from everyone else, and from a member on the passes of others", async () => {
    const other = await sale.createBuyer();
    expect(await tryCoupon(other, "203.0.113.80")).toEqual([null, null]);
    const foreign = await createProduct({ plans: [{ type: "month", keys: 1 }] });
    const code = await createCoupon({ amountCents: 300 });
    const line = await createCartLine(seller.id, foreign.plans[0]!.id);
    const offer = await checkCoupon(seller.viewer, { coupon_code: code, cart_ids: [line] }, "en");
    expect(offer.discount_amount).toBe(3);
  });
});

it("a shop discount on a purchase by the merchant's own people is not paid out", async () => {
  const buyer = await sale.createBuyer();
  const code = await createCoupon({ amountCents: 300 });
  const orderId = await sale.sell(buyer, planId(), 1, code);
  const readSale = async () => {
    const [row] = await db.execute<{ funder: string; sum: number; gross: number; discount: number }>(sql`
      select funded_by as funder, commission_cents + net_cents as sum, gross_cents as gross, discount_cents as discount
      from merchant_sales where order_id = ${orderId}`);
    return row!;
  };
  const honest = await readSale();
  expect(honest).toMatchObject({ funder: "shop", sum: honest.gross, discount: 300 });
  await db.execute(sql`delete from merchant_sales where order_id = ${orderId}`);
  await createMerchantInvite(seller.merchant, { email: buyer.email });
  await transaction((tx) => recordSales(tx, orderId));
  const own = await readSale();
  expect(own).toMatchObject({ funder: "merchant", sum: own.gross - 300 });
});

const readSale = async (orderId: string) => {
  const [row] = await db.execute<{
    funder: string;
    sum: number;
    gross: number;
    refunded: number;
    back: number;
  }>(sql`
    select funded_by as funder, commission_cents + net_cents as sum, gross_cents as gross, refunded_cents as refunded,
      commission_back_cents + net_back_cents as back from merchant_sales where order_id = ${orderId}`);
  return row!;
};

it("a gift claimed by the merchant's own people pays the merchant nothing of the shop's discount", async () => {
  const give = async (recipient: sale.Buyer) => {
    const giver = await sale.createBuyer();
    const code = await createCoupon({ amountCents: 300 });
    const orderId = await sale.orderPlan(giver, planId(), 1, code);
    await saveGift(giver.viewer, { order_id: orderId, recipient_email: recipient.email }, "en", "UTC");
    await sale.pay(giver, orderId);
    await sale.processEvents();
    const given = await readSale(orderId);
    expect(given).toMatchObject({ funder: "shop", sum: given.gross });
    const mails = await findMailboxMails(recipient.email);
    const mail = mails!.filter(({ event }) => event === "gift").at(-1);
    await claimGift(recipient.viewer, { token: /\/gift\/([\w-]+)/.exec(mail!.text)![1]! });
    return { giver, orderId, claimed: await readSale(orderId), gross: given.gross };
  };
  const own = await give(seller);
  expect(own.claimed).toMatchObject({ funder: "merchant", sum: own.gross - 300 });
  const outsider = await give(await sale.createBuyer());
  expect(outsider.claimed).toMatchObject({ funder: "shop", sum: outsider.gross });
  // A person who joins the merchant later changes nothing about earlier sales.
  await createMerchantInvite(seller.merchant, { email: outsider.giver.email });
  await transaction((tx) => recordSales(tx, outsider.orderId));
  expect(await readSale(outsider.orderId)).toEqual(outsider.claimed);
  expect(await auditSale()).toEqual([]);
});

it("a staff gesture on a purchase by the merchant's own people is borne by the merchant, on others by the shop", async () => {
  const gesture = async (buyer: sale.Buyer) => {
    const orderId = await sale.sell(buyer, planId());
    const [line] = await db.execute<{ id: string }>(
      sql`select id from order_lines where order_id = ${orderId}`,
    );
    const goodwill = { lineId: line!.id, amountCents: 200, refundedCents: 0, reason: "a slow day" };
    await transaction(async (tx) => {
      const order = await lockOrder(tx, orderId);
      await giveGoodwill(tx, order!, goodwill, { actor: "staff:mara", locale: "en" });
    });
    await sale.runQueue();
    return readSale(orderId);
  };
  expect(await gesture(seller)).toMatchObject({ funder: "merchant", refunded: 200, back: 200 });
  expect(await gesture(await sale.createBuyer())).toMatchObject({ funder: "shop", refunded: 0, back: 0 });
  expect(await auditSale()).toEqual([]);
});

/** Records the sales of a plan as they were, after a test has changed them. */
async function recordAgain(merchantId: string, soldPlanId: number): Promise<void> {
  await db.execute(sql`delete from merchant_sales where merchant_id = ${merchantId}`);
  await transaction(async (tx) => {
    for (const { id } of await tx.execute<{ id: string }>(sql`
      select distinct l.order_id as id from order_lines l where l.plan_id = ${soldPlanId}`))
      await recordSales(tx, id);
  });
  await countShopDiscountsJob.run(undefined);
}

it("a merchant with a high coupon share in sales is flagged to staff until the share is lower", async () => {
  const merchant = await createMerchant();
  const plan = { type: "month", priceCents: 10_000, keys: 8 } as const;
  const { plans } = await createProduct({ merchantId: merchant.id, plans: [plan] });
  const figures = async (id = merchant.id) => (await getConsoleMerchant(id)).discounts;
  const listed = async () =>
    (await listConsoleMerchants({ cursor: undefined, high_discounts: true })).items.map(
      (item) => item.merchant_id,
    );
  const sellOne = async (amountCents?: number) => {
    const code = amountCents === undefined ? undefined : await createCoupon({ amountCents });
    const orderId = await sale.sell(await sale.createBuyer(), plans[0]!.id, 1, code);
    await countShopDiscountsJob.run(undefined);
    return orderId;
  };
  expect(await figures()).toBeNull();
  await sellOne(4_900);
  const version = expect.any(String);
  const unlooked = { looked_at: null, version };
  expect(await figures()).toEqual({ gross: 100, shop_paid: 49, share: 0.49, high_since: null, ...unlooked });
  await sellOne(100);
  const high = await figures();
  expect(high).toEqual({
    gross: 200,
    shop_paid: 50,
    share: 0.25,
    high_since: expect.any(String),
    ...unlooked,
  });
  expect(await listed()).toEqual([merchant.id]);
  const queueOf = async (roles: StaffRole[]) => {
    const { queues } = await getToday((await createStaff({ roles })).viewer, { days: 7 });
    return queues.find(({ queue }) => queue === "high_discounts");
  };
  expect(await queueOf(["admin"])).toMatchObject({ count: 1, oldest_at: high!.high_since });
  expect(await queueOf(["support"])).toBeUndefined();
  await countShopDiscountsJob.run(undefined);
  expect((await figures())!.high_since).toBe(high!.high_since);
  // A discount that the merchant bears does not count, nor does what was sold longer ago.
  await db.execute(
    sql`update merchant_sales set funded_by = 'merchant' where merchant_id = ${merchant.id} and discount_cents = 100`,
  );
  await countShopDiscountsJob.run(undefined);
  expect(await figures()).toEqual({ gross: 200, shop_paid: 49, share: 0.245, high_since: null, ...unlooked });
  expect(await listed()).toEqual([]);
  await db.execute(sql`
    update merchant_sales set funded_by = 'shop', sold_at = shop_now() - interval '31 days' where merchant_id = ${merchant.id}`);
  await countShopDiscountsJob.run(undefined);
  expect(await figures()).toEqual({ gross: 0, shop_paid: 0, share: null, high_since: null, ...unlooked });
  await recordAgain(merchant.id, plans[0]!.id);
});

it("a reviewed merchant is flagged again when the share grew by a fifth or 30 days passed", async () => {
  const merchant = await createMerchant();
  const plan = { type: "month", priceCents: 10_000, keys: 9 } as const;
  const { plans } = await createProduct({ merchantId: merchant.id, plans: [plan] });
  const admin = (await createStaff({ roles: ["admin"] })).viewer;
  const figures = async () => (await getConsoleMerchant(merchant.id)).discounts!;
  const count = () => countShopDiscountsJob.run(undefined);
  const waits = async () => {
    const { items } = await listConsoleMerchants({ cursor: undefined, high_discounts: true });
    const { queues } = await getToday(admin, { days: 7 });
    expect(queues.find(({ queue }) => queue === "high_discounts")!.count).toBe(items.length);
    return items.some(({ merchant_id }) => merchant_id === merchant.id);
  };
  const look = async (more: object = {}) =>
    reviewDiscounts(admin, merchant.id, { version: (await figures()).version, ...more });
  const setPaid = async (cents: number) => {
    await db.execute(sql`
      update merchant_sales set discount_cents = case when line_id = (
        select min(line_id) from merchant_sales where merchant_id = ${merchant.id}) then ${cents}::int else 0 end
      where merchant_id = ${merchant.id}`);
    await count();
  };
  for (let n = 0; n < 2; n++) await sale.sell(await sale.createBuyer(), plans[0]!.id);
  await db.execute(sql`update merchant_sales set funded_by = 'shop' where merchant_id = ${merchant.id}`);
  await setPaid(4_999);
  await expect(look()).rejects.toMatchObject({ error: "nothing_changes" });
  await setPaid(5_000);
  expect(await waits()).toBe(true);
  const { version } = await figures();
  await setPaid(5_100);
  await expect(reviewDiscounts(admin, merchant.id, { version })).rejects.toMatchObject({
    error: "revision_conflict",
  });
  await setPaid(5_000);
  expect(await look({ note: "A campaign for students" })).toEqual({ merchant_id: merchant.id });
  expect(await waits()).toBe(false);
  expect(await figures()).toMatchObject({ share: 0.25, looked_at: expect.any(String) });
  expect((await getConsoleMerchant(merchant.id)).history[0]).toMatchObject({
    actor: expect.stringContaining("@"),
    action: "merchant.discounts_looked",
    note: "A campaign for students",
  });
  await expect(look()).rejects.toMatchObject({ error: "nothing_changes" });
  // Not when it grew by less, nor when it fell and rose again.
  for (const cents of [5_999, 1_000, 5_999]) {
    await setPaid(cents);
    expect(await waits()).toBe(false);
  }
  await setPaid(6_000);
  expect(await waits()).toBe(true);
  expect(await figures()).toMatchObject({ looked_at: null });
  await look();
  await sale.setClockAhead("29 days");
  await setPaid(6_000);
  expect(await waits()).toBe(false);
  await db.execute(sql`update merchant_sales set sold_at = shop_now() where merchant_id = ${merchant.id}`);
  await sale.setClockAhead("30 days");
  await count();
  expect(await waits()).toBe(true);
  await recordAgain(merchant.id, plans[0]!.id);
});
