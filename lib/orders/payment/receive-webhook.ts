import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import {
  SendRefund,
  SettlePayment,
  UpdateDispute,
  UpdateFraudWarning,
  UpdateRefunds,
  UpdateReview,
} from "@/lib/orders/contract-jobs";
import { findRefundByEvent } from "@/lib/orders/refunds/find-refund-by-event";
import { storeWebhookEvent } from "@/lib/payments/store-webhook-event";
import { enqueue, type QueuedJob } from "@/lib/platform/jobs/queue";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { WebhookEvent } from "@/lib/platform/stripe/webhook";

/**
 * Receives a webhook event: verifies it, stores it by its id and queues its settlement before answering
 * (docs/reliability.md#payment-provider). A repeated event changes nothing.
 * @throws InvalidWebhookError
 */
export async function receiveWebhook(rawBody: Uint8Array, signature: string | null): Promise<void> {
  const event = paymentProvider().parseWebhook(rawBody, signature);
  const refundId = event.objectType === "refund" ? await findRefundByEvent(event) : null;
  if (!refundId) return storeWebhookEvent(event, toSettlementJob(event));
  // A refund is updated by its own job, because it may fail long after the payment is settled. The job key is the
  // event's id, because a job that replaced a running one would stay in the queue if it failed.
  const payload = { refundId, providerId: event.objectId };
  await storeWebhookEvent(event, [SendRefund, payload, { jobKey: event.id }], "processed");
}

/** Queues the job of a stored event that is not processed again. Returns false when there is none. */
export async function requeueWebhookEvent(tx: Tx, eventId: string): Promise<boolean> {
  const [event] = await tx.execute<Pick<WebhookEvent, "objectId" | "objectType" | "intentId">>(sql`
    select object_id as "objectId", payload->>'object' as "objectType", payload->>'payment_intent' as "intentId"
    from webhook_events where id = ${eventId} and processed_at is null`);
  const job = event && toSettlementJob({ id: eventId, ...event });
  if (!job) return false;
  const [settle, payload, options] = job;
  await enqueue(tx, settle, payload, options);
  return true;
}

/** The job that settles the object of an event and marks the event as processed. */
function toSettlementJob({
  id: eventId,
  objectId,
  objectType,
  intentId,
}: Pick<WebhookEvent, "id" | "objectId" | "objectType" | "intentId">): QueuedJob | undefined {
  if (objectType === "dispute") return [UpdateDispute, { disputeId: objectId, eventId }, { jobKey: eventId }];
  if (objectType === "radar.early_fraud_warning")
    return [UpdateFraudWarning, { warningId: objectId, eventId }, { jobKey: eventId }];
  if (objectType === "review") return [UpdateReview, { reviewId: objectId, eventId }, { jobKey: eventId }];
  if (!intentId) return undefined;
  // A refund that the shop did not request, or a partly refunded charge.
  const job = objectType === "refund" || objectType === "charge" ? UpdateRefunds : SettlePayment;
  return [job, { intentId, eventId }, { jobKey: eventId }];
}
