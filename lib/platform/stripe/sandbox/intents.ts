import { desc, eq, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type Stripe from "stripe";
import { z } from "zod";
import { type Db, db, type Tx } from "@/db/client";
import { sandboxIntents } from "@/db/schema/sandbox";
import { findCustomer, saveCardIfRequested } from "./cards";
import { commitAndDeliver, recordEvent } from "./events";
import {
  Cents,
  clientSecretOf,
  Metadata,
  notFound,
  type Params,
  parseParams,
  SandboxError,
  stripeId,
  wrongStatus,
} from "./http";
import { ListParams, listConditions, listObject } from "./lists";
import {
  ATTEMPT_EXPIRED,
  authenticationFailed,
  CARD_DECLINED,
  chargeObject,
  type IntentRow,
  intentObject,
  isRedirected,
  methodObject,
  PROVIDER_DECLINED,
} from "./objects";

/** Payment intents: their rows, how they change, and Stripe's calls about them. Confirmation is in confirm.ts. */
const selectIntent = (tx: Db, id: string) =>
  tx
    .select({
      intent: sandboxIntents,
      isDue: sql<boolean>`coalesce(${sandboxIntents.settlesAt} <= shop_now(), false)`,
    })
    .from(sandboxIntents)
    .where(eq(sandboxIntents.id, id));

/** Locks an intent until the change is committed, so that one of confirm, cancel and settle comes first. */
export async function lockIntent(tx: Tx, id: string): Promise<IntentRow | null> {
  const [found] = await selectIntent(tx, id).for("update");
  if (!found) return null;
  return found.isDue ? settle(tx, found.intent) : found.intent;
}

/** Reads an intent as it is now. Settles a slow payment that is due. */
export async function readIntent(id: string): Promise<IntentRow | null> {
  const [found] = await selectIntent(db, id);
  if (!found) return null;
  return found.isDue ? commitAndDeliver((tx) => lockIntent(tx, id)) : found.intent;
}

const settle = (tx: Tx, intent: IntentRow) =>
  intent.settlesAs === "failed" ? decline(tx, intent) : succeed(tx, intent);

type IntentChange = PgUpdateSetSource<typeof sandboxIntents>;

/** Writes a change of a locked intent, and its event if there is one. */
export async function changeIntent(
  tx: Tx,
  id: string,
  change: IntentChange,
  event: Stripe.Event["type"] | null,
): Promise<IntentRow> {
  const [row] = await tx.update(sandboxIntents).set(change).where(eq(sandboxIntents.id, id)).returning();
  if (!row) throw new Error(`sandbox intent ${id} does not exist`);
  if (event) await recordEvent(tx, { type: event, object: intentObject(row) });
  return row;
}

const NOT_SETTLING = { settlesAt: null, settlesAs: null } as const;

export async function succeed(tx: Tx, intent: IntentRow): Promise<IntentRow> {
  const { paymentMethodType, cardFingerprint, cardCountry } = intent;
  const change = {
    ...NOT_SETTLING,
    paymentMethodType,
    cardFingerprint,
    cardCountry,
    ...(await saveCardIfRequested(tx, intent)),
    status: "succeeded",
    receivedCents: intent.amountCents,
    latestCharge: stripeId("ch"),
    lastError: null,
  } as const;
  return changeIntent(tx, intent.id, change, "payment_intent.succeeded");
}

export function decline(tx: Tx, intent: IntentRow, expired = false): Promise<IntentRow> {
  const isRedirect = isRedirected(intent);
  const isAuthentication = intent.status === "requires_action" && !isRedirect;
  const change = {
    ...NOT_SETTLING,
    status: "requires_payment_method",
    paymentMethod: null,
    latestCharge: isAuthentication ? null : stripeId("ch"),
    lastError: isAuthentication
      ? authenticationFailed("payment_intent")
      : !isRedirect
        ? CARD_DECLINED
        : expired
          ? ATTEMPT_EXPIRED
          : PROVIDER_DECLINED,
  } as const;
  return changeIntent(tx, intent.id, change, "payment_intent.payment_failed");
}

const MIN_CENTS = 50; // Stripe accepts no card payment under $0.50

const CreateParams = z.strictObject({
  amount: Cents,
  currency: z.string().regex(/^[a-z]{3}$/),
  description: z.string().max(1000).optional(),
  receipt_email: z.string().max(500).optional(),
  automatic_payment_methods: z.strictObject({ enabled: z.literal("true") }).optional(),
  metadata: Metadata,
});

/** Records no event: the shop does not subscribe to `payment_intent.created`. */
export async function createIntent(tx: Tx, params: Params) {
  const { amount, currency, description, receipt_email, metadata } = parseParams(CreateParams, params);
  if (amount < MIN_CENTS) {
    const message = "Amount must be at least $0.50 usd";
    throw new SandboxError(400, { code: "amount_too_small", param: "amount", message });
  }
  const id = stripeId("pi");
  const [row] = await tx
    .insert(sandboxIntents)
    .values({
      id,
      clientSecret: clientSecretOf(id),
      amountCents: amount,
      currency,
      description,
      receiptEmail: receipt_email,
      metadata,
    })
    .returning();
  return intentObject(row!);
}

const RetrieveParams = z.strictObject({
  client_secret: z.string().optional(),
  expand: z
    .strictObject({ "0": z.literal("latest_charge"), "1": z.literal("payment_method").optional() })
    .optional(),
});

export async function retrieveIntent(id: string, params: Params) {
  const { expand } = parseParams(RetrieveParams, params);
  const intent = await readIntent(id);
  if (!intent) throw notFound(404, "payment_intent", id, "intent");
  return {
    ...intentObject(intent),
    ...(expand && { latest_charge: chargeObject(intent) }),
    ...(expand?.["1"] && { payment_method: methodObject(intent) }),
  };
}

/** An empty `setup_future_usage` removes it. */
const UpdateParams = z.strictObject({
  customer: z.string().optional(),
  setup_future_usage: z.enum(["", "on_session", "off_session"]).optional(),
});

export async function updateIntent(tx: Tx, id: string, params: Params) {
  const { customer, setup_future_usage: usage } = parseParams(UpdateParams, params);
  const intent = await lockIntent(tx, id);
  if (!intent) throw notFound(404, "payment_intent", id, "intent");
  if (!intent.status.startsWith("requires_"))
    throw wrongStatus("This PaymentIntent's customer could not be updated", intent);
  if (customer !== undefined && !(await findCustomer(tx, customer)))
    throw notFound(400, "customer", customer, "customer");
  const change = {
    ...(customer !== undefined && { customerId: customer }),
    ...(usage !== undefined && { setupFutureUsage: usage || null }),
  };
  const isEmpty = Object.keys(change).length === 0;
  return intentObject(isEmpty ? intent : await changeIntent(tx, id, change, null));
}

/** An intent cannot be canceled once it is decided, or while a bank is about to decide it. */
const isCancelable = ({ status, settlesAt }: IntentRow) =>
  !(status === "succeeded" || status === "canceled" || (status === "processing" && settlesAt));

const CancelParams = z.strictObject({
  cancellation_reason: z.enum(["duplicate", "fraudulent", "requested_by_customer", "abandoned"]).optional(),
});

export async function cancelIntent(tx: Tx, id: string, params: Params) {
  const { cancellation_reason: cancellationReason } = parseParams(CancelParams, params);
  const intent = await lockIntent(tx, id);
  if (!intent) throw notFound(404, "payment_intent", id, "intent");
  if (!isCancelable(intent)) throw wrongStatus("You cannot cancel this PaymentIntent", intent);
  const change = {
    ...NOT_SETTLING,
    status: "canceled",
    canceledAt: sql`shop_now()`,
    cancellationReason: cancellationReason ?? null,
  } as const;
  return intentObject(await changeIntent(tx, id, change, "payment_intent.canceled"));
}

export async function listIntents(params: Params): Promise<object> {
  const query = parseParams(ListParams, params);
  const rows = await db
    .select()
    .from(sandboxIntents)
    .where(listConditions(sandboxIntents, query))
    .orderBy(desc(sandboxIntents.createdAt), desc(sandboxIntents.id))
    .limit(query.limit + 1);
  return listObject("/v1/payment_intents", rows.map(intentObject), query.limit);
}
