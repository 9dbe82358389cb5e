import { eq, sql } from "drizzle-orm";
import { shopNow, transaction } from "@/db/client";
import { webhookEndpoints } from "@/db/schema/webhooks";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { SaveEndpointInput } from "@/lib/webhooks/contract";
import { lockEndpoint } from "./lock-endpoint";
import { requireEndpointUrl } from "./require-endpoint-url";

/**
 * Replaces all fields of an endpoint. When it is enabled again, waiting messages are sent immediately and in order;
 * events from while it was disabled are not sent.
 * @throws ShopError webhook_unknown, webhook_url_invalid, webhook_address
 */
export async function saveEndpoint(
  viewer: MerchantViewer,
  id: string,
  { name, url, events, state }: SaveEndpointInput,
) {
  const { actor, merchant } = viewer;
  const address = await requireEndpointUrl(url, viewer.locale);
  return transaction(async (tx) => {
    const before = await lockEndpoint(tx, viewer, id);
    const changes = before.state !== state;
    const stopped = { disabledReason: "merchant" as const, disabledAt: shopNow };
    const started = { disabledReason: null, disabledAt: null, failingSince: null, slow: false };
    await tx
      .update(webhookEndpoints)
      .set({
        name,
        url: address,
        events: [...new Set(events)],
        state,
        ...(changes && (state === "disabled" ? stopped : started)),
      })
      .where(eq(webhookEndpoints.id, id));
    if (changes && state === "enabled")
      await tx.execute(sql`
        update webhook_deliveries set next_at = shop_now() where endpoint_id = ${id} and state = 'waiting' and next_at > shop_now()`);
    const detail = {
      endpoint_id: id,
      before: { name: before.name, url: before.url, state: before.state },
      after: { name, url: address, state },
      events,
    };
    await audit({ actor, action: "merchant.webhook_changed", subject: merchant.id, detail }, tx);
    return { endpoint_id: id, state };
  });
}
