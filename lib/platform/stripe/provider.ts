import Stripe from "stripe";
import { env } from "@/lib/platform/env";
import { sandboxFetch } from "@/lib/platform/stripe/sandbox/api";
import { ask } from "./answers";
import { type CardProvider, cardsOver } from "./cards";
import { ProviderError } from "./errors";
import { guarded } from "./http";
import { type LookBack, listsOver } from "./lists";
import { DisputeView, IntentView, RefundView } from "./views";
import { parseWebhook, type VerifiedEvent } from "./webhook";

/** What the shop asks of whoever takes the money (docs/reliability.md#payment-provider). Never call it inside a transaction. */
export type PaymentProvider = CardProvider &
  LookBack & {
    /** Asks for a payment. The same key and values give the same intent again; the same key with others is `refused`. */
    createIntent(wish: IntentWish): Promise<IntentView>;
    /**
     * Says whose intent it is, and whether the card that pays it is kept for them. Throws ProviderError `refused` when
     * it is decided, `unknown_object` also when the customer is gone.
     */
    updateIntent(id: string, change: IntentChange): Promise<IntentView>;
    /** The intent as it is now, and once it is paid how. Throws ProviderError `unknown_object`. */
    retrieveIntent(id: string): Promise<IntentView>;
    /**
     * Returns only when the intent can never be paid again (also when it was canceled before). Throws ProviderError
     * `refused` (payment_intent_unexpected_state) when it is paid, or on its way to be: retrieve it and go by that.
     */
    cancelIntent(id: string): Promise<IntentView>;
    /** Pays back part of a paid intent. Throws ProviderError `refused` beyond what is left of it. */
    refund(wish: RefundWish): Promise<RefundView>;
    retrieveRefund(id: string): Promise<RefundView>;
    retrieveDispute(id: string): Promise<DisputeView>;
    /** Throws WebhookRefused. */
    parseWebhook(rawBody: Uint8Array | string, signatureHeader: string | null): VerifiedEvent;
  };

export type IntentWish = {
  orderId: string;
  paymentId: string;
  amountCents: number;
  currency: string;
  description: string;
  email: string;
  idempotencyKey: string;
};

export type IntentChange = { customerId: string; keepsCard: boolean };

export type RefundWish = {
  intentId: string;
  refundId: string;
  amountCents: number;
  idempotencyKey: string;
  metadata?: Record<string, string>;
};

const TIMEOUT_MS = 8_000;
const RETRIES = 2;

let provider: PaymentProvider | undefined;

/** The provider of this process, made at first use. */
export function paymentProvider(): PaymentProvider {
  provider ??= over(stripeClient());
  return provider;
}

/** The key that the browser shows to the provider; empty in the sandbox, which has no such script. */
export function publishableKey(): string {
  const { PAYMENT_MODE, STRIPE_PUBLISHABLE_KEY } = env();
  return PAYMENT_MODE === "sandbox" ? "" : (STRIPE_PUBLISHABLE_KEY ?? "");
}

function stripeClient(): Stripe {
  const { PAYMENT_MODE, STRIPE_SECRET_KEY, STRIPE_API_BASE } = env();
  const sandbox = PAYMENT_MODE === "sandbox";
  const base = sandbox || !STRIPE_API_BASE ? null : new URL(STRIPE_API_BASE);
  return new Stripe(sandbox ? "sk_sandbox" : (STRIPE_SECRET_KEY ?? ""), {
    httpClient: guarded(sandbox ? Stripe.createFetchHttpClient(sandboxFetch) : Stripe.createNodeHttpClient()),
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

function over(stripe: Stripe): PaymentProvider {
  return {
    ...cardsOver(stripe),
    ...listsOver(stripe),
    parseWebhook,
    createIntent: (wish) => createIntent(stripe, wish),
    updateIntent: (id, { customerId, keepsCard }) =>
      ask(
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
    refund: (wish) => refund(stripe, wish),
    retrieveRefund: (id) => ask("retrieve_refund", RefundView, () => stripe.refunds.retrieve(id), { id }),
    retrieveDispute: (id) => ask("retrieve_dispute", DisputeView, () => stripe.disputes.retrieve(id), { id }),
  };
}

function retrieveIntent(stripe: Stripe, id: string): Promise<IntentView> {
  const retrieve = () => stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] });
  return ask("retrieve_intent", IntentView, retrieve, { id });
}

function createIntent(stripe: Stripe, wish: IntentWish): Promise<IntentView> {
  const { orderId, paymentId, amountCents, currency, description, email, idempotencyKey } = wish;
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
  return ask("create_intent", IntentView, create, {
    amountCents,
    currency,
    metadata: { orderId, paymentId },
  });
}

async function cancelIntent(stripe: Stripe, id: string): Promise<IntentView> {
  try {
    return await ask("cancel_intent", IntentView, () => stripe.paymentIntents.cancel(id), {
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

function refund(stripe: Stripe, wish: RefundWish): Promise<RefundView> {
  const { intentId, refundId, amountCents, idempotencyKey, metadata } = wish;
  const create = () =>
    stripe.refunds.create(
      { payment_intent: intentId, amount: amountCents, metadata: { ...metadata, refund_id: refundId } },
      { idempotencyKey },
    );
  return ask("create_refund", RefundView, create, { intentId, amountCents, refundId });
}
