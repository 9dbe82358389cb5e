import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createDeal, createKeys, createProduct } from "@/db/factories/catalog";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { WISHES_MAX } from "@/lib/notifications/rules";
import { unsubscribe } from "@/lib/notifications/subscriptions/unsubscribe";
import { addWish, removeWish } from "@/lib/notifications/wishlist/add-wish";
import { getWishlist } from "@/lib/notifications/wishlist/get-wishlist";
import { mergeWishes } from "@/lib/notifications/wishlist/merge-wishes";
import { notifyWishlists } from "@/lib/notifications/wishlist/notify-wishlists";
import { createSignedToken } from "@/lib/platform/auth/signed-link";
import * as sale from "../setup/sale";

afterAll(sale.closeSale);

let buyer: sale.Buyer;
beforeEach(async () => {
  await db.execute(sql`delete from wishes`);
  buyer = await sale.createBuyer();
});
afterEach(() => sale.setClockAhead("0"));

const wish = (productId: number, owner = buyer) => addWish(owner.viewer, { product_id: productId });
const setPrice = (planId: number, cents: number) =>
  db.execute(sql`update plans set price_cents = ${cents} where id = ${planId}`);
const readMails = async (owner = buyer) => {
  await sale.runQueue();
  return ((await findMailboxMails(owner.email)) ?? []).filter(({ event }) => event === "wishlist");
};

describe("the wishlist of an account", () => {
  it("contains each product once, last saved first, with its product cards", async () => {
    const [first, second] = [await createProduct(), await createProduct({ plans: [{ keys: 0 }] })];
    await wish(first.id);
    await wish(second.id);
    await Promise.all([wish(first.id), wish(second.id)]);
    const ids = [second.id, first.id];
    expect(await wish(first.id)).toEqual({ product_ids: ids, total: 2 });
    const list = await getWishlist(buyer.viewer, {}, "en");
    expect(list.items.map(({ product_id }) => product_id)).toEqual(ids);
    expect(list.items[0]!.stock_state).toBe("sold_out");
    expect(await removeWish(buyer.viewer, { product_id: second.id })).toEqual({
      product_ids: [first.id],
      total: 1,
    });
    await removeWish(buyer.viewer, { product_id: second.id });
    const other = await sale.createBuyer();
    expect((await getWishlist(other.viewer, { product_ids: [first.id] }, "en")).total).toBe(0);
  });

  it("returns to a guest the products that the browser has kept", async () => {
    const [one, two] = [await createProduct(), await createProduct({ listed: false })];
    const guest = { kind: "guest", locale: "en" } as const;
    const list = await getWishlist(guest, { product_ids: [two.id, one.id] }, "en");
    expect(list.items.map(({ product_id }) => product_id)).toEqual([one.id]);
    expect(await getWishlist(guest, {}, "en")).toEqual({ items: [], total: 0 });
  });

  it("merges what a guest's browser kept, in its order, without unknown or duplicate products", async () => {
    const [a, b, c] = [await createProduct(), await createProduct(), await createProduct()];
    await wish(a.id);
    const merged = await mergeWishes(buyer.viewer, { product_ids: [c.id, b.id, b.id, a.id, 2_000_000_000] });
    expect(merged).toEqual({ product_ids: [c.id, b.id, a.id], total: 3 });
    expect(await mergeWishes(buyer.viewer, { product_ids: [b.id] })).toEqual(merged);
  });

  it("rejects unknown products and more than the limit, even from concurrent calls", async () => {
    await expect(wish(2_000_000_000)).rejects.toMatchObject({ error: "product_unknown" });
    const products = await Promise.all([createProduct(), createProduct(), createProduct()]);
    await db.execute(sql`
      insert into wishes (user_id, product_id) select ${buyer.id}, id from products
      where id <> all(${sql.param(products.map(({ id }) => id))}::int[]) order by id limit ${WISHES_MAX - 1}`);
    const [count] = await db.execute<{ n: number }>(sql`select count(*)::int as n from wishes`);
    for (let n = count!.n; n < WISHES_MAX - 1; n++) await wish((await createProduct()).id);
    const results = await Promise.allSettled(products.map(({ id }) => wish(id)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { error: "wishlist_full" },
    });
    const merged = await mergeWishes(buyer.viewer, { product_ids: products.map(({ id }) => id) });
    expect(merged.total).toBe(WISHES_MAX);
  });
});

describe("wishlist emails", () => {
  it("announce a price drop once, with both prices and a one-click unsubscribe", async () => {
    const product = await createProduct({ plans: [{ priceCents: 1000, keys: 2 }] });
    await wish(product.id);
    expect(await notifyWishlists()).toBe(0);
    await setPrice(product.plans[0]!.id, 800);
    const counts = await Promise.all([notifyWishlists(), notifyWishlists()]);
    expect(counts.reduce((a, b) => a + b)).toBe(1);
    const [mail, ...more] = await readMails();
    expect(more).toEqual([]);
    expect(mail!.subject).toBe(`Price drop: ${product.name}`);
    expect(mail!.text).toContain("$8.00, was $10.00");
    expect(mail!.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    await sale.setClockAhead("25 hours");
    expect(await notifyWishlists()).toBe(0);
  });

  it("announce the largest drop of any plan, deals included", async () => {
    const product = await createProduct({
      plans: [
        { priceCents: 1000, keys: 1 },
        { type: "month", priceCents: 4000, keys: 1 },
      ],
    });
    await wish(product.id);
    await setPrice(product.plans[0]!.id, 900);
    await createDeal(product.plans[1]!.id, { priceCents: 2000 });
    await notifyWishlists();
    const [mail] = await readMails();
    expect(mail!.text).toContain("$20.00, was $40.00");
    expect(mail!.text).not.toContain("$9.00");
  });

  it("announce a drop after a rise, and nothing while a price only rises", async () => {
    const product = await createProduct({ plans: [{ priceCents: 1000, keys: 1 }] });
    await wish(product.id);
    await setPrice(product.plans[0]!.id, 1500);
    expect(await notifyWishlists()).toBe(0);
    await setPrice(product.plans[0]!.id, 1200);
    expect(await notifyWishlists()).toBe(1);
    expect((await readMails())[0]!.text).toContain("$12.00, was $15.00");
  });

  it("announce that a product is back, not that a hold on its last key ended", async () => {
    const product = await createProduct({ plans: [{ keys: 1 }] });
    await wish(product.id);
    const planId = product.plans[0]!.id;
    const other = await sale.createBuyer();
    const orderId = await sale.orderPlan(other, planId);
    expect(await notifyWishlists()).toBe(0);
    await sale.expireHold(orderId);
    expect(await notifyWishlists()).toBe(0);
    await db.execute(sql`update keys set state = 'revoked' where plan_id = ${planId}`);
    expect(await notifyWishlists()).toBe(0);
    await createKeys(planId, 1);
    expect(await notifyWishlists()).toBe(1);
    const [mail] = await readMails();
    expect(mail!.subject).toBe(`Back in stock: ${product.name}`);
    expect(mail!.text).toContain("Back in stock for $10.00");
  });

  it("are sent at most once a day per account, with several products in one and later news the next day", async () => {
    const [a, b, c] = [await createProduct(), await createProduct(), await createProduct()];
    for (const { id } of [a, b, c]) await wish(id);
    await setPrice(a.plans[0]!.id, 900);
    await setPrice(b.plans[0]!.id, 900);
    expect(await notifyWishlists()).toBe(1);
    await setPrice(c.plans[0]!.id, 900);
    expect(await notifyWishlists()).toBe(0);
    await removeWish(buyer.viewer, { product_id: a.id });
    await removeWish(buyer.viewer, { product_id: b.id });
    expect(await notifyWishlists()).toBe(0);
    expect((await readMails()).map(({ subject }) => subject)).toEqual([]);
    await sale.setClockAhead("25 hours");
    expect(await notifyWishlists()).toBe(1);
    const [mail, ...more] = await readMails();
    expect(more).toEqual([]);
    expect(mail!.subject).toBe(`Price drop: ${c.name}`);
  });

  it("name several products in one email, in the account's language", async () => {
    const owner = await sale.createBuyer({ locale: "ja" });
    const [a, b] = [await createProduct(), await createProduct()];
    await wish(a.id, owner);
    await wish(b.id, owner);
    await setPrice(a.plans[0]!.id, 900);
    await setPrice(b.plans[0]!.id, 800);
    await notifyWishlists();
    const [mail] = await readMails(owner);
    expect(mail!.subject).toBe(`値下げ：${b.name}、ほか1件`);
    expect(mail!.text).toContain(a.name);
  });

  it("are not sent when the price rose again or the product was removed before sending", async () => {
    const [a, b] = [await createProduct(), await createProduct()];
    const other = await sale.createBuyer();
    await wish(a.id);
    await wish(b.id, other);
    await setPrice(a.plans[0]!.id, 900);
    await setPrice(b.plans[0]!.id, 900);
    expect(await notifyWishlists()).toBe(2);
    await setPrice(a.plans[0]!.id, 1000);
    await removeWish(other.viewer, { product_id: b.id });
    expect(await readMails()).toEqual([]);
    expect(await readMails(other)).toEqual([]);
  });

  it("never go to unverified addresses or unsubscribed readers, who get no old news later", async () => {
    const unverified = await sale.createBuyer({ verified: false });
    const product = await createProduct();
    await wish(product.id, unverified);
    await wish(product.id);
    const token = createSignedToken("unsubscribe", { email: buyer.email, topic: "wishlist" });
    expect(await unsubscribe({ token }, "en")).toEqual({ state: "ended", topics: ["wishlist"] });
    await setPrice(product.plans[0]!.id, 900);
    expect(await notifyWishlists()).toBe(0);
    await db.execute(sql`update users set email_verified_at = shop_now() where id = ${unverified.id}`);
    expect(await notifyWishlists()).toBe(0);
    await setPrice(product.plans[0]!.id, 800);
    expect(await notifyWishlists()).toBe(1);
    expect(await readMails(unverified)).toHaveLength(1);
    expect(await readMails()).toEqual([]);
  });
});
