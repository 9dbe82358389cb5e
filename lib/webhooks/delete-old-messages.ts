import { sql } from "drizzle-orm";
import { deleteInBatches } from "@/db/retention";
import { webhookDeliveries, webhookMessages } from "@/db/schema/webhooks";
import { KEPT_DAYS } from "@/lib/webhooks/rules";

/**
 * Deletes deliveries with their attempts, and then messages, that are older than KEPT_DAYS. Returns the number of
 * messages.
 */
export async function deleteOldMessages(): Promise<number> {
  const before = sql`shop_now() - make_interval(days => ${KEPT_DAYS})`;
  await deleteInBatches(webhookDeliveries, sql`created_at < ${before}`, sql`created_at`);
  const isOld = sql`created_at < ${before} and not exists (
    select from webhook_deliveries d where d.message_id = webhook_messages.id)`;
  return deleteInBatches(webhookMessages, isOld, sql`created_at`);
}
