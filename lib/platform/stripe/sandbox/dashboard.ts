import { eq } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { sandboxRefunds } from "@/db/schema/sandbox";
import { commitAndDeliver, recordEvent } from "./events";
import { changeIntent, lockIntent } from "./intents";
import { chargeObject, type IntentRow, refundObject } from "./objects";
import { createRefund } from "./refunds";

/** Actions in the provider's dashboard and of the bank: refunds that the shop did not request. */

/**
 * Refunds a paid intent in the dashboard, without metadata of the shop: all that is left, or `amountCents`. Sends the events that
 * Stripe sends. Returns the id of the refund.
 */
export async function refundInDashboard(intentId: string, amountCents?: number): Promise<string> {
  return commitAndDeliver(async (tx) => {
    const amount = amountCents === undefined ? {} : { amount: String(amountCents) };
    const refund = await createRefund(tx, { payment_intent: intentId, ...amount });
    const intent = await lockIntent(tx, intentId);
    await recordEvent(tx, { type: "charge.refunded", object: refundedCharge(intent!) });
    return refund.id;
  });
}

const refundedCharge = (intent: IntentRow) => ({
  ...chargeObject(intent),
  object: "charge",
  payment_intent: intent.id,
});

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
