import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createKeys, createProduct } from "@/db/factories/catalog";
import {
  type CreatedMerchant,
  createApiToken,
  createKeyBatch,
  createMerchant,
  createMerchantInvite,
  createMerchantRecords,
  createSeller,
  type MerchantRecords,
} from "@/db/factories/merchants";
import { createCartLine, createOrder } from "@/db/factories/orders";
import { createPayoutAccount, createStatement } from "@/db/factories/payouts";
import { createStaff, type StaffInput } from "@/db/factories/staff";
import { createWebhookEndpoint, createWebhookMessage } from "@/db/factories/webhooks";
import { merchantDocuments } from "@/db/schema/merchants";
import { readProductRecords } from "@/lib/catalog/import/read-product-records";
import type { MerchantRole } from "@/lib/merchants/rules";
import { createPaymentIntent } from "@/lib/payments/create-payment-intent";
import { startSession } from "@/lib/platform/auth/session";
import { newId, randomText } from "@/lib/platform/crypto/ids";
import { seal } from "@/lib/platform/crypto/vault";

/** A user who owns one record of every kind that a user can own; ids and codes. */
export type UserFixture = SignedInUser & {
  order: string;
  line: string;
  deliveredOrder: string;
  deliveredLine: string;
  cart: string;
  key: string;
  secret: string;
  address: string;
  card: string;
  setup: string;
  setupSecret: string;
  session: string;
  conversation: string;
  coupon: string;
  verification: string;
  /** A member of a merchant: what that merchant owns, and the header of its calls. */
  sold?: SoldFixture;
};

/** One record of every kind that a merchant can own. */
export type SoldFixture = MerchantRecords & {
  merchant: CreatedMerchant;
  productId: number;
  planId: number;
  member: string;
  invite: string;
  token: string;
  change: string;
  /** of codes, whose import has ended */
  batch: string;
  /** a webhook endpoint, and a message that waits for it */
  endpoint: string;
  message: string;
  /** a document of its trader file */
  document: string;
  /** a payout account that is not active yet */
  account: string;
  statement: string;
};

export type CatalogFixture = {
  productId: number;
  slug: string;
  planId: number;
  cartPlanId: number;
  soldOutPlanId: number;
};

export async function createCatalogFixture(): Promise<CatalogFixture> {
  const product = await createProduct({
    plans: [{ keys: 3 }, { type: "month" }, { type: "year", keys: 20 }],
  });
  const [planId, soldOutPlanId, cartPlanId] = product.plans.map(({ id }) => id) as [number, number, number];
  return { productId: product.id, slug: product.slug, planId, cartPlanId, soldOutPlanId };
}

/** A member of a merchant with a record of every kind. Without a merchant it gets a new one; its first member is its owner. */
export async function createSellerFixture(
  catalog: CatalogFixture,
  {
    role = "owner",
    entered = true,
    sold,
  }: { role?: MerchantRole; entered?: boolean; sold?: SoldFixture } = {},
): Promise<UserFixture & { sold: SoldFixture }> {
  const merchant = sold?.merchant ?? (await createMerchant());
  const seller = await createSeller(merchant, { role, entered });
  return {
    ...(await createUserFixture(catalog, undefined, seller)),
    sold: sold ?? (await createSold(merchant)),
  };
}

async function createSold(merchant: CreatedMerchant): Promise<SoldFixture> {
  const product = await createProduct({ merchantId: merchant.id });
  const { memberId } = await createSeller(merchant, { role: "member" });
  const { id: invite } = await createMerchantInvite(merchant, { role: "member" });
  const { id: token } = await createApiToken(merchant);
  const planId = product.plans[0]!.id;
  const change = await createDraft(merchant, product.id);
  const { id: batch } = await createKeyBatch(merchant, planId, 1);
  const document = await createDocument(merchant);
  const records = await createMerchantRecords(await createSignedInUser(), planId);
  const { id: endpoint } = await createWebhookEndpoint(merchant);
  const message = await createWebhookMessage(merchant, endpoint);
  const account = await createPayoutAccount(merchant.id, { waits: true });
  const statement = await createStatement(merchant.id);
  const plain = {
    merchant,
    productId: product.id,
    planId,
    member: memberId,
    invite,
    token,
    change,
    batch,
    document,
  };
  return { ...plain, endpoint, message, account, statement, ...records };
}

/** A document of the merchant's trader file. */
async function createDocument({ id: merchantId }: CreatedMerchant): Promise<string> {
  const id = newId("doc");
  const file = {
    kind: "tax",
    name: "tax.pdf",
    mediaType: "application/pdf",
    bytes: 4,
    givenBy: "system",
  } as const;
  await db.insert(merchantDocuments).values({ id, merchantId, ...file, ...seal(id, "text") });
  return id;
}

/** A draft of a change that gives the product another name. */
async function createDraft(merchant: CreatedMerchant, productId: number): Promise<string> {
  const id = newId("chg");
  const line = (await readProductRecords([productId])).get(productId)!;
  const content = { ...line, texts: { en: { ...line.texts.en, name: "Renamed" } } };
  await db.execute(sql`
    insert into product_changes (id, merchant_id, product_id, base_revision, kind, risk, content, created_by)
    values (${id}, ${merchant.id}, ${productId}, 0, 'texts', 'low', ${JSON.stringify(content)}::jsonb, 'system')`);
  return id;
}

export async function createUserFixture(
  catalog: CatalogFixture,
  staff?: StaffInput,
  account?: SignedInUser,
): Promise<UserFixture> {
  const user = account ?? (staff ? await createStaff(staff) : await createSignedInUser());
  const openOrder = await createOrder(user, catalog.planId);
  const deliveredOrder = await createOrder(user, catalog.planId, { status: "completed" });
  const payingOrder = await createOrder(user, catalog.planId);
  const intent = await createPaymentIntent(user.viewer, { order_id: payingOrder.id });
  await createKeys(catalog.planId, 1);
  const [key] = await db.execute<{ id: string }>(sql`
    update keys set state = 'reserved', order_line_id = ${deliveredOrder.lineId}, slot = 1, reserved_at = shop_now()
    where id = (select id from keys where plan_id = ${catalog.planId} and state = 'available' limit 1) returning id`);
  await db.execute(sql`update keys set state = 'assigned', assigned_at = shop_now() where id = ${key!.id}`);
  const session = await startSession({ id: user.id }, "Other, Linux");
  const [customer, card, address] = [newId("cus"), newId("pm"), newId("addr")];
  const [campaignId, couponId, couponCode] = [newId("camp"), newId("cpn"), randomText(10).toUpperCase()];
  const [verification, setup, setupSecret] = [newId("ver"), newId("seti"), newId("seti_secret")];
  const conversation = newId("cnv");
  await db.execute(sql`
    with customer as (insert into sandbox_customers (id, metadata) values (${customer}, '{}') returning id),
      linked as (insert into payment_customers (user_id, customer_id) values (${user.id}, ${customer})),
      address as (insert into billing_addresses (id, user_id, full_name, line1, city, country)
        values (${address}, ${user.id}, 'Ada', '1 Main Street', 'Springfield', 'US')),
      campaign as (insert into campaigns (id, kind, title, amount_cents)
        values (${campaignId}, 'promotion', '{"en":"A","zh":"A","ja":"A"}', 100) returning id),
      conversation as (insert into conversations (id, user_id, locale) values (${conversation}, ${user.id}, 'en') returning id),
      message as (insert into conversation_messages (id, conversation_id, author, text)
        select ${newId("cms")}, id, 'customer', 'Where is my code?' from conversation),
      code as (insert into verification_codes (id, email, purpose, user_id, code_hash, expires_at)
        values (${verification}, ${user.email}, 'reset_password', ${user.id}, 'x', shop_now() + interval '10 minutes'))
    insert into coupons (id, code, campaign_id, user_id, amount_cents, minimum_cents, bound_at)
      select ${couponId}, ${couponCode}, id, ${user.id}, 100, 0, shop_now() from campaign`);
  await db.execute(sql`
    insert into sandbox_payment_methods (id, customer_id, brand, last4, exp_month, exp_year)
    values (${card}, ${customer}, 'visa', '4242', 12, extract(year from shop_now())::int + 3)`);
  await db.execute(sql`
    insert into sandbox_setup_intents (id, client_secret, customer_id, metadata, status, payment_method_id)
    values (${setup}, ${setupSecret}, ${customer}, '{}', 'succeeded', ${card})`);
  return {
    ...user,
    order: openOrder.id,
    line: openOrder.lineId,
    deliveredOrder: deliveredOrder.id,
    deliveredLine: deliveredOrder.lineId,
    cart: await createCartLine(user.id, catalog.cartPlanId),
    key: key!.id,
    secret: intent.client_secret,
    address,
    card,
    setup,
    setupSecret,
    session: session.sessionId,
    conversation,
    coupon: couponCode,
    verification,
  };
}
