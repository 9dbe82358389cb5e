import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { webhookEndpoints } from "@/db/schema/webhooks";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";

/** Locks an endpoint of the viewer's merchant. @throws ShopError webhook_unknown: another merchant's, or removed */
export async function lockEndpoint(tx: Tx, { merchant }: MerchantViewer, id: string) {
  const [endpoint] = await tx
    .select()
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.id, id),
        eq(webhookEndpoints.merchantId, merchant.id),
        isNull(webhookEndpoints.removedAt),
      ),
    )
    .for("no key update");
  if (!endpoint) throw new ShopError("webhook_unknown");
  return endpoint;
}
