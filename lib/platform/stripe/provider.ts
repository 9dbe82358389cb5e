import { AsyncLocalStorage } from "node:async_hooks";
import Stripe from "stripe";
import { currentDryRun } from "@/lib/platform/dry-run-scope";
import { env } from "@/lib/platform/env";
import { sandboxFetch } from "@/lib/platform/stripe/sandbox/api";
import { sandboxTransport } from "@/lib/platform/stripe/sandbox/transport";
import { callStripe } from "./call";
import { cardCalls } from "./cards";
import { type ConnectProvider, connectCalls } from "./connect";
import { ProviderError } from "./errors";
import { preventHiddenRetries, rejectNonObjects } from "./http";
import { listCalls } from "./lists";
import { DisputeView, FraudWarningView, IntentView, RefundView, ReviewView } from "./views";
import { parseWebhook } from "./webhook";

/** The payment provider, Stripe (docs/reliability.md, Payment provider). Never call it inside a transaction. */
export type PaymentProvider = ReturnType<typeof createProvider>;

export type CreateIntentInput = {
  orderId: string;
  paymentId: string;
  /** `plan×quantity` of each line of the order, which record what was sold if the database loses the order */
  items?: string;
  amountCents: number;
  currency: string;
  description: string;
  email: string;
  idempotencyKey: string;
};

type CreateRefundInput = { intentId: string; refundId: string; amountCents: number; idempotencyKey: string };

const TIMEOUT_MS = 8_000;
const RETRIES = 2;
const NO_RETRIES = { maxNetworkRetries: 0 };

let provider: PaymentProvider | undefined;
const standIns = new AsyncLocalStorage<PaymentProvider>();

/** Runs a dry run with a stand-in for the provider (lib/payments/dry-run-provider.ts). Without it, a call fails. */
export const runWithStandIn = <T>(standIn: PaymentProvider, run: () => T): T => standIns.run(standIn, run);

/** The provider, or what stands in for it in a dry run. */
export function paymentProvider(): PaymentProvider {
  const standIn = standIns.getStore();
  if (standIn) return standIn;
  if (currentDryRun()) throw new Error("a dry run without a stand-in called the payment provider");
  provider ??= createProvider(stripeClient());
  return provider;
}

let connect: ConnectProvider | undefined;

/** The provider's calls about merchants' accounts and transfers. No dry run makes any. */
export function connectProvider(): ConnectProvider {
  if (currentDryRun()) throw new Error("a dry run called the payment provider");
  connect ??= connectCalls(stripeClient());
  return connect;
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
    httpClient: rejectNonObjects(
      preventHiddenRetries(sandbox ? sandboxHttpClient() : Stripe.createNodeHttpClient()),
    ),
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

function createProvider(stripe: Stripe) {
  /** The current intent, with its payment method. Throws ProviderError `unknown_object`. */
  const retrieveIntent = (id: string) => {
    const retrieve = () =>
      stripe.paymentIntents.retrieve(id, { expand: ["latest_charge", "payment_method"] });
    return callStripe("retrieve_intent", IntentView, retrieve, { id });
  };
  return {
    ...cardCalls(stripe),
    ...listCalls(stripe),
    parseWebhook,
    retrieveIntent,

    /**
     * The same key and values return the same intent again; the same key with other values is `refused`. The client does
     * not retry: the caller does, because a provider that ignores the key would create another intent each time.
     */
    createIntent({
      orderId,
      paymentId,
      items,
      amountCents,
      currency,
      idempotencyKey,
      ...input
    }: CreateIntentInput) {
      const intent = {
        amount: amountCents,
        currency,
        description: input.description,
        receipt_email: input.email,
        automatic_payment_methods: { enabled: true },
        metadata: { order_id: orderId, payment_id: paymentId, ...(items && { items }) },
      };
      const create = () => stripe.paymentIntents.create(intent, { idempotencyKey, ...NO_RETRIES });
      const expected = { amountCents, currency, metadata: { orderId, paymentId } };
      return callStripe("create_intent", IntentView, create, expected);
    },

    /**
     * Sets the customer, and whether the card that pays is saved for them. Throws ProviderError `refused` if the intent
     * is decided, `unknown_object` if the intent or the customer is unknown or deleted.
     */
    updateIntent(id: string, { customerId, keepsCard }: { customerId: string; keepsCard: boolean }) {
      const change = { customer: customerId, setup_future_usage: keepsCard ? "on_session" : "" } as const;
      const update = () => stripe.paymentIntents.update(id, change);
      return callStripe("update_intent", IntentView, update, { id, customerId, keepsCard });
    },

    /**
     * Returns only if the intent can never be paid again, which includes an intent that was canceled before. Throws
     * ProviderError `refused` (payment_intent_unexpected_state) if it is paid or processing: retrieve it and act on that.
     */
    async cancelIntent(id: string): Promise<IntentView> {
      const cancel = () => stripe.paymentIntents.cancel(id);
      try {
        return await callStripe("cancel_intent", IntentView, cancel, { id, state: "canceled" });
      } catch (error) {
        if (!(error instanceof ProviderError) || error.code !== "payment_intent_unexpected_state")
          throw error;
        const current = await retrieveIntent(id);
        if (current.state === "canceled") return current;
        throw error;
      }
    },

    /**
     * Refunds part of a paid intent, without retries of the client. Throws ProviderError `refused` beyond what is left of
     * it, and while it is disputed (`charge_disputed`).
     */
    refund({ intentId, refundId, amountCents, idempotencyKey }: CreateRefundInput) {
      const refund = { payment_intent: intentId, amount: amountCents, metadata: { refund_id: refundId } };
      const create = () => stripe.refunds.create(refund, { idempotencyKey, ...NO_RETRIES });
      return callStripe("create_refund", RefundView, create, { intentId, amountCents, refundId });
    },

    retrieveRefund: (id: string) =>
      callStripe("retrieve_refund", RefundView, () => stripe.refunds.retrieve(id), { id }),
    retrieveDispute: (id: string) =>
      callStripe("retrieve_dispute", DisputeView, () => stripe.disputes.retrieve(id), { id }),
    retrieveFraudWarning: (id: string) =>
      callStripe(
        "retrieve_fraud_warning",
        FraudWarningView,
        () => stripe.radar.earlyFraudWarnings.retrieve(id),
        {
          id,
        },
      ),
    retrieveReview: (id: string) =>
      callStripe("retrieve_review", ReviewView, () => stripe.reviews.retrieve(id), { id }),
  };
}
