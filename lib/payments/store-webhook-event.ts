import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { client, type Db, db, shopNow } from "@/db/client";
import { deleteInBatches } from "@/db/retention";
import { webhookEvents } from "@/db/schema/payments";
import { enqueueSql, type QueuedJob } from "@/lib/platform/jobs/queue";
import type { WebhookEvent } from "@/lib/platform/stripe/webhook";
import { FRAUD_WARNING_EVENT, WEBHOOK_EVENT_DAYS } from "./rules";

/**
 * Stores a verified webhook event by its id and queues its job, in one statement; does nothing for a known event. An early fraud
 * warning locks the order's unseen codes in it (docs/product.md#810-disputes). An event without a job of its own is marked as processed immediately. Only the object's reference is stored, because the
 * payload holds client secrets and addresses and the job reads the object from the provider.
 */
export async function storeWebhookEvent(
  event: WebhookEvent,
  job?: QueuedJob,
  state: "open" | "processed" = job ? "open" : "processed",
): Promise<void> {
  const reference = { id: event.objectId, object: event.objectType, payment_intent: event.intentId };
  const sql = client();
  await sql`
    with stored as (
      insert into webhook_events (id, type, object_id, livemode, payload, processed_at)
      values (${event.id}, ${event.type}, ${event.objectId}, ${event.livemode}, ${JSON.stringify(reference)}::jsonb,
        case when ${state === "processed"}::boolean then shop_now() end)
      on conflict (id) do nothing returning id)
    ${
      event.type === FRAUD_WARNING_EVENT
        ? sql`, warned as (
      insert into fraud_warnings (id, order_id, intent_id)
      select ${event.objectId}, p.order_id, p.intent_id from payments p where p.intent_id = ${event.intentId} and exists (select from stored)
      on conflict (id) do nothing)`
        : sql``
    }
    select stored.id ${job ? sql`, ${enqueueSql(db, ...job)} as job` : sql``} from stored`;
}

export async function markWebhookProcessed(tx: Db, eventId: string | undefined): Promise<void> {
  if (eventId === undefined) return;
  await tx
    .update(webhookEvents)
    .set({ processedAt: shopNow })
    .where(and(eq(webhookEvents.id, eventId), isNull(webhookEvents.processedAt)));
}

/** Deletes webhook events older than WEBHOOK_EVENT_DAYS; a repeated event of that age fails the signature's age check. */
export async function deleteOldWebhookEvents(): Promise<void> {
  const isOld = lt(webhookEvents.receivedAt, sql`shop_now() - make_interval(days => ${WEBHOOK_EVENT_DAYS})`);
  await deleteInBatches(webhookEvents, isOld, sql`created_at`);
}
