import { eq } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { sandboxIntents, sandboxRefunds } from "@/db/schema/sandbox";
import { randomText } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import { isCustomer } from "./cards";
import { chargeObject } from "./charge";
import { takeRefundFailure } from "./faults";
import { SECRET, stripeId } from "./ids";
import { type IntentRow, intentObject, type RefundRow, refundObject } from "./objects";
import {
  type Answer,
  badParams,
  CancelParams,
  IntentParams,
  missing,
  RefundParams,
  RetrieveParams,
  refusal,
  UpdateParams,
} from "./params";
import { hidden, withHidden } from "./private";
import { changeIntent, inSandbox, lockIntent, peekIntent, tell, writeIntent } from "./store";

/** The calls of Stripe about payments and refunds that the shop makes, each as Stripe answers it, refusals included. */
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
  const row = await writeIntent(tx, {
    id,
    clientSecret: `${id}${SECRET}${randomText(25)}`,
    amountCents: amount,
    currency,
    description: description ?? null,
    receiptEmail: receipt_email ?? null,
    metadata,
  });
  return ok(intentObject(row)); // no notice: the shop has not asked for those of new intents
}

/** A look at an intent; the first look after a slow payment's time decides it. With its charge, when that is asked for. */
export async function findIntent(id: string, params: Record<string, unknown>): Promise<Answer> {
  const wish = RetrieveParams.safeParse(params);
  if (!wish.success) return badParams(wish.error);
  const row = await peekIntent(id);
  if (!row) return missing(404, "payment_intent", id, "intent");
  const charge = wish.data.expand && chargeObject(row);
  return ok({ ...intentObject(row), ...(charge && { latest_charge: charge }) });
}

/** Whose intent it is, and whether its card is kept. */
export async function updateIntent(tx: Tx, id: string, params: Record<string, unknown>): Promise<Answer> {
  const wish = UpdateParams.safeParse(params);
  if (!wish.success) return badParams(wish.error);
  const { customer, setup_future_usage: keep } = wish.data;
  const row = await lockIntent(tx, id);
  if (!row) return missing(404, "payment_intent", id, "intent");
  if (!row.status.startsWith("requires_")) {
    const message = `This PaymentIntent's customer could not be updated because it has a status of ${row.status}.`;
    return refusal(400, { code: "payment_intent_unexpected_state", message });
  }
  if (customer !== undefined && !(await isCustomer(customer)))
    return missing(400, "customer", customer, "customer");
  const metadata = withHidden(row.metadata, {
    ...(customer !== undefined && { customer }),
    ...(keep !== undefined && { keep: keep || null }),
  });
  return ok(intentObject(await changeIntent(tx, row, null, { metadata })));
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
    cancels: true,
    cancellationReason: wish.data.cancellation_reason ?? null,
    settlesAs: null,
  });
  return ok(intentObject(changed));
}

export async function createRefund(tx: Tx, params: Record<string, unknown>): Promise<Answer> {
  const wish = RefundParams.safeParse(params);
  if (!wish.success) return badParams(wish.error);
  const { payment_intent: intentId } = wish.data;
  const failure = takeRefundFailure();
  const metadata = withHidden(wish.data.metadata, { pending: failure ? "1" : null });
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
  if (failure) await failRefund(tx, row, failure);
  return ok(object);
}

/** The bank sends a refund back: the charge can be refunded again. */
async function failRefund(tx: Tx, row: RefundRow, reason: string): Promise<void> {
  const intent = await lockIntent(tx, row.intentId);
  if (!intent || hidden(row.metadata, "failed")) return;
  const metadata = withHidden(row.metadata, { failed: reason, pending: null });
  const [failed] = await tx
    .update(sandboxRefunds)
    .set({ metadata })
    .where(eq(sandboxRefunds.id, row.id))
    .returning();
  if (!failed) throw new Error(`sandbox refund ${row.id} is gone`);
  const refundedCents = intent.refundedCents - row.amountCents;
  await tx.update(sandboxIntents).set({ refundedCents }).where(eq(sandboxIntents.id, intent.id));
  await tell(tx, { type: "refund.failed", object: refundObject(failed, intent) });
}

/** A knob for tests and demos: a refund that was called done comes back from the bank. False when there is none. */
export async function failSandboxRefund(id: string, reason = "expired_or_canceled_card"): Promise<boolean> {
  if (env().PAYMENT_MODE !== "sandbox") throw new Error("Refunds fail on order in the sandbox only.");
  return inSandbox(async (tx) => {
    const [row] = await tx.select().from(sandboxRefunds).where(eq(sandboxRefunds.id, id)).for("update");
    if (row) await failRefund(tx, row, reason);
    return row !== undefined;
  });
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
