import { randomBytes } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { webhookEndpoints } from "@/db/schema/webhooks";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { newId } from "@/lib/platform/crypto/ids";
import { seal } from "@/lib/platform/crypto/vault";
import { ShopError } from "@/lib/platform/errors";
import type { CreateEndpointInput, EndpointSecret } from "@/lib/webhooks/contract";
import { ENDPOINTS_MAX } from "@/lib/webhooks/rules";
import { requireEndpointUrl } from "./require-endpoint-url";

/** A secret of 32 random bytes in the form of Standard Webhooks. */
export const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/**
 * Creates an endpoint of the viewer's merchant. Only this response contains the secret, which is stored encrypted.
 * @throws ShopError webhook_url_invalid, webhook_address, webhooks_full
 */
export async function createEndpoint(
  { merchant, actor, locale }: MerchantViewer,
  { name, url, events }: CreateEndpointInput,
): Promise<EndpointSecret> {
  const address = await requireEndpointUrl(url, locale);
  const [id, secret] = [newId("whk"), newSecret()];
  return transaction(async (tx) => {
    await tx.execute(sql`select from merchants where id = ${merchant.id} for no key update`);
    const existing = await tx.$count(
      webhookEndpoints,
      and(eq(webhookEndpoints.merchantId, merchant.id), isNull(webhookEndpoints.removedAt)),
    );
    if (existing >= ENDPOINTS_MAX) throw new ShopError("webhooks_full", { params: { limit: ENDPOINTS_MAX } });
    await tx.insert(webhookEndpoints).values({
      id,
      merchantId: merchant.id,
      name,
      url: address,
      events: [...new Set(events)],
      ...seal(id, secret),
      createdBy: actor,
    });
    const detail = { endpoint_id: id, name, url: address, events };
    await audit({ actor, action: "merchant.webhook_created", subject: merchant.id, detail }, tx);
    return { endpoint_id: id, secret, old_secret_until: null };
  });
}
