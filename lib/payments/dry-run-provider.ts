import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import { ProviderError } from "@/lib/platform/stripe/errors";
import type { PaymentProvider } from "@/lib/platform/stripe/provider";
import type { IntentView, RefundView } from "@/lib/platform/stripe/views";
import { CURRENCY, type PAYMENT_STATES, type RefundState } from "./rules";

/** What a dry run would have asked the payment provider to do. */
export type ProviderCalls = { refundedCents: number; cancelledIntents: string[] };

type StoredPayment = {
  intentId: string;
  orderId: string;
  paymentId: string;
  state: (typeof PAYMENT_STATES)[number];
  cents: number;
};

const noCall = (): never => {
  throw new Error("a dry run has no answer to this call of the payment provider");
};

/** What the provider has, as a dry run reads it. */
type ProviderReads = Pick<
  PaymentProvider,
  | "retrieveIntent"
  | "retrieveRefund"
  | "retrieveDispute"
  | "refundsOf"
  | "intentsSince"
  | "refundsSince"
  | "disputesSince"
  | "retrieveFraudWarning"
  | "retrieveReview"
  | "fraudWarningsSince"
  | "reviewsSince"
>;

/** The stored payments and refunds, so that nothing leaves the process. */
const storedReads: ProviderReads = {
  async retrieveIntent(id) {
    const intent = await readIntent(id);
    if (!intent) throw new ProviderError("unknown_object", "retrieve_intent", "no such payment");
    return intent;
  },
  async retrieveRefund(id) {
    const refund = await readRefund(id);
    if (!refund) throw new ProviderError("unknown_object", "retrieve_refund", "no such refund");
    return refund;
  },
  async *refundsOf() {},
  retrieveDispute: noCall,
  intentsSince: noCall,
  refundsSince: noCall,
  disputesSince: noCall,
  retrieveFraudWarning: noCall,
  retrieveReview: noCall,
  fraudWarningsSince: noCall,
  reviewsSince: noCall,
};

/**
 * Stands in for the payment provider in a dry run: nothing is changed there. It records refunds and cancellations and
 * answers as if the provider agreed: a refund succeeds immediately with the requested amount, and an intent that is
 * paid or being paid cannot be cancelled. It reads the stored payments, or the given provider.
 */
export function dryRunProvider(reads: ProviderReads = storedReads): {
  provider: PaymentProvider;
  calls: ProviderCalls;
} {
  const calls: ProviderCalls = { refundedCents: 0, cancelledIntents: [] };
  const refunds: RefundView[] = [];
  const created = new Map<string, IntentView>();
  const asCancelled = (intent: IntentView): IntentView =>
    calls.cancelledIntents.includes(intent.id) ? { ...intent, state: "canceled" } : intent;
  const retrieveIntent = async (id: string) =>
    asCancelled(created.get(id) ?? (await reads.retrieveIntent(id)));

  const provider: PaymentProvider = {
    retrieveIntent,
    async createIntent({ orderId, paymentId, amountCents }) {
      const intentId = `pi_${newId("dry")}`;
      const state = "requires_payment_method";
      const intent = toIntent({ intentId, orderId, paymentId, state, cents: amountCents });
      created.set(intentId, intent);
      return intent;
    },
    async cancelIntent(id) {
      const intent = await retrieveIntent(id);
      if (intent.state === "processing" || intent.state === "succeeded")
        throw new ProviderError(
          "refused",
          "cancel_intent",
          "paid or being paid",
          "payment_intent_unexpected_state",
        );
      if (intent.state !== "canceled") calls.cancelledIntents.push(id);
      return { ...intent, state: "canceled" };
    },
    async refund({ intentId, refundId, amountCents }) {
      calls.refundedCents += amountCents;
      const refund = toRefund({
        id: `re_${newId("dry")}`,
        state: "succeeded",
        intentId,
        refundId,
        amountCents,
      });
      refunds.push(refund);
      return refund;
    },
    retrieveRefund: async (id) =>
      refunds.find((refund) => refund.id === id) ?? (await reads.retrieveRefund(id)),
    async *refundsOf(intentId) {
      yield* refunds.filter((refund) => refund.intentId === intentId);
      yield* reads.refundsOf(intentId);
    },
    async *intentsSince(date) {
      for (const intent of created.values()) yield asCancelled(intent);
      for await (const intent of reads.intentsSince(date)) yield asCancelled(intent);
    },
    async *refundsSince(date) {
      yield* refunds;
      yield* reads.refundsSince(date);
    },
    retrieveDispute: reads.retrieveDispute,
    retrieveFraudWarning: reads.retrieveFraudWarning,
    retrieveReview: reads.retrieveReview,
    fraudWarningsSince: reads.fraudWarningsSince,
    reviewsSince: reads.reviewsSince,
    disputesSince: reads.disputesSince,
    parseWebhook: noCall,
    updateIntent: noCall,
    createCustomer: noCall,
    deleteCustomer: noCall,
    createSetupIntent: noCall,
    retrieveSetupIntent: noCall,
    listCards: noCall,
    retrieveCard: noCall,
    detachCard: noCall,
  };
  return { provider, calls };
}

async function readIntent(intentId: string): Promise<IntentView | null> {
  const [payment] = await db.execute<StoredPayment>(sql`
    select intent_id as "intentId", order_id as "orderId", id as "paymentId", state, amount_cents as cents
    from payments where intent_id = ${intentId}`);
  return payment ? toIntent(payment) : null;
}

const toIntent = ({ intentId, orderId, paymentId, state, cents }: StoredPayment): IntentView => ({
  id: intentId,
  state: state === "creating" ? "requires_payment_method" : state,
  amountCents: cents,
  amountReceivedCents: state === "succeeded" ? cents : 0,
  currency: CURRENCY,
  clientSecret: "dry_run",
  metadata: { orderId, paymentId },
  items: null,
  lastError: null,
  customerId: null,
  keepsCard: false,
  paidWith: null,
  method: null,
  livemode: env().PAYMENT_MODE === "live",
});

type StoredRefund = Pick<RefundView, "id" | "intentId" | "refundId" | "amountCents"> & { state: RefundState };

async function readRefund(providerId: string): Promise<RefundView | null> {
  const [refund] = await db.execute<StoredRefund>(sql`
    select r.provider_id as id, coalesce(r.intent_id, o.transaction_id) as "intentId", r.id as "refundId",
      r.amount_cents as "amountCents", r.state
    from refunds r join orders o on o.id = r.order_id where r.provider_id = ${providerId}`);
  return refund ? toRefund(refund) : null;
}

const toRefund = ({ state, ...refund }: StoredRefund): RefundView => ({
  ...refund,
  state: state === "succeeded" || state === "failed" ? state : "submitted",
  currency: CURRENCY,
  failureReason: null,
});
