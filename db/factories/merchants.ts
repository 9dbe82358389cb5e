import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { db, shopNow } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createKeys } from "@/db/factories/catalog";
import { merchants } from "@/db/schema/catalog";
import { keyBatches, keys } from "@/db/schema/delivery";
import { apiTokens, merchantMembers } from "@/db/schema/merchants";
import { type MerchantRole, type MerchantState, TOKEN_SCOPES, type TokenScope } from "@/lib/merchants/rules";
import { formatToken, hashTokenSecret, type MerchantViewer } from "@/lib/platform/auth/merchant-access";
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
  /** of API calls: the session and the merchant */
  headers: Record<string, string>;
};

/** A member of a merchant in a session in which the second factor was just given (`entered`). An owner by default. */
export async function createSeller(
  merchant: CreatedMerchant,
  { role = "owner", entered = true, email }: { role?: MerchantRole; entered?: boolean; email?: string } = {},
): Promise<Seller> {
  const user = await createSignedInUser({ ...(email && { email }) });
  await db
    .insert(merchantMembers)
    .values({ id: newId("mem"), merchantId: merchant.id, userId: user.id, role });
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
  return { ...user, viewer, merchant, member, headers };
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
  return { id, bearer: `Bearer ${formatToken(id, secret, false)}` };
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
