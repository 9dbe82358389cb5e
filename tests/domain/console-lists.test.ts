import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createKeys, createProduct } from "@/db/factories/catalog";
import { createMerchant, createSeller, type Seller } from "@/db/factories/merchants";
import { createOrder } from "@/db/factories/orders";
import { createStaff } from "@/db/factories/staff";
import { ConsoleCustomersInput } from "@/lib/accounts/console/contract";
import { listConsoleCustomers } from "@/lib/accounts/console/list-console-customers";
import { listPostPictures } from "@/lib/blog/console/list-post-pictures";
import { ConsoleProductsInput } from "@/lib/catalog/console/contract";
import { listConsoleProducts } from "@/lib/catalog/console/list-console-products";
import { listConsoleCampaigns } from "@/lib/coupons/console/list-console-campaigns";
import { ConsoleStockInput } from "@/lib/delivery/console/contract";
import { listConsoleStock } from "@/lib/delivery/console/list-console-stock";
import { MerchantChangesInput, MerchantProductsInput } from "@/lib/merchants/changes/contract";
import { ConsoleChangesInput } from "@/lib/merchants/changes/contract-console";
import { listConsoleChanges } from "@/lib/merchants/changes/list-console-changes";
import { listMerchantChanges } from "@/lib/merchants/changes/list-merchant-changes";
import { listMerchantProducts } from "@/lib/merchants/changes/list-merchant-products";
import { ConsoleApplicationsInput } from "@/lib/merchants/console/contract";
import { listConsoleApplications } from "@/lib/merchants/console/list-console-applications";
import { ConsoleMailsInput } from "@/lib/notifications/console/contract";
import { listConsoleMails } from "@/lib/notifications/console/list-console-mails";
import { updateDayFigures } from "@/lib/orders/insight/update-day-figures";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { AuditInput } from "@/lib/staff/audit/contract";
import { listAudit } from "@/lib/staff/audit/list-audit";
import { MAX_READ } from "../setup/rows-of-plan";
import { mostRead } from "../setup/rows-read";

const ROWS = 3_000;
type Page = {
  items: Record<string, unknown>[];
  next_cursor: string | null;
  total: number;
  total_exact: boolean;
};
const lists: Record<string, { list: (input: object) => Promise<Page>; id: string }> = {
  customers: { list: (input) => listConsoleCustomers(ConsoleCustomersInput.parse(input)), id: "customer_id" },
  mails: { list: (input) => listConsoleMails(ConsoleMailsInput.parse(input)), id: "mail_id" },
  applications: {
    list: (input) => listConsoleApplications(ConsoleApplicationsInput.parse(input)),
    id: "application_id",
  },
  products: {
    list: (input) => listConsoleProducts(ConsoleProductsInput.parse(input), "en"),
    id: "product_id",
  },
  audit: { list: (input) => listAudit(auditor, AuditInput.parse(input)), id: "entry_id" },
  stock: { list: (input) => listConsoleStock(ConsoleStockInput.parse(input), "en"), id: "vip_id" },
  changes: {
    list: (input) => listConsoleChanges(ConsoleChangesInput.parse(input), "en"),
    id: "change_id",
  },
  merchant_changes: {
    list: (input) => listMerchantChanges(seller.member, MerchantChangesInput.parse(input), "en"),
    id: "change_id",
  },
  merchant_products: {
    list: (input) => listMerchantProducts(seller.member, MerchantProductsInput.parse(input), "en"),
    id: "product_id",
  },
};
const page = (name: string, input: object = {}) => lists[name]!.list(input);
const idsOf = async (name: string, input: object) =>
  (await page(name, input)).items.map((item) => item[lists[name]!.id]);

let auditor: StaffViewer;
let product: Awaited<ReturnType<typeof createProduct>>;
let planId: number;
let seller: Seller;
let vendorSlug: string;

/** Thousands of rows of each kind, one a minute in the past, most of them without anything that a filter looks for. */
async function fill() {
  const buyer = await createUser();
  await db.execute(sql`
    insert into users (id, email, username, locale, invite_code, created_at)
    select 'usr_bulk' || n, 'bulk' || lpad(n::text, 6, '0') || '@example.com', 'Bulk', 'en', 'bulk' || n, shop_now() - make_interval(mins => n)
    from generate_series(1, ${ROWS}) n`);
  await db.execute(sql`
    insert into mails (id, event, to_address, locale, refs, dedupe_key, state, sent_at, created_at)
    select 'mail_bulk' || n, 'welcome', 'bulk' || lpad(n::text, 6, '0') || '@example.com', 'en', '{}', 'bulk' || n, 'sent', shop_now(),
      shop_now() - make_interval(mins => n) from generate_series(1, ${ROWS}) n`);
  await db.execute(sql`
    insert into merchant_applications (id, email, product_url, phone_num, locale, state, created_at)
    select 'app_bulk' || n, 'bulk' || lpad(n::text, 6, '0') || '@example.com', 'https://example.com', '+15550100', 'en', 'received',
      shop_now() - make_interval(mins => n) from generate_series(1, ${ROWS}) n`);
  seller = await createSeller(await createMerchant());
  product = await createProduct({ plans: [{ keys: 120 }, { type: "month", keys: 3 }] });
  planId = product.plans[1]!.id;
  await db.execute(sql`
    insert into products (slug, vendor, merchant_id, category, image, sort_num, activation, import_hash)
    select 'bulk-' || n, 'Bulk ' || n % 50, ${seller.merchant.id}, p.category, p.image, 1, p.activation, '' from products p, generate_series(1, ${ROWS}) n
    where p.id = ${product.id}`);
  await db.execute(sql`insert into product_texts (product_id, locale, name, tagline, description, includes)
    select id, 'en', 'Bulk product ' || id, '', '', '[]' from products where slug like 'bulk-%'`);
  await db.execute(sql`
    insert into plans (product_id, type, duration_days, price_cents, availability, region, position)
    select id, t.type, t.days, 500, 'in_stock', '["worldwide"]', 1 from products, (values ('day', 1), ('week', 7), ('month', 30)) t(type, days)
    where slug like 'bulk-%'`);
  await db.execute(sql`insert into keys (id, plan_id, state, sealed, vault_key_id, fingerprint)
    select 'key_bulk' || id, id, 'revoked', '', '', 'bulk' || id from plans where product_id <> ${product.id}`);
  await db.execute(sql`
    insert into product_changes (id, merchant_id, product_id, state, base_revision, kind, risk, content, created_by, proposed_at, created_at)
    select 'chg_bulk' || id, merchant_id, id, 'proposed', 0, 'texts', 'low', '{"texts":{"en":{"name":"Bulk"}}}', 'system', shop_now(),
      shop_now() - make_interval(mins => id) from products where slug like 'bulk-%'`);
  await db.execute(sql`insert into audit_entries (actor, action, subject)
    select case when n % 2 = 0 then 'system' else 'usr_bulk' || n % 5 end, 'bulk.' || n % 9, 'bulk' || n % 50 from generate_series(1, ${ROWS}) n`);
  await db.execute(sql`insert into campaigns (id, kind, title, percent, monthly_budget_cents, max_discount_cents)
    select 'bulk-' || n, 'promotion', '{"en":"Bulk","zh":"Bulk","ja":"Bulk"}', 5, 100000, 500 from generate_series(1, 120) n`);
  await db.execute(sql`insert into coupons (id, code, campaign_id, percent, minimum_cents)
    select 'cpn_bulk' || n, 'BULK' || n, 'bulk-' || n % 20 + 1, 5, 0 from generate_series(1, ${ROWS}) n`);
  await db.execute(sql`insert into posts (slug, author, category, related, published_at, updated_at, listed, import_hash)
    select 'bulk-post-' || n, 'Bulk', p.category, '[]', shop_now() - make_interval(hours => n), shop_now(), true, 'bulk'
    from products p, generate_series(1, ${ROWS}) n where p.id = ${product.id}`);
  await db.execute(sql`insert into post_texts (post_id, locale, title, description, body)
    select id, l, 'Bulk', 'Bulk', 'Words.' from posts, unnest(array['en', 'zh', 'ja']) l where import_hash = 'bulk'`);
  const [row] = await db.execute<{ slug: string }>(
    sql`select vendor_slug as slug from products where id = ${product.id}`,
  );
  vendorSlug = row!.slug;
  for (const table of [
    "users",
    "mails",
    "merchant_applications",
    "products",
    "product_texts",
    "plans",
    "keys",
    "product_changes",
    "audit_entries",
    "campaigns",
    "coupons",
    "posts",
    "post_texts",
  ])
    await db.execute(sql.raw(`analyze ${table}`));
  return buyer;
}

let buyer: Awaited<ReturnType<typeof createUser>>;
beforeAll(async () => {
  auditor = (await createStaff()).viewer;
  buyer = await fill();
});
afterAll(closeDatabase);

const FILTERS: [string, object][] = [
  ["customers", {}],
  ["customers", { email: "bulk0" }],
  ["customers", { email: "bulk", state: "deleted" }],
  ["customers", { name: "bulk" }],
  ["customers", { name: "bulk", from: "2020-01-01", state: "verified" }],
  ["customers", { state: "staff" }],
  ["customers", { sort: "oldest", days: "last_7_days", time_zone: "Asia/Tokyo" }],
  ["customers", { from: "2020-01-01", to: "2090-01-01" }],
  ["mails", {}],
  ["mails", { email: "bulk0" }],
  ["mails", { state: "failed" }],
  ["mails", { state: "sent", event: "keys" }],
  ["mails", { order_number: "PL-0000-0000", email: "bulk" }],
  ["mails", { event: "refund", from: "2020-01-01" }],
  ["mails", { sort: "oldest", state: "failed" }],
  ["applications", {}],
  ["applications", { email: "bulk0" }],
  ["applications", { state: "received" }],
  ["applications", { state: "refused", email: "bulk" }],
  ["applications", { from: "2020-01-01", to: "2090-01-01" }],
  ["products", {}],
  ["products", { name: "bulk" }],
  ["products", { product_id: "1001", vendor: "bulk-1" }],
  ["products", { name: "bulk", listed: "false" }],
  ["products", { vendor: "bulk-1" }],
  ["products", { vendor: "nobody" }],
  ["products", { category: "nowhere" }],
  ["products", { listed: "false" }],
  ["products", { untranslated: "false" }],
  ["products", { no_stock: "false" }],
  ["products", { unsold: "false" }],
  ["products", { vendor: "bulk-1", unsold: "false", no_stock: "false" }],
  ["audit", {}],
  ["audit", { actor: "system" }],
  ["audit", { actor: "nobody" }],
  ["audit", { subject: "bulk7" }],
  ["audit", { subject: "bulk7", actor: "system", action: "bulk" }],
  ["audit", { subject: "nothing" }],
  ["audit", { action: "nothing" }],
  ["stock", {}],
  ["stock", { vendor: "bulk-1" }],
  ["stock", { category: "nowhere" }],
  ["stock", { vip_type: "year" }],
  ["stock", { no_stock: "false" }],
  ["stock", { waiting: "true" }],
  ["stock", { listed: "false" }],
  ["stock", { vip_id: "5001" }],
  ["stock", { product_id: "1001" }],
  ["changes", {}],
  ["changes", { state: "refused" }],
  ["changes", { merchant: "nobody" }],
  ["merchant_changes", {}],
  ["merchant_changes", { state: "returned" }],
  ["merchant_changes", { product_id: "1001" }],
  ["merchant_products", {}],
  ["merchant_products", { name: "nothing" }],
  ["merchant_products", { category: "nowhere" }],
  ["merchant_products", { no_stock: "false" }],
  ["merchant_products", { untranslated: "false" }],
];

const OTHER_FILTER: Record<string, object> = {
  products: { listed: "true" },
  stock: { listed: "true" },
  audit: { action: "bulk" },
  changes: { merchant: "nobody" },
  merchant_changes: { state: "proposed" },
  merchant_products: { untranslated: "true" },
};

describe("the lists of the staff console", () => {
  it.each(FILTERS)("of %s read at most 2,100 rows per statement: %j", async (name, input) => {
    expect(await mostRead(() => page(name, input))).toBeLessThanOrEqual(MAX_READ);
    const { next_cursor: cursor } = await page(name, input);
    if (cursor) expect(await mostRead(() => page(name, { ...input, cursor }))).toBeLessThanOrEqual(MAX_READ);
  });

  it("of campaigns and of pictures read at most 2,100 rows per statement", async () => {
    expect(await mostRead(() => listConsoleCampaigns("en"))).toBeLessThanOrEqual(MAX_READ);
    expect(await mostRead(listPostPictures)).toBeLessThanOrEqual(MAX_READ);
    const { items } = await listConsoleCampaigns("en");
    expect(items.find(({ campaign }) => campaign === "bulk-7")).toMatchObject({ coupons: 100, used: 0 });
    expect(items.find(({ campaign }) => campaign === "bulk-77")).toMatchObject({ coupons: 0, used: 0 });
  });

  it.each([
    ["customers", { email: "bulk0001" }, 100],
    ["mails", { email: "bulk0001" }, 100],
    ["applications", { email: "bulk0001" }, 100],
    ["audit", { subject: "bulk7" }, ROWS / 50],
    ["audit", { action: "bulk.7", actor: "usr_bulk2" }, Math.ceil(ROWS / 90)],
    ["products", { vendor: "bulk-1", listed: "true" }, ROWS / 50],
    ["stock", { vendor: "bulk-1" }, (3 * ROWS) / 50],
    ["products", { name: "BULK", listed: "true" }, ROWS],
    ["changes", {}, ROWS],
    ["merchant_changes", { state: "proposed" }, ROWS],
    ["merchant_products", { name: "bulk" }, ROWS],
    ["merchant_changes", { sort: "oldest" }, ROWS],
  ])("of %s return each row once: %j", async (name, input, count) => {
    const seen: unknown[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const next = await page(name, cursor ? { ...input, cursor } : input);
      expect(next.items.length).toBeLessThanOrEqual(50);
      seen.push(...next.items.map((item) => item[lists[name]!.id]));
      cursor = next.next_cursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(count);
  });

  it("reject the cursor of other filters", async () => {
    for (const name of Object.keys(lists)) {
      const { next_cursor: cursor } = await page(name);
      const other = OTHER_FILTER[name] ?? { from: "2020-01-01" };
      await expect(page(name, { cursor, ...other })).rejects.toMatchObject({ error: "cursor_invalid" });
    }
  });

  it("show a customer with orders and money", async () => {
    const { id: order } = await createOrder(buyer, planId, { status: "completed" });
    await createOrder(buyer, planId);
    await db.execute(sql`update orders set paid_at = shop_now() where id = ${order}`);
    await db.execute(
      sql`insert into refunds (id, order_id, amount_cents, reason, state) values ('ref_list', ${order}, 120, 'x', 'succeeded')`,
    );
    const [row] = await db.execute<{ cents: number }>(
      sql`select total_cents as cents from orders where id = ${order}`,
    );
    const { items } = await page("customers", { email: buyer.email });
    expect(items).toEqual([
      expect.objectContaining({
        customer_id: buyer.id,
        orders: 2,
        orders_exact: true,
        spent: row!.cents / 100,
        refunded: 1.2,
      }),
    ]);
    expect(await idsOf("customers", { email: buyer.email, state: "deleted" })).toEqual([]);
  });

  it("show what happened on a day of the time zone that the filter names, else of UTC", async () => {
    await db.execute(sql`insert into mails (id, event, to_address, locale, refs, dedupe_key, created_at)
      values ('mail_day', 'keys', 'day@example.com', 'en', '{}', 'mail_day', '2026-03-28T23:30:00Z')`);
    const isShown = async (input: object) => (await idsOf("mails", input)).includes("mail_day");
    const day = { from: "2026-03-29", to: "2026-03-29" };
    expect(await isShown(day)).toBe(false);
    // The clocks change on this day.
    expect(await isShown({ ...day, time_zone: "Europe/Berlin" })).toBe(true);
    expect(await isShown({ ...day, time_zone: "America/New_York" })).toBe(false);
    await expect(isShown({ ...day, time_zone: "Nowhere" })).rejects.toThrow();
  });

  it("show an email with its attempts and error, by state, order and event", async () => {
    await db.execute(sql`insert into mails (id, event, to_address, locale, refs, dedupe_key, state, attempts, last_error, order_number)
      values ('mail_failed', 'keys', 'Mail@Example.com', 'en', '{}', 'mail_failed', 'failed', 12, 'Error: refused', 'PL-2611-9999')`);
    for (const input of [
      { state: "failed" },
      { order_number: "pl-2611-9999" },
      { event: "keys" },
      { email: "mail@" },
    ])
      expect(await idsOf("mails", input), JSON.stringify(input)).toContain("mail_failed");
    const [mail] = (await page("mails", { order_number: "PL-2611-9999" })).items;
    expect(mail).toMatchObject({
      attempts: 12,
      last_error: "Error: refused",
      sent_at: null,
      state: "failed",
    });
    expect(mail).not.toHaveProperty("refs");
  });

  it("show who decided an application", async () => {
    await db.execute(sql`insert into merchant_applications (id, email, product_url, phone_num, locale, state, decided_by, decided_at, note)
      values ('app_refused', 'maker@example.com', 'https://example.com', '+15550100', 'en', 'refused', ${buyer.id}, shop_now(), 'No')`);
    expect((await page("applications", { state: "refused" })).items).toEqual([
      expect.objectContaining({ application_id: "app_refused", decided_by: buyer.email, note: "No" }),
    ]);
  });

  it("show products with plans, price, stock and missing languages", async () => {
    const [row] = (await page("products", { vendor: vendorSlug })).items;
    expect(row).toMatchObject({
      product_id: product.id,
      plans: 2,
      stock: 100,
      stock_exact: false,
      listed: true,
    });
    expect(await idsOf("products", { product_id: product.id })).toEqual([product.id]);
    expect(await idsOf("products", { product_id: product.id, vendor: "bulk-1" })).toEqual([]);
    expect((await page("products", { name: "bulk product" })).items[0]).toMatchObject({
      untranslated: ["zh", "ja"],
      stock: 0,
      stock_exact: true,
      price_from: 5,
    });
    await db.execute(sql`update products set published = false where slug = ${`bulk-${ROWS - 7}`}`);
    expect((await page("products", { listed: false })).items).toEqual([
      expect.objectContaining({ slug: `bulk-${ROWS - 7}` }),
    ]);
  });

  it("show stock, holds, sales, cover and wait-list by plan", async () => {
    const { id: order, lineId } = await createOrder(buyer, planId, { status: "completed", quantity: 2 });
    await db.execute(sql`update orders set paid_at = shop_now() where id = ${order}`);
    await updateDayFigures();
    await createKeys(planId, 1);
    await db.execute(sql`update keys set state = 'reserved', order_line_id = ${lineId}, slot = 1, reserved_at = shop_now()
      where id = (select id from keys where plan_id = ${planId} limit 1)`);
    await db.execute(
      sql`insert into wait_list (id, user_id, plan_id, email, locale) values ('wl_list', ${buyer.id}, ${planId}, 'a@example.com', 'en')`,
    );
    const [plan] = (await page("stock", { vip_id: planId })).items;
    expect(plan).toMatchObject({ vip_id: planId, available: 3, reserved: 1, waiting: 1 });
    expect(plan!.sold_28_days).toBeGreaterThanOrEqual(2);
    expect(plan!.days_of_cover).toBe(Math.floor((3 * 28) / Number(plan!.sold_28_days)));
    expect(await idsOf("stock", { waiting: true, vendor: vendorSlug })).toEqual([planId]);
    expect(await idsOf("stock", { product_id: product.id, no_stock: true })).toEqual([]);
    expect(await idsOf("products", { unsold: false, vendor: vendorSlug })).toEqual([product.id]);
  });
});
