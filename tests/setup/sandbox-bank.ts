import { eq } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { sandboxDisputes, sandboxRefunds } from "@/db/schema/sandbox";
import { commitAndDeliver, recordEvent } from "@/lib/platform/stripe/sandbox/events";
import { stripeId } from "@/lib/platform/stripe/sandbox/http";
import { changeIntent, lockIntent } from "@/lib/platform/stripe/sandbox/intents";
import { type DisputeRow, disputeObject, refundObject } from "@/lib/platform/stripe/sandbox/objects";

/** The bank behind the payment sandbox: it returns refunds, and opens and decides disputes. */

/**
 * The bank returns a refund, so the charge can be refunded again. Returns false if there is no such refund; a refund
 * that has failed already does not change.
 */
export async function failRefund(tx: Tx, id: string, reason: string): Promise<boolean> {
  const [refund] = await tx.select().from(sandboxRefunds).where(eq(sandboxRefunds.id, id)).for("update");
  const intent = refund && (await lockIntent(tx, refund.intentId));
  if (!intent) return false;
  if (refund.status === "failed") return true;
  const [failed] = await tx
    .update(sandboxRefunds)
    .set({ status: "failed", failureReason: reason })
    .where(eq(sandboxRefunds.id, id))
    .returning();
  await changeIntent(tx, intent.id, { refundedCents: intent.refundedCents - refund.amountCents }, null);
  await recordEvent(tx, { type: "refund.failed", object: refundObject(failed!, intent) });
  return true;
}

/** The bank returns a refund that has succeeded. */
export async function failSandboxRefund(id: string, reason = "expired_or_canceled_card"): Promise<boolean> {
  return commitAndDeliver((tx) => failRefund(tx, id, reason));
}

/**
 * Opens the dispute of a paid intent, or changes its status. Records the event that Stripe sends:
 * created, updated or closed. Returns the dispute's id, or null for an intent that is not paid.
 */
export async function disputeSandboxPayment(
  intentId: string,
  status: DisputeRow["status"],
  reason = "product_not_received",
): Promise<string | null> {
  return commitAndDeliver(async (tx) => {
    const intent = await lockIntent(tx, intentId);
    if (intent?.status !== "succeeded") return null;
    const previousCount = await tx.$count(sandboxDisputes, eq(sandboxDisputes.intentId, intentId));
    const [dispute] = await tx
      .insert(sandboxDisputes)
      .values({ id: stripeId("du"), intentId, status, reason })
      .onConflictDoUpdate({ target: sandboxDisputes.intentId, set: { status } })
      .returning();
    const isClosed = status === "won" || status === "lost";
    const change = isClosed ? "closed" : previousCount > 0 ? "updated" : "created";
    await recordEvent(tx, { type: `charge.dispute.${change}`, object: disputeObject(dispute!, intent) });
    return dispute!.id;
  });
}
