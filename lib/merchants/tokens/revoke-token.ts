import { and, eq, isNull } from "drizzle-orm";
import { shopNow, transaction } from "@/db/client";
import { apiTokens } from "@/db/schema/merchants";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";

/**
 * Revokes a token immediately.
 * @throws ShopError api_token_unknown: not this merchant's, or already revoked
 */
export async function revokeToken({ merchant, actor }: MerchantViewer, id: string) {
  return transaction(async (tx) => {
    const revoked = await tx
      .update(apiTokens)
      .set({ revokedAt: shopNow, revokedBy: actor })
      .where(and(eq(apiTokens.id, id), eq(apiTokens.merchantId, merchant.id), isNull(apiTokens.revokedAt)))
      .returning({ name: apiTokens.name });
    if (revoked.length === 0) throw new ShopError("api_token_unknown");
    const detail = { token_id: id, name: revoked[0]!.name };
    await audit({ actor, action: "merchant.token_revoked", subject: merchant.id, detail }, tx);
    return { token_id: id, revoked: true as const };
  });
}
