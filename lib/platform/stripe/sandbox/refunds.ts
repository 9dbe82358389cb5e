import { and, desc, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import { db, type Tx } from "@/db/client";
import { sandboxDisputes, sandboxIntents, sandboxRefunds } from "@/db/schema/sandbox";
import { recordEvent } from "./events";
import {
  Cents,
  Metadata,
  notFound,
  type Params,
  parseParams,
  SandboxError,
  stripeId,
  unexpectedState,
} from "./http";
import { changeIntent, lockIntent } from "./intents";
import { ListParams, listConditions, listObject } from "./lists";
import { type IntentRow, refundObject } from "./objects";

/** Stripe's calls about refunds. */
const CreateParams = z.strictObject({
  payment_intent: z.string(),
  amount: Cents.optional(),
  reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
  metadata: Metadata,
});

export async function createRefund(tx: Tx, params: Params, status: "succeeded" | "pending" = "succeeded") {
  const { payment_intent: intentId, amount, metadata } = parseParams(CreateParams, params);
  const intent = await lockIntent(tx, intentId);
  if (!intent) throw notFound(400, "payment_intent", intentId, "payment_intent");
  if (await hasDispute(tx, intentId)) {
    const message = `Charge ${intent.latestCharge} has been charged back; cannot issue a refund.`;
    throw new SandboxError(400, { code: "charge_disputed", message });
  }
  const amountCents = checkAmount(intent, amount);
  const [row] = await tx
    .insert(sandboxRefunds)
    .values({ id: stripeId("re"), intentId, amountCents, status, metadata })
    .returning();
  await changeIntent(tx, intentId, { refundedCents: intent.refundedCents + amountCents }, null);
  const object = refundObject(row!, intent);
  await recordEvent(tx, { type: "refund.created", object });
  return object;
}

/** Whether a payment is disputed or was charged back. An inquiry (`warning_…`) does not prevent a refund. */
const hasDispute = async (tx: Tx, intentId: string): Promise<boolean> =>
  (await tx.$count(
    sandboxDisputes,
    and(
      eq(sandboxDisputes.intentId, intentId),
      inArray(sandboxDisputes.status, ["needs_response", "under_review", "lost"]),
    ),
  )) > 0;

/** The amount to refund: what is left of the payment unless the caller says less. */
function checkAmount(intent: IntentRow, requestedCents: number | undefined): number {
  const remainingCents = intent.receivedCents - intent.refundedCents;
  const amountCents = requestedCents ?? remainingCents;
  if (intent.status !== "succeeded")
    throw unexpectedState(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`);
  if (remainingCents === 0) {
    const message = `Charge ${intent.latestCharge} has already been refunded.`;
    throw new SandboxError(400, { code: "charge_already_refunded", message });
  }
  if (amountCents < 1) throw new SandboxError(400, { param: "amount", message: "Invalid positive integer" });
  if (amountCents > remainingCents) {
    const message = `Refund amount (${amountCents}) is greater than unrefunded amount on charge (${remainingCents})`;
    throw new SandboxError(400, { param: "amount", message });
  }
  return amountCents;
}

const selectRefunds = () =>
  db
    .select({ refund: sandboxRefunds, intent: sandboxIntents })
    .from(sandboxRefunds)
    .innerJoin(sandboxIntents, eq(sandboxIntents.id, sandboxRefunds.intentId));

export async function retrieveRefund(id: string) {
  const [found] = await selectRefunds().where(eq(sandboxRefunds.id, id));
  if (!found) throw notFound(404, "refund", id, "id");
  return refundObject(found.refund, found.intent);
}

export async function listRefunds(params: Params): Promise<object> {
  const query = parseParams(ListParams, params);
  const intentCondition = query.payment_intent && eq(sandboxRefunds.intentId, query.payment_intent);
  const rows = await selectRefunds()
    .where(and(listConditions(sandboxRefunds, query), intentCondition || undefined))
    .orderBy(desc(sandboxRefunds.createdAt), desc(sandboxRefunds.id))
    .limit(query.limit + 1);
  const objects = rows.map(({ refund, intent }) => refundObject(refund, intent));
  return listObject("/v1/refunds", objects, query.limit);
}
