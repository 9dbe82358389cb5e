import { eq, or, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { refunds } from "@/db/schema/payments";
import type { WebhookEvent } from "@/lib/platform/stripe/webhook";

/**
 * Finds the refund of a webhook event by the provider's id, or by our id in its metadata: the event may arrive before
 * the provider's id is stored, or name a second refund that the provider made for ours. Returns null for an unknown one.
 */
export async function findRefundByEvent({
  objectId,
  refundId,
}: Pick<WebhookEvent, "objectId" | "refundId">): Promise<string | null> {
  const isOurs = refundId === null ? undefined : eq(refunds.id, refundId);
  const [refund] = await db
    .select({ id: refunds.id })
    .from(refunds)
    .where(or(eq(refunds.providerId, objectId), isOurs))
    .orderBy(sql`${refunds.providerId} = ${objectId} desc nulls last`)
    .limit(1);
  return refund?.id ?? null;
}
