import { eq } from "drizzle-orm";
import { shopNow, transaction } from "@/db/client";
import { webhookEndpoints } from "@/db/schema/webhooks";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { lockEndpoint } from "./lock-endpoint";

/**
 * Removes an endpoint permanently: nothing more is sent to it, and its log is no longer shown.
 * @throws ShopError webhook_unknown
 */
export async function removeEndpoint(viewer: MerchantViewer, id: string) {
  return transaction(async (tx) => {
    const { name } = await lockEndpoint(tx, viewer, id);
    await tx.update(webhookEndpoints).set({ removedAt: shopNow }).where(eq(webhookEndpoints.id, id));
    const detail = { endpoint_id: id, name };
    await audit(
      { actor: viewer.actor, action: "merchant.webhook_removed", subject: viewer.merchant.id, detail },
      tx,
    );
    return { endpoint_id: id, removed: true as const };
  });
}
