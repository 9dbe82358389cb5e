import { sql } from "drizzle-orm";
import { afterAll, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createCategory, createProduct } from "@/db/factories/catalog";
import { createMerchant, createSeller } from "@/db/factories/merchants";
import { readProductRecords } from "@/lib/catalog/import/read-product-records";
import { findDecidedChange } from "@/lib/merchants/changes/find-change-mails";
import { getEditedChange } from "@/lib/merchants/changes/get-edited-change";
import { listConsoleMerchants } from "@/lib/merchants/console/list-console-merchants";
import { noticeMail } from "@/lib/merchants/states/notice-mail";
import { lacksAllSales } from "@/lib/orders/sales/record-missing-sales";

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

it("concurrent first products of a new vendor share one merchant", async () => {
  const category = await createCategory();
  for (let round = 0; round < 100; round++) {
    const vendor = `At once ${round}`;
    await Promise.all(
      Array.from({ length: 8 }, () => createProduct({ vendor, category, plans: [], texts: {} })),
    );
    const owners = await db.execute(sql`select distinct merchant_id from products where vendor = ${vendor}`);
    expect(owners).toHaveLength(1);
  }
});

it("a suspended merchant's products leave the shop and come back when it is resumed", async () => {
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

it("the last owner cannot leave, nor can the last two at the same time", async () => {
  const merchant = await createMerchant();
  const [one, two] = [await createSeller(merchant), await createSeller(merchant)];
  await createSeller(merchant, { role: "member" });
  const leave = (userId: string) =>
    db.execute(sql`update merchant_members set ended_at = shop_now() where user_id = ${userId}`);
  const results = await Promise.allSettled([leave(one.id), leave(two.id)]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

it("emails to owners are dropped when the decision that they announce no longer holds", async () => {
  const merchant = await createMerchant({ name: "Alder Works" });
  const expected = { merchant: "Alder Works", handle: merchant.handle, state: "suspended", note: "Unpaid" };
  expect(await noticeMail(merchant.id, "suspended", "Unpaid")).toEqual(expected);
  expect(await noticeMail(merchant.id, "unheard-of", "")).toBeNull();
  const seller = await createSeller(merchant);
  const product = await createProduct({ merchantId: merchant.id });
  const line = (await readProductRecords([product.id])).get(product.id)!;
  await db.execute(sql`
    insert into product_changes (id, merchant_id, product_id, base_revision, kind, risk, content, created_by, state, proposed_at, note)
    values ('chg_notice', ${merchant.id}, ${product.id}, 0, 'texts', 'low', ${JSON.stringify(line)}::jsonb, 'system', 'returned', shop_now(), 'Wait')`);
  const path = `/merchant/${merchant.handle}/changes/chg_notice`;
  expect(await findDecidedChange("chg_notice", "returned", "ja")).toEqual({
    product: product.name,
    path,
    note: "Wait",
  });
  expect(await findDecidedChange("chg_notice", "approved", "ja")).toBeNull();
  const { change } = await getEditedChange(seller.member, "chg_notice", "en");
  expect(change).toMatchObject({ change_id: "chg_notice", note: "Wait", merged: false });
});

it("a merchant without members can be taken over by an application", async () => {
  const [free, taken, ended] = [
    await createMerchant({ name: "Vendor without members" }),
    await createMerchant({ name: "Vendor with one" }),
    await createMerchant({ name: "Vendor that ended", state: "ended" }),
  ];
  await createSeller(taken);
  const names = async (unowned: boolean) =>
    (await listConsoleMerchants({ name: "vendor w", unowned })).items.map(({ name }) => name);
  expect(await names(true)).toEqual([free.name]);
  expect(await names(false)).toEqual([taken.name]);
  const all = await listConsoleMerchants({ name: "vendor that", unowned: false });
  expect(all.items).toMatchObject([{ name: ended.name }]);
  expect(await lacksAllSales()).toBe(false);
});
