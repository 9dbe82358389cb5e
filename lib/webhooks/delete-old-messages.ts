import { sql } from "drizzle-orm";
import { deleteInBatches } from "@/db/retention";
import { webhookDeliveries, webhookMessages } from "@/db/schema/webhooks";
import { KEPT_DAYS } from "@/lib/webhooks/rules";

/** Deletes what is older than KEPT_DAYS: deliveries with their attempts, then the messages. Returns how many messages. */
export async function deleteOldMessages(): Promise<number> {
  const before = sql`shop_now() - make_interval(days => ${KEPT_DAYS})`;
  await deleteInBatches(webhookDeliveries, sql`created_at < ${before}`, sql`created_at`);
  const isOld = sql`created_at < ${before} and not exists (
    select from webhook_deliveries d where d.message_id = webhook_messages.id)`;
  return deleteInBatches(webhookMessages, isOld, sql`created_at`);
}
