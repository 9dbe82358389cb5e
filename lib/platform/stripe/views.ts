import { z } from "zod";

/** Stripe's statuses of an intent. `PAYMENT_STATES` is these and `creating` (tests/rules/stripe-client.test.ts). */
export const INTENT_STATES = [
  "requires_payment_method",
  "requires_confirmation",
  "requires_action",
  "requires_capture",
  "processing",
  "succeeded",
  "canceled",
] as const;

const cents = z.int().min(0);
const reference = z.union([z.string(), z.object({ id: z.string() }).transform((object) => object.id)]);

/** How a charge was paid, according to Stripe and never to the browser. */
const Charge = z.object({
  id: z.string().min(1),
  payment_method_details: z
    .object({
      type: z.string().min(1).max(40),
      card: z
        .object({
          fingerprint: z.string().min(1).max(100).nullish(),
          country: z
            .string()
            .regex(/^[A-Z]{2}$/)
            .nullish()
            .catch(null),
          wallet: z.object({ type: z.string().min(1).max(40) }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

/** The payment method of an expanded charge; null for a charge that is only an id. */
const paidWith = z
  .union([z.string().transform(() => null), Charge])
  .nullish()
  .transform((charge) => {
    const details = charge?.payment_method_details;
    if (!details) return null;
    return {
      /** card, link …, or the wallet that contains the card: apple_pay, google_pay */
      method: details.card?.wallet?.type ?? details.type,
      cardFingerprint: details.card?.fingerprint ?? null,
      /** where the card was issued, ISO 3166-1 */
      cardCountry: details.card?.country ?? null,
    };
  });

/** The kind of an expanded payment method; null for one that is only an id. */
const methodType = z
  .union([
    z.string().transform(() => null),
    z.object({ type: z.string().min(1).max(40) }).transform(({ type }) => type),
  ])
  .nullish()
  .transform((type) => type ?? null);

/** A payment intent. Fields that the shop does not use are ignored. */
export const IntentView = z
  .object({
    id: z.string().startsWith("pi_"),
    object: z.literal("payment_intent"),
    status: z.enum(INTENT_STATES),
    amount: cents,
    amount_received: cents,
    currency: z.string().regex(/^[a-z]{3}$/),
    client_secret: z.string().min(1),
    livemode: z.boolean(),
    metadata: z.record(z.string(), z.string()),
    customer: reference.nullish(),
    setup_future_usage: z.string().nullish(),
    latest_charge: paidWith,
    payment_method: methodType,
    last_payment_error: z
      .object({ code: z.string().optional(), decline_code: z.string().optional() })
      .nullable(),
  })
  .transform((intent) => ({
    id: intent.id,
    state: intent.status,
    amountCents: intent.amount,
    amountReceivedCents: intent.amount_received,
    currency: intent.currency,
    clientSecret: intent.client_secret,
    /** Set by the shop at creation; null for an intent created elsewhere in the same Stripe account. */
    metadata: { orderId: intent.metadata.order_id ?? null, paymentId: intent.metadata.payment_id ?? null },
    /** `plan×quantity` of each line, as `12x1,15x2`; set by the shop at creation. */
    items: intent.metadata.items ?? null,
    lastError: intent.last_payment_error && {
      code: intent.last_payment_error.code ?? "unknown",
      declineCode: intent.last_payment_error.decline_code ?? null,
    },
    customerId: intent.customer ?? null,
    /** The card is saved for the customer once it has paid. */
    keepsCard: Boolean(intent.setup_future_usage),
    /** Null until it is paid, and if the response does not contain the charge. */
    paidWith: intent.latest_charge,
    /** The payment method: card, alipay …; null before the choice, and if the response does not contain it. */
    method: intent.payment_method,
    livemode: intent.livemode,
  }));
export type IntentView = z.output<typeof IntentView>;

const REFUND_STATE = {
  pending: "submitted",
  requires_action: "submitted",
  succeeded: "succeeded",
  failed: "failed",
  canceled: "failed",
} as const;

/** A refund. Its state is one of `REFUND_STATES`. */
export const RefundView = z
  .object({
    id: z.string().min(1),
    object: z.literal("refund"),
    status: z.enum(["pending", "requires_action", "succeeded", "failed", "canceled"]),
    amount: cents,
    currency: z.string().regex(/^[a-z]{3}$/),
    payment_intent: reference.nullable(),
    metadata: z.record(z.string(), z.string()).nullable(),
    failure_reason: z.string().optional(),
  })
  .transform((refund) => ({
    id: refund.id,
    state: REFUND_STATE[refund.status],
    amountCents: refund.amount,
    currency: refund.currency,
    intentId: refund.payment_intent,
    /** The shop's own id, set at creation. */
    refundId: refund.metadata?.refund_id ?? null,
    failureReason: refund.failure_reason ?? null,
  }));
export type RefundView = z.output<typeof RefundView>;

/** Stripe's statuses of a closed dispute. `warning_…` is an inquiry, before any money has moved. */
const CLOSED_DISPUTES = ["won", "lost", "warning_closed", "prevented"];

/** A payment that its buyer disputes at the bank. */
export const DisputeView = z
  .object({
    id: z.string().min(1).max(100),
    object: z.literal("dispute"),
    status: z.string().min(1).max(60),
    reason: z.string().max(60),
    amount: cents,
    currency: z.string().regex(/^[a-z]{3}$/),
    payment_intent: reference.nullable(),
    /** `due_by`: seconds; 0 or null when no evidence is requested */
    evidence_details: z.object({ due_by: z.int().min(0).nullish() }).nullish(),
    created: z.int(),
    livemode: z.boolean(),
  })
  .transform((dispute) => ({
    id: dispute.id,
    status: dispute.status,
    reason: dispute.reason,
    isOpen: !CLOSED_DISPUTES.includes(dispute.status),
    isLost: dispute.status === "lost",
    amountCents: dispute.amount,
    currency: dispute.currency,
    intentId: dispute.payment_intent,
    /** Until when the bank takes evidence. */
    evidenceDueAt: dispute.evidence_details?.due_by ? new Date(dispute.evidence_details.due_by * 1000) : null,
    livemode: dispute.livemode,
  }));
export type DisputeView = z.output<typeof DisputeView>;

/** A bank's warning that a payment may be fraud, before it is disputed. */
export const FraudWarningView = z
  .object({
    id: z.string().min(1).max(100),
    object: z.literal("radar.early_fraud_warning"),
    fraud_type: z.string().min(1).max(60),
    payment_intent: reference.nullish(),
    livemode: z.boolean(),
  })
  .transform((warning) => ({
    id: warning.id,
    fraudType: warning.fraud_type,
    intentId: warning.payment_intent ?? null,
    livemode: warning.livemode,
  }));
export type FraudWarningView = z.output<typeof FraudWarningView>;

/** A payment that the provider holds for review. */
export const ReviewView = z
  .object({
    id: z.string().min(1).max(100),
    object: z.literal("review"),
    open: z.boolean(),
    opened_reason: z.string().min(1).max(60),
    closed_reason: z.string().max(60).nullable(),
    payment_intent: reference.nullish(),
    livemode: z.boolean(),
  })
  .transform((review) => ({
    id: review.id,
    isOpen: review.open,
    reason: review.opened_reason,
    closedReason: review.open ? null : (review.closed_reason ?? "unknown"),
    intentId: review.payment_intent ?? null,
    livemode: review.livemode,
  }));
export type ReviewView = z.output<typeof ReviewView>;

/** One page of a list. The reader parses the entries one by one. */
export const ListPage = z
  .object({ object: z.literal("list"), data: z.array(z.unknown()), has_more: z.boolean() })
  .transform(({ data, has_more }) => ({ items: data, hasMore: has_more }));

export const CustomerView = z
  .object({ id: z.string().startsWith("cus_"), object: z.literal("customer"), livemode: z.boolean() })
  .transform(({ id, livemode }) => ({ id, livemode }));
export type CustomerView = z.output<typeof CustomerView>;

export const DeletedCustomerView = z
  .object({ id: z.string(), object: z.literal("customer"), deleted: z.literal(true) })
  .transform(({ id }) => ({ id }));

/** An attempt to save a card. The card `methodId` is saved for the customer once the state is `succeeded`. */
export const SetupView = z
  .object({
    id: z.string().startsWith("seti_"),
    object: z.literal("setup_intent"),
    status: z.enum(INTENT_STATES).exclude(["requires_capture"]),
    client_secret: z.string().min(1),
    customer: reference.nullable(),
    payment_method: reference.nullable(),
    livemode: z.boolean(),
  })
  .transform((setup) => ({
    id: setup.id,
    state: setup.status,
    clientSecret: setup.client_secret,
    customerId: setup.customer,
    methodId: setup.payment_method,
    livemode: setup.livemode,
  }));
export type SetupView = z.output<typeof SetupView>;

/** A saved card without its number, which the shop never receives. */
export const StoredCardView = z
  .object({
    id: z.string().min(1),
    object: z.literal("payment_method"),
    type: z.literal("card"),
    customer: reference.nullable(),
    card: z.object({
      brand: z.string().max(40),
      last4: z.string().regex(/^\d{4}$/),
      exp_month: z.int().min(1).max(12),
      exp_year: z.int().min(2000).max(9999),
    }),
    created: z.int(),
    livemode: z.boolean(),
  })
  .transform(({ id, customer, card, created, livemode }) => ({
    id,
    customerId: customer,
    brand: card.brand,
    last4: card.last4,
    expMonth: card.exp_month,
    expYear: card.exp_year,
    createdAt: new Date(created * 1000),
    livemode,
  }));
export type StoredCardView = z.output<typeof StoredCardView>;

export const StoredCardsView = z
  .object({ object: z.literal("list"), data: z.array(StoredCardView) })
  .transform(({ data }) => ({ cards: data }));

/** The parts of a webhook event that the shop uses. Its object may be outdated: the shop retrieves the current one. */
export const EventBody = z.object({
  id: z.string().startsWith("evt_"),
  object: z.literal("event"),
  type: z.string().min(1),
  api_version: z.string().nullish(),
  created: z.int(),
  livemode: z.boolean(),
  data: z.object({
    object: z.object({
      id: z.string().optional(),
      object: z.string(),
      payment_intent: reference.nullish(),
      metadata: z.record(z.string(), z.string()).nullish(),
    }),
  }),
});
