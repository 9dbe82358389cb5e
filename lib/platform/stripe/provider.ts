import Stripe from "stripe";
import { env } from "@/lib/platform/env";
import { sandboxFetch } from "@/lib/platform/stripe/sandbox/api";
import { sandboxTransport } from "@/lib/platform/stripe/sandbox/transport";
import { callStripe } from "./call";
import { type CardCalls, cardCalls } from "./cards";
import { ProviderError } from "./errors";
import { rejectNonObjects } from "./http";
import { type ListCalls, listCalls } from "./lists";
import { DisputeView, IntentView, RefundView } from "./views";
import { parseWebhook, type WebhookEvent } from "./webhook";

/** The payment provider, Stripe (docs/reliability.md, Payment provider). Never call it inside a transaction. */
export type PaymentProvider = CardCalls &
  ListCalls & {
    /** The same key and values return the same intent again; the same key with other values is `refused`. */
    createIntent(input: CreateIntentInput): Promise<IntentView>;
    /**
     * Sets the customer, and whether the card that pays is saved for them. Throws ProviderError `refused` if the intent
     * is decided, `unknown_object` if the intent or the customer is unknown or deleted.
     */
    updateIntent(id: string, change: UpdateIntentInput): Promise<IntentView>;
    /** The current intent, with its payment method once it is paid. Throws ProviderError `unknown_object`. */
    retrieveIntent(id: string): Promise<IntentView>;
    /**
     * Returns only if the intent can never be paid again, which includes an intent that was canceled before. Throws
     * ProviderError `refused` (payment_intent_unexpected_state) if it is paid or processing: retrieve it and act on that.
     */
    cancelIntent(id: string): Promise<IntentView>;
    /** Refunds part of a paid intent. Throws ProviderError `refused` beyond what is left of it. */
    refund(input: CreateRefundInput): Promise<RefundView>;
    retrieveRefund(id: string): Promise<RefundView>;
    retrieveDispute(id: string): Promise<DisputeView>;
    /** Throws InvalidWebhookError. */
    parseWebhook(rawBody: Uint8Array | string, signatureHeader: string | null): WebhookEvent;
  };

export type CreateIntentInput = {
  orderId: string;
  paymentId: string;
  amountCents: number;
  currency: string;
  description: string;
  email: string;
  idempotencyKey: string;
};

export type UpdateIntentInput = { customerId: string; keepsCard: boolean };

export type CreateRefundInput = {
  intentId: string;
  refundId: string;
  amountCents: number;
  idempotencyKey: string;
  metadata?: Record<string, string>;
};

const TIMEOUT_MS = 8_000;
const RETRIES = 2;

let provider: PaymentProvider | undefined;

/** The provider of this process, created at first use. */
export function paymentProvider(): PaymentProvider {
  provider ??= createProvider(stripeClient());
  return provider;
}

/** The key for Stripe's script in the browser; empty in the sandbox, which does not load it. */
export function publishableKey(): string {
  const { PAYMENT_MODE, STRIPE_PUBLISHABLE_KEY } = env();
  return PAYMENT_MODE === "sandbox" ? "" : (STRIPE_PUBLISHABLE_KEY ?? "");
}

function stripeClient(): Stripe {
  const { PAYMENT_MODE, STRIPE_SECRET_KEY, STRIPE_API_BASE } = env();
  const sandbox = PAYMENT_MODE === "sandbox";
  const base = sandbox || !STRIPE_API_BASE ? null : new URL(STRIPE_API_BASE);
  return new Stripe(sandbox ? "sk_sandbox" : (STRIPE_SECRET_KEY ?? ""), {
    httpClient: rejectNonObjects(sandbox ? sandboxHttpClient() : Stripe.createNodeHttpClient()),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...(base && {
      host: base.hostname,
      port: base.port || (base.protocol === "http:" ? "80" : "443"),
      protocol: base.protocol === "http:" ? "http" : "https",
    }),
  });
}

/** The Stripe client of the sandbox sends its requests to this process instead of the network. */
const sandboxHttpClient = () =>
  Stripe.createFetchHttpClient((url, init) =>
    (sandboxTransport().fetch ?? sandboxFetch)(String(url), init ?? {}),
  );

function createProvider(stripe: Stripe): PaymentProvider {
  return {
    ...cardCalls(stripe),
    ...listCalls(stripe),
    parseWebhook,
    createIntent: (input) => createIntent(stripe, input),
    updateIntent: (id, { customerId, keepsCard }) =>
      callStripe(
        "update_intent",
        IntentView,
        () =>
          stripe.paymentIntents.update(id, {
            customer: customerId,
            setup_future_usage: keepsCard ? "on_session" : "",
          }),
        { id, customerId, keepsCard },
      ),
    retrieveIntent: (id) => retrieveIntent(stripe, id),
    cancelIntent: (id) => cancelIntent(stripe, id),
    refund: (input) => refund(stripe, input),
    retrieveRefund: (id) =>
      callStripe("retrieve_refund", RefundView, () => stripe.refunds.retrieve(id), { id }),
    retrieveDispute: (id) =>
      callStripe("retrieve_dispute", DisputeView, () => stripe.disputes.retrieve(id), { id }),
  };
}

function retrieveIntent(stripe: Stripe, id: string): Promise<IntentView> {
  const retrieve = () => stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] });
  return callStripe("retrieve_intent", IntentView, retrieve, { id });
}

function createIntent(stripe: Stripe, input: CreateIntentInput): Promise<IntentView> {
  const { orderId, paymentId, amountCents, currency, description, email, idempotencyKey } = input;
  const create = () =>
    stripe.paymentIntents.create(
      {
        amount: amountCents,
        currency,
        description,
        receipt_email: email,
        automatic_payment_methods: { enabled: true },
        metadata: { order_id: orderId, payment_id: paymentId },
      },
      { idempotencyKey },
    );
  return callStripe("create_intent", IntentView, create, {
    amountCents,
    currency,
    metadata: { orderId, paymentId },
  });
}

async function cancelIntent(stripe: Stripe, id: string): Promise<IntentView> {
  try {
    return await callStripe("cancel_intent", IntentView, () => stripe.paymentIntents.cancel(id), {
      id,
      state: "canceled",
    });
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== "payment_intent_unexpected_state") throw error;
    const current = await retrieveIntent(stripe, id);
    if (current.state === "canceled") return current;
    throw error;
  }
}

function refund(stripe: Stripe, input: CreateRefundInput): Promise<RefundView> {
  const { intentId, refundId, amountCents, idempotencyKey, metadata } = input;
  const create = () =>
    stripe.refunds.create(
      { payment_intent: intentId, amount: amountCents, metadata: { ...metadata, refund_id: refundId } },
      { idempotencyKey },
    );
  return callStripe("create_refund", RefundView, create, { intentId, amountCents, refundId });
}
