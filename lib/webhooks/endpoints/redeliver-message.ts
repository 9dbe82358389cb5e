import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";
import type { MessageQueued } from "@/lib/webhooks/contract";
import { lockEndpoint } from "./lock-endpoint";

/**
 * Sends a message of the last 30 days again with the same id and a new series of attempts, before later messages about
 * the same object. A message that waits for its next attempt becomes due now. Repeating the call changes nothing.
 * @throws ShopError webhook_unknown, webhook_message_unknown, webhook_disabled
 */
export async function redeliverMessage(
  viewer: MerchantViewer,
  id: string,
  messageId: string,
): Promise<MessageQueued> {
  return transaction(async (tx) => {
    const { state } = await lockEndpoint(tx, viewer, id);
    if (state !== "enabled") throw new ShopError("webhook_disabled");
    const [delivery] = await tx.execute(sql`
      update webhook_deliveries set state = 'waiting', ended_at = null, next_at = shop_now(),
        attempts = case state when 'waiting' then attempts else 0 end
      where endpoint_id = ${id} and message_id = ${messageId} returning 1`);
    if (!delivery) throw new ShopError("webhook_message_unknown");
    return { endpoint_id: id, message_id: messageId };
  });
}
