import { eq, sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { webhookEndpoints } from "@/db/schema/webhooks";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { seal } from "@/lib/platform/crypto/vault";
import type { EndpointSecret } from "@/lib/webhooks/contract";
import { OLD_SECRET_HOURS } from "@/lib/webhooks/rules";
import { newSecret } from "./create-endpoint";
import { lockEndpoint } from "./lock-endpoint";

/**
 * Gives an endpoint a new secret, which only this response contains. Messages are also signed with the previous secret
 * for a day, and no longer with an older one.
 * @throws ShopError webhook_unknown
 */
export async function rotateSecret(viewer: MerchantViewer, id: string): Promise<EndpointSecret> {
  const secret = newSecret();
  return transaction(async (tx) => {
    const before = await lockEndpoint(tx, viewer, id);
    const [changed] = await tx
      .update(webhookEndpoints)
      .set({
        ...seal(id, secret),
        oldSealed: before.sealed,
        oldVaultKeyId: before.vaultKeyId,
        oldUntil: sql`shop_now() + make_interval(hours => ${OLD_SECRET_HOURS})`,
      })
      .where(eq(webhookEndpoints.id, id))
      .returning({ until: webhookEndpoints.oldUntil });
    const detail = { endpoint_id: id };
    await audit(
      { actor: viewer.actor, action: "merchant.webhook_secret_changed", subject: viewer.merchant.id, detail },
      tx,
    );
    return { endpoint_id: id, secret, old_secret_until: changed!.until!.toISOString() };
  });
}
