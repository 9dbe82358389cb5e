import { eq } from "drizzle-orm";
import { sandboxDisputes } from "@/db/schema/sandbox";
import { commitAndDeliver, recordEvent } from "@/lib/platform/stripe/sandbox/events";
import { stripeId } from "@/lib/platform/stripe/sandbox/http";
import { lockIntent } from "@/lib/platform/stripe/sandbox/intents";
import { type DisputeRow, disputeObject } from "@/lib/platform/stripe/sandbox/objects";

/** The bank behind the payment sandbox: it opens and decides disputes. */

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
