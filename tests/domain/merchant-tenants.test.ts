import { sql } from "drizzle-orm";
import { afterAll, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createMerchant, createSeller } from "@/db/factories/merchants";

afterAll(closeDatabase);

it("each vendor has a merchant, whose handle is the slug of the vendor", async () => {
  const vendors = ["Cadrell & Daughters", "Ōkami Söft", "東京工房", "...", "O'Neil's Lab"];
  for (const vendor of vendors) await createProduct({ vendor, plans: [] });
  const rows = await db.execute<{
    vendor: string;
    slug: string;
    handle: string;
    name: string;
    state: string;
  }>(sql`
    select p.vendor, p.vendor_slug as slug, m.handle, m.name, m.state from products p join merchants m on m.id = p.merchant_id
    where p.vendor in ${vendors}`);
  expect(rows.length).toBe(vendors.length);
  for (const { vendor, slug, handle, name, state } of rows)
    expect({ handle, name, state }).toEqual({ handle: slug, name: vendor, state: "active" });
});

it("takes a suspended merchant's products off the shop, and puts them back", async () => {
  const merchant = await createMerchant();
  const product = await createProduct({ merchantId: merchant.id });
  const unpublished = await createProduct({ merchantId: merchant.id, listed: false });
  const shown = async () => {
    const rows = await db.execute<{ id: number }>(sql`
      select id from products where id in ${[product.id, unpublished.id]} and listed`);
    const [index] = await db.execute(sql`select from listing_index where product_id = ${product.id}`);
    return { listed: rows.map(({ id }) => id), sold: index !== undefined };
  };
  const setState = (state: string) =>
    db.execute(sql`update merchants set state = ${state} where id = ${merchant.id}`);
  expect(await shown()).toEqual({ listed: [product.id], sold: true });
  await setState("suspended");
  expect(await shown()).toEqual({ listed: [], sold: false });
  const added = await createProduct({ merchantId: merchant.id });
  const [row] = await db.execute(sql`select listed, blocked_reason from products where id = ${added.id}`);
  expect(row).toEqual({ listed: false, blocked_reason: "merchant_suspended" });
  await setState("active");
  expect(await shown()).toEqual({ listed: [product.id], sold: true });
});

it("the last owner cannot leave, and two who leave at once cannot both", async () => {
  const merchant = await createMerchant();
  const [one, two] = [await createSeller(merchant), await createSeller(merchant)];
  await createSeller(merchant, { role: "member" });
  const leave = (userId: string) =>
    db.execute(sql`update merchant_members set ended_at = shop_now() where user_id = ${userId}`);
  const results = await Promise.allSettled([leave(one.id), leave(two.id)]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});
