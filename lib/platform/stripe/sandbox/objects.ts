import { createHash } from "node:crypto";
import Stripe from "stripe";
import type {
  sandboxCustomers,
  sandboxDisputes,
  sandboxFraudWarnings,
  sandboxIntents,
  sandboxPaymentMethods,
  sandboxRefunds,
  sandboxReviews,
  sandboxSetupIntents,
} from "@/db/schema/sandbox";

/**
 * The rows of the sandbox as Stripe's objects, with the fields that the shop reads (../views.ts) or that identify the
 * object. They are compared with Stripe's own types, so that tsc reports when a shape changes.
 */
export type IntentRow = typeof sandboxIntents.$inferSelect;
export type RefundRow = typeof sandboxRefunds.$inferSelect;
export type DisputeRow = typeof sandboxDisputes.$inferSelect;
export type FraudWarningRow = typeof sandboxFraudWarnings.$inferSelect;
export type ReviewRow = typeof sandboxReviews.$inferSelect;
export type CustomerRow = typeof sandboxCustomers.$inferSelect;
export type PaymentMethodRow = typeof sandboxPaymentMethods.$inferSelect;
export type SetupIntentRow = typeof sandboxSetupIntents.$inferSelect;

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

/** Methods that are paid on a page of their own. */
export const isRedirected = ({ paymentMethodType: type }: Pick<IntentRow, "paymentMethodType">) =>
  type === "alipay" || type === "wechat_pay";

const nextAction = (status: string) =>
  status === "requires_action" ? { type: "use_stripe_sdk", use_stripe_sdk: {} } : null;

const intentAction = (row: IntentRow) =>
  row.status === "requires_action" && isRedirected(row)
    ? { type: "redirect_to_url", redirect_to_url: { url: redirectPath(row), return_url: row.returnUrl } }
    : nextAction(row.status);

/** The address of the page that stands for the method's own; its link is derived from the intent's secret. */
export const redirectPath = (row: IntentRow) => `/dev/pay/${row.id}?link=${redirectLink(row)}`;
export const redirectLink = ({ clientSecret }: Pick<IntentRow, "clientSecret">) =>
  createHash("sha256").update(`redirect ${clientSecret}`).digest("base64url").slice(0, 24);

const toError = (error: IntentRow["lastError"]) =>
  error && {
    type: "card_error" as const,
    code: error.code,
    message: error.message,
    ...(error.declineCode && { decline_code: error.declineCode }),
  };

export const intentObject = (row: IntentRow) =>
  ({
    id: row.id,
    object: "payment_intent",
    amount: row.amountCents,
    amount_received: row.receivedCents,
    cancellation_reason: row.cancellationReason,
    client_secret: row.clientSecret,
    created: seconds(row.createdAt),
    currency: row.currency,
    customer: row.customerId,
    description: row.description,
    last_payment_error: toError(row.lastError),
    latest_charge: row.latestCharge,
    livemode: false,
    metadata: row.metadata,
    next_action: intentAction(row),
    payment_method: row.paymentMethod,
    receipt_email: row.receiptEmail,
    setup_future_usage: row.setupFutureUsage,
    status: row.status,
  }) satisfies Partial<Stripe.PaymentIntent>;

/** What Stripe returns for an expanded `payment_method`; null when there is none. */
export const methodObject = ({ paymentMethod: id, paymentMethodType: type }: IntentRow) =>
  id && { id, object: "payment_method", type: isRedirected({ paymentMethodType: type }) ? type : "card" };

/** What Stripe returns for an expanded `latest_charge`; null when there is none. */
export const chargeObject = ({
  latestCharge,
  paymentMethodType: type,
  cardFingerprint,
  cardCountry,
}: IntentRow) =>
  latestCharge && {
    id: latestCharge,
    object: "charge",
    payment_method_details: isRedirected({ paymentMethodType: type })
      ? { type }
      : {
          type: "card",
          card: {
            fingerprint: cardFingerprint,
            country: cardCountry,
            wallet: type === "card" ? null : type && { type },
          },
        },
  };

export const refundObject = (row: RefundRow, intent: IntentRow) =>
  ({
    id: row.id,
    object: "refund",
    amount: row.amountCents,
    created: seconds(row.createdAt),
    currency: intent.currency,
    metadata: row.metadata,
    payment_intent: intent.id,
    status: row.status,
    ...(row.failureReason !== null && { failure_reason: row.failureReason }),
  }) satisfies Partial<Stripe.Refund>;

/** Days that the bank of the sandbox gives for evidence. */
const EVIDENCE_DAYS = 9;
const isClosed = (status: string) => ["won", "lost"].includes(status);

export const disputeObject = (row: DisputeRow, intent: IntentRow) =>
  ({
    id: row.id,
    object: "dispute",
    amount: intent.receivedCents - intent.refundedCents,
    created: seconds(row.createdAt),
    currency: intent.currency,
    evidence_details: {
      due_by: isClosed(row.status) ? null : seconds(row.createdAt) + EVIDENCE_DAYS * 86_400,
      enhanced_eligibility: {},
      has_evidence: row.status === "under_review",
      past_due: false,
      submission_count: row.status === "under_review" ? 1 : 0,
      submission_method: row.status === "under_review" ? "manual" : "not_submitted",
    },
    livemode: false,
    payment_intent: intent.id,
    reason: row.reason,
    status: row.status,
  }) satisfies Partial<Stripe.Dispute>;

export const fraudWarningObject = (row: FraudWarningRow, intent: IntentRow) =>
  ({
    id: row.id,
    object: "radar.early_fraud_warning",
    actionable: intent.refundedCents === 0,
    charge: intent.latestCharge ?? "",
    created: seconds(row.createdAt),
    fraud_type: row.fraudType,
    livemode: false,
    payment_intent: intent.id,
  }) satisfies Partial<Stripe.Radar.EarlyFraudWarning>;

export const reviewObject = (row: ReviewRow) =>
  ({
    id: row.id,
    object: "review",
    closed_reason: row.closedReason as Stripe.Review.ClosedReason | null,
    created: seconds(row.createdAt),
    livemode: false,
    open: row.closedReason === null,
    opened_reason: "rule",
    payment_intent: row.intentId,
    reason: row.closedReason ?? row.reason,
  }) satisfies Partial<Stripe.Review>;

export const customerObject = (row: CustomerRow) =>
  ({
    id: row.id,
    object: "customer",
    created: seconds(row.createdAt),
    livemode: false,
    metadata: row.metadata,
  }) satisfies Partial<Stripe.Customer>;

export const paymentMethodObject = (row: PaymentMethodRow) =>
  ({
    id: row.id,
    object: "payment_method",
    card: { brand: row.brand, exp_month: row.expMonth, exp_year: row.expYear, last4: row.last4 },
    created: seconds(row.createdAt),
    customer: row.customerId,
    livemode: false,
    type: "card",
  }) satisfies Partial<Record<keyof Stripe.PaymentMethod, unknown>>;

export const setupIntentObject = (row: SetupIntentRow) =>
  ({
    id: row.id,
    object: "setup_intent",
    client_secret: row.clientSecret,
    created: seconds(row.createdAt),
    customer: row.customerId,
    last_setup_error: toError(row.lastError),
    livemode: false,
    next_action: nextAction(row.status),
    payment_method: row.paymentMethodId,
    status: row.status,
  }) satisfies Partial<Stripe.SetupIntent>;

/** What changed, and the object after the change. */
export type SandboxEvent = { type: Stripe.Event["type"]; object: object };

/** The event without `created`, which is the database's time. */
export const eventObject = (id: string, { type, object }: SandboxEvent) => ({
  id,
  object: "event",
  api_version: Stripe.API_VERSION,
  livemode: false,
  type,
  data: { object },
});

/** Why an intent or a setup is not accepted, as `lastError` stores it. */
export const CARD_DECLINED = {
  code: "card_declined",
  declineCode: "generic_decline",
  message: "Your card was declined.",
};
/** The error of a redirect method that was refused, or whose page was abandoned. */
export const PROVIDER_DECLINED = {
  code: "payment_method_provider_decline",
  message: "The payment method's provider has declined the payment.",
};
export const ATTEMPT_EXPIRED = {
  code: "payment_intent_payment_attempt_expired",
  message: "The latest payment attempt has expired.",
};
export const authenticationFailed = (object: "payment_intent" | "setup_intent") => ({
  code: `${object}_authentication_failure`,
  message: "The provided payment method has failed authentication.",
});
