import { eq, sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { sandboxIntents, sandboxRefunds } from "@/db/schema/sandbox";
import { randomText } from "./id";
import { type IntentRow, intentObject, refundObject } from "./stripe-sandbox-objects";
import {
  type Answer,
  badParams,
  CancelParams,
  IntentParams,
  missing,
  RefundParams,
  refusal,
} from "./stripe-sandbox-params";
import { changeIntent, lockIntent, peekIntent, stripeId, tell } from "./stripe-sandbox-store";

/** The five calls of Stripe that the shop makes, each as Stripe answers it, refusals included. */
const LEAST_CENTS = 50; // Stripe takes no card payment under $0.50
const ok = (body: unknown): Answer => ({ status: 200, body });

export async function createIntent(tx: Tx, params: Record<string, unknown>): Promise<Answer> {
  const wish = IntentParams.safeParse(params);
  if (!wish.success) return badParams(wish.error);
  const { amount, currency, description, receipt_email, metadata } = wish.data;
  if (amount < LEAST_CENTS) {
    return refusal(400, {
      code: "amount_too_small",
      param: "amount",
      message: "Amount must be at least $0.50 usd",
    });
  }
  const id = stripeId("pi");
  const [row] = await tx
    .insert(sandboxIntents)
    .values({
      id,
      clientSecret: `${id}_secret_${randomText(25)}`,
      amountCents: amount,
      currency,
      description,
      receiptEmail: receipt_email,
      metadata,
    })
    .returning();
  if (!row) throw new Error("the sandbox kept no intent");
  const object = intentObject(row);
  await tell(tx, { type: "payment_intent.created", object });
  return ok(object);
}

/** A look at an intent; the first look after a slow payment's time decides it. */
export async function findIntent(id: string): Promise<Answer> {
  const row = await peekIntent(id);
  return row ? ok(intentObject(row)) : missing(404, "payment_intent", id, "intent");
}

/** Whether an intent can still be called off: not when it is decided, nor while a bank is about to decide it. */
const isCancelable = ({ status, settlesAt }: IntentRow) =>
  !(status === "succeeded" || status === "canceled" || (status === "processing" && settlesAt));

export async function cancelIntent(tx: Tx, id: string, params: Record<string, unknown>): Promise<Answer> {
  const wish = CancelParams.safeParse(params);
  if (!wish.success) return badParams(wish.error);
  const row = await lockIntent(tx, id);
  if (!row) return missing(404, "payment_intent", id, "intent");
  if (!isCancelable(row)) {
    const message = `You cannot cancel this PaymentIntent because it has a status of ${row.status}.`;
    return refusal(400, { code: "payment_intent_unexpected_state", message });
  }
  const changed = await changeIntent(tx, row, "payment_intent.canceled", {
    status: "canceled",
    canceledAt: sql`shop_now()`,
    cancellationReason: wish.data.cancellation_reason ?? null,
    settlesAt: null,
    settlesAs: null,
  });
  return ok(intentObject(changed));
}

export async function createRefund(tx: Tx, params: Record<string, unknown>): Promise<Answer> {
  const wish = RefundParams.safeParse(params);
  if (!wish.success) return badParams(wish.error);
  const { payment_intent: intentId, metadata } = wish.data;
  const intent = await lockIntent(tx, intentId);
  if (!intent) return missing(400, "payment_intent", intentId, "payment_intent");
  const leftCents = intent.receivedCents - intent.refundedCents;
  const amountCents = wish.data.amount ?? leftCents;
  const no = refundRefusal(intent, amountCents, leftCents);
  if (no) return no;
  const [row] = await tx
    .insert(sandboxRefunds)
    .values({ id: stripeId("re"), intentId, amountCents, metadata })
    .returning();
  if (!row) throw new Error("the sandbox kept no refund");
  const refundedCents = intent.refundedCents + amountCents;
  await tx.update(sandboxIntents).set({ refundedCents }).where(eq(sandboxIntents.id, intentId));
  const object = refundObject(row, intent);
  await tell(tx, { type: "refund.created", object });
  return ok(object);
}

function refundRefusal(intent: IntentRow, amountCents: number, leftCents: number): Answer | null {
  if (intent.status !== "succeeded") {
    const message = `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`;
    return refusal(400, { code: "payment_intent_unexpected_state", message });
  }
  if (leftCents === 0) {
    const message = `Charge ${intent.latestCharge} has already been refunded.`;
    return refusal(400, { code: "charge_already_refunded", message });
  }
  if (amountCents < 1) return refusal(400, { param: "amount", message: "Invalid positive integer" });
  if (amountCents <= leftCents) return null;
  const message = `Refund amount (${amountCents}) is greater than unrefunded amount on charge (${leftCents})`;
  return refusal(400, { param: "amount", message });
}

export async function findRefund(id: string): Promise<Answer> {
  const [found] = await db
    .select({ refund: sandboxRefunds, intent: sandboxIntents })
    .from(sandboxRefunds)
    .innerJoin(sandboxIntents, eq(sandboxIntents.id, sandboxRefunds.intentId))
    .where(eq(sandboxRefunds.id, id));
  return found ? ok(refundObject(found.refund, found.intent)) : missing(404, "refund", id, "id");
}
