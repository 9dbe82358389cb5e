import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { MessageQueued } from "@/lib/webhooks/contract";
import { TEST_EVENT } from "@/lib/webhooks/rules";
import { lockEndpoint } from "./lock-endpoint";

/**
 * Sends a test message to an endpoint: one attempt, whose outcome appears in the log.
 * @throws ShopError webhook_unknown, webhook_disabled
 */
export async function sendTest(viewer: MerchantViewer, id: string): Promise<MessageQueued> {
  return transaction(async (tx) => {
    const { state } = await lockEndpoint(tx, viewer, id);
    if (state !== "enabled") throw new ShopError("webhook_disabled");
    const messageId = newId("msg");
    await tx.execute(sql`
      with message as (
        insert into webhook_messages (id, merchant_id, type, object, data)
        values (${messageId}, ${viewer.merchant.id}, ${TEST_EVENT}, ${`test:${messageId}`}, ${JSON.stringify({ endpoint_id: id })}::jsonb)
        returning id, object)
      insert into webhook_deliveries (endpoint_id, message_id, object) select ${id}, id, object from message`);
    return { endpoint_id: id, message_id: messageId };
  });
}
