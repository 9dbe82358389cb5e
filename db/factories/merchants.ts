import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { db, shopNow } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createKeys } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { merchants } from "@/db/schema/catalog";
import { keyBatches, keys } from "@/db/schema/delivery";
import { apiTokens, merchantInvites, merchantMembers } from "@/db/schema/merchants";
import { type MerchantRole, type MerchantState, TOKEN_SCOPES, type TokenScope } from "@/lib/merchants/rules";
import {
  formatToken,
  hashTokenSecret,
  inviteToken,
  inviteTokenHash,
  type MerchantViewer,
} from "@/lib/platform/auth/merchant-access";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId, randomText } from "@/lib/platform/crypto/ids";

export type MerchantInput = { name?: string; state?: MerchantState; trust?: "new" | "trusted" };
export type CreatedMerchant = { id: string; handle: string; name: string; state: string; trust: string };

/** A merchant with a unique handle; active and new by default. */
export async function createMerchant(input: MerchantInput = {}): Promise<CreatedMerchant> {
  const tag = randomUUID().slice(0, 8);
  const { name = `Merchant ${tag}`, state = "active", trust = "new" } = input;
  const merchant = { id: newId("mch"), handle: `merchant-${tag}`, name, state, trust };
  await db.insert(merchants).values(merchant);
  return merchant;
}

export type Seller = SignedInUser & {
  merchant: CreatedMerchant;
  member: MerchantViewer & { user: UserViewer };
  /** of the membership */
  memberId: string;
  /** of API calls: the session and the merchant */
  headers: Record<string, string>;
};

/** A member of a merchant in a session in which the second factor was just given (`entered`). An owner by default. */
export async function createSeller(
  merchant: CreatedMerchant,
  { role = "owner", entered = true, email }: { role?: MerchantRole; entered?: boolean; email?: string } = {},
): Promise<Seller> {
  const user = await createSignedInUser({ ...(email && { email }) });
  const memberId = newId("mem");
  await db.insert(merchantMembers).values({ id: memberId, merchantId: merchant.id, userId: user.id, role });
  if (entered)
    await db.execute(sql`
      update sessions set factor_at = shop_now(), staff_seen_at = shop_now(), staff_reauthenticated_at = shop_now()
      where id = ${user.viewer.sessionId}`);
  const viewer: UserViewer = {
    ...user.viewer,
    factor: { active: entered, reauthenticated: entered, due: false },
  };
  const member = {
    kind: "merchant",
    merchant,
    actor: user.id,
    role,
    user: viewer,
    locale: viewer.locale,
  } as const;
  const headers = { authorization: user.bearer, "passlane-merchant": merchant.handle };
  return { ...user, viewer, merchant, member, memberId, headers };
}

/** An open invitation of a merchant, and the token of its link. */
export async function createMerchantInvite(
  merchant: CreatedMerchant,
  input: { email?: string; role?: MerchantRole; expired?: boolean } = {},
) {
  const { email = `${randomUUID()}@example.com`, role = "owner", expired = false } = input;
  const id = newId("inv");
  const token = inviteToken(id);
  await db.insert(merchantInvites).values({
    id,
    merchantId: merchant.id,
    email,
    role,
    locale: "en",
    tokenHash: inviteTokenHash(token),
    invitedBy: "usr_staff",
    expiresAt: expired ? sql`shop_now() - interval '1 minute'` : sql`shop_now() + interval '7 days'`,
  });
  return { id, email, token };
}

/** A token of a merchant with all scopes, and the header of its calls. */
export async function createApiToken(
  merchant: CreatedMerchant,
  input: { scopes?: TokenScope[]; networks?: string[]; expired?: boolean; revoked?: boolean } = {},
) {
  const { scopes = [...TOKEN_SCOPES], networks = [], expired = false, revoked = false } = input;
  const [id, secret] = [newId("tok"), randomText(32)];
  await db.insert(apiTokens).values({
    id,
    merchantId: merchant.id,
    name: "Test",
    secretHash: hashTokenSecret(id, secret),
    scopes,
    networks,
    createdBy: "system",
    expiresAt: expired ? sql`shop_now() - interval '1 minute'` : null,
    revokedAt: revoked ? sql`shop_now()` : null,
  });
  return { id, bearer: `Bearer ${formatToken(id, secret)}` };
}

/** Sales of a plan, a minute from another, written without the commands; returns their ids, the newest first. */
export async function createSales(
  user: { id: string; email: string },
  planId: number,
  count: number,
): Promise<string[]> {
  const order = await createOrder(user, planId, { status: "completed" });
  const ids = Array.from({ length: count }, () => newId("line"));
  await db.execute(sql`
    insert into order_lines (id, order_id, product_id, plan_id, position, quantity, unit_price_cents, total_cents, pass_type,
      duration_days, refund_rule, state)
    select i.id, l.order_id, l.product_id, l.plan_id, i.n, 1, 1000, 1000, l.pass_type, l.duration_days, l.refund_rule, 'assigned'
    from order_lines l, unnest(${sql.param(ids)}::text[]) with ordinality i(id, n) where l.id = ${order.lineId}`);
  await db.execute(sql`
    insert into merchant_sales (line_id, merchant_id, order_id, product_id, plan_id, sold_at, buyer, units, gross_cents, discount_cents,
      funded_by, rule_id, commission_cents, net_cents, available_at)
    select l.id, p.merchant_id, l.order_id, l.product_id, l.plan_id, shop_now() - make_interval(mins => l.position), 'buyer-test', 1, 1000, 0,
      'shop', 'cmr_default', 150, 850, shop_now()
    from order_lines l join products p on p.id = l.product_id where l.id = any(${sql.param(ids)}::text[])`);
  return ids;
}

export type MerchantRecords = { request: string; replacement: string; review: string };

/**
 * What someone asked and wrote about a plan of the merchant with a code in stock: a refund question, a replacement, a
 * review.
 */
export async function createMerchantRecords(
  user: { id: string; email: string },
  planId: number,
): Promise<MerchantRecords> {
  const [lineId] = await createSales(user, planId, 1);
  const [request, replacement, review] = [newId("rrq"), newId("rpl"), newId("rev")];
  const [key] = await db.execute<{ id: string }>(sql`
    update keys set state = 'reserved', order_line_id = ${lineId!}, slot = 1
    where id = (select id from keys where plan_id = ${planId} and state = 'available' limit 1) returning id`);
  await db.execute(sql`update keys set state = 'assigned', assigned_at = shop_now() where id = ${key!.id}`);
  await db.execute(sql`
    insert into refund_requests (id, order_line_id, user_id, amount_cents, answer_by)
    select ${request}, ${lineId!}, ${user.id}, 1000, shop_now() + interval '2 days'`);
  await db.execute(sql`
    insert into replacement_requests (id, key_id, user_id, reason) values (${replacement}, ${key!.id}, ${user.id}, 'It fails.')`);
  await db.execute(sql`
    insert into reviews (id, product_id, order_id, user_id, rating, title, content, locale)
    select ${review}, l.product_id, l.order_id, ${user.id}, 4, 'Good', 'It works.', 'en' from order_lines l where l.id = ${lineId!}`);
  return { request, replacement, review };
}

/** A batch of codes of a plan whose import has ended. */
export async function createKeyBatch(
  { id: merchantId }: { id: string },
  planId: number,
  count: number,
): Promise<{ id: string; keyIds: string[] }> {
  const id = newId("kb");
  await db.insert(keyBatches).values({
    id,
    merchantId,
    sha256: id,
    name: "keys.csv",
    source: "issued",
    statement: "Made for a test.",
    state: "done",
    lines: count + 1,
    added: count,
    by: "system",
    endedAt: shopNow,
  });
  await createKeys(planId, count, { batchId: id });
  const rows = await db.select({ id: keys.id }).from(keys).where(eq(keys.batchId, id));
  return { id, keyIds: rows.map((row) => row.id) };
}
