import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import {
  createApiToken,
  createKeyBatch,
  createMerchant,
  createMerchantInvite,
  createMerchantRecords,
  createSales,
  createSeller,
} from "@/db/factories/merchants";
import { createWebhookEndpoint, createWebhookMessage } from "@/db/factories/webhooks";
import { readProductRecords } from "@/lib/catalog/import/read-product-records";
import { newId } from "@/lib/platform/crypto/ids";

const TEXTS = {
  en: { name: "Quiet Editor", tagline: "Writes without distraction.", includes: ["All features"] },
  zh: {
    name: "静写编辑器",
    tagline: "专注写作。",
    description: "专注写作的编辑器。",
    includes: ["全部功能"],
  },
  ja: {
    name: "静かなエディタ",
    tagline: "集中して書けます。",
    description: "集中して書けるエディタです。",
    includes: ["すべての機能"],
  },
};

/** A merchant with something on each of its screens: sales, requests, reviews, figures, changes, batches, a team, a token. */
export async function createBusyMerchant() {
  const merchant = await createMerchant({ name: "Alder & Sons Software" });
  const owner = await createSeller(merchant);
  await createSeller(merchant, { role: "member" });
  await createMerchantInvite(merchant);
  await createApiToken(merchant);
  const product = await createProduct({
    merchantId: merchant.id,
    vendor: merchant.name,
    texts: TEXTS,
    plans: [
      { type: "month", keys: 4, priceCents: 1_999 },
      { type: "week", priceCents: 600 },
    ],
  });
  const [plan, empty] = product.plans.map(({ id }) => id) as [number, number];
  const buyer = await createUser();
  const sales = await createSales(buyer, plan, 12);
  await db.execute(sql`
    update merchant_sales set state = 'refunded', refunded_cents = gross_cents, refunded_units = units,
      commission_back_cents = commission_cents, net_back_cents = net_cents where line_id = ${sales[2]!}`);
  await createMerchantRecords(buyer, plan);
  const { request } = await createMerchantRecords(await createUser(), plan);
  await db.execute(sql`
    update refund_requests set state = 'refused', decided_at = shop_now(), decided_by = ${owner.id} where id = ${request}`);
  const batch = await createKeyBatch(merchant, plan, 3);
  const change = await createChange(merchant.id, product.id, "returned");
  await createChange(merchant.id, product.id, "draft");
  for (const [table, key, value, id] of [
    ["product_views_daily", "product_id", "views", product.id],
    ["plan_carts_daily", "plan_id", "carts", plan],
    ["plan_sales_daily", "plan_id", "units", plan],
    ["plan_sales_daily", "plan_id", "units", empty],
  ] as const)
    await db.execute(sql`
      insert into ${sql.raw(table)} (${sql.raw(key)}, day, ${sql.raw(value)})
      select ${id}, (shop_now() at time zone 'UTC')::date - n, 2 + n % 7 from generate_series(0, 55) n`);
  await db.execute(sql`
    insert into product_searches (product_id, merchant_id, content, searches, place)
    values (${product.id}, ${merchant.id}, 'quiet editor', 41, 1), (${product.id}, ${merchant.id}, 'writing app', 12, 4)`);
  const { id: endpoint } = await createWebhookEndpoint(merchant);
  await createWebhookMessage(merchant, endpoint);
  return { merchant, owner, product, batch: batch.id, change, endpoint };
}

/** A change of a product's name that staff returned, or that is still a draft. */
async function createChange(merchantId: string, productId: number, state: "draft" | "returned") {
  const id = newId("chg");
  const line = (await readProductRecords([productId])).get(productId)!;
  const content = { ...line, texts: { ...line.texts, en: { ...line.texts.en, name: "Quiet Editor 2" } } };
  const isReturned = state === "returned";
  await db.execute(sql`
    insert into product_changes (id, merchant_id, product_id, base_revision, kind, risk, content, created_by, state, proposed_at, note)
    values (${id}, ${merchantId}, ${productId}, 0, 'texts', 'low', ${JSON.stringify(content)}::jsonb, 'system', ${state},
      ${isReturned ? sql`shop_now()` : null}, ${isReturned ? "The name is that of another product." : null})`);
  return id;
}

type BusyMerchant = Awaited<ReturnType<typeof createBusyMerchant>>;

/** An address of every screen of a merchant's console. */
export const merchantScreens = ({ merchant, product, batch, change, endpoint }: BusyMerchant): string[] =>
  [
    "",
    "/sales",
    "/money",
    "/requests",
    "/requests?kind=replacement",
    "/requests?kind=refund&state=decided",
    "/requests?kind=replacement&state=decided",
    "/reviews",
    "/insight",
    "/products",
    `/products/${product.id}`,
    `/products/${product.id}/edit`,
    "/products/new",
    "/changes",
    `/changes/${change}`,
    `/changes/${change}/edit`,
    "/keys",
    "/keys/import",
    "/keys/batches",
    `/keys/batches/${batch}`,
    "/profile",
    "/business",
    "/team",
    "/tokens",
    "/developers",
    "/webhooks",
    `/webhooks/${endpoint}`,
    "/bulk",
    "/security",
    "/notices",
  ].map((path) => `/merchant/${merchant.handle}${path}`);
