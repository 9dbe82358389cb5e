import Stripe from "stripe";
import type {
  sandboxCustomers,
  sandboxDisputes,
  sandboxIntents,
  sandboxPaymentMethods,
  sandboxRefunds,
  sandboxSetupIntents,
} from "@/db/schema/sandbox";

/**
 * The rows of the sandbox as Stripe's objects. The types are Stripe's own, so that tsc reports when a shape changes.
 */
export type IntentRow = typeof sandboxIntents.$inferSelect;
export type RefundRow = typeof sandboxRefunds.$inferSelect;
export type DisputeRow = typeof sandboxDisputes.$inferSelect;
export type CustomerRow = typeof sandboxCustomers.$inferSelect;
export type PaymentMethodRow = typeof sandboxPaymentMethods.$inferSelect;
export type SetupIntentRow = typeof sandboxSetupIntents.$inferSelect;

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

export function intentObject(row: IntentRow): Stripe.PaymentIntent {
  return {
    id: row.id,
    object: "payment_intent",
    allowed_payment_method_types: null,
    amount: row.amountCents,
    amount_capturable: 0,
    amount_received: row.receivedCents,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: { enabled: true, allow_redirects: "always" },
    canceled_at: row.canceledAt && seconds(row.canceledAt),
    cancellation_reason: row.cancellationReason,
    capture_method: "automatic_async",
    client_secret: row.clientSecret,
    confirmation_method: "automatic",
    created: seconds(row.createdAt),
    currency: row.currency,
    customer: row.customerId,
    customer_account: null,
    description: row.description,
    excluded_payment_method_types: null,
    last_payment_error: lastError(row),
    latest_charge: row.latestCharge,
    livemode: false,
    managed_payments: null,
    metadata: row.metadata,
    next_action: row.status === "requires_action" ? { type: "use_stripe_sdk", use_stripe_sdk: {} } : null,
    on_behalf_of: null,
    payment_method: row.paymentMethod,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_record: null,
    processing: null,
    receipt_email: row.receiptEmail,
    review: null,
    setup_future_usage: row.setupFutureUsage,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: row.status,
    transfer_data: null,
    transfer_group: null,
  };
}

function lastError({
  lastError: error,
  latestCharge,
}: IntentRow): Stripe.PaymentIntent.LastPaymentError | null {
  if (!error) return null;
  return {
    type: "card_error",
    code: error.code,
    message: error.message,
    ...(error.declineCode && { decline_code: error.declineCode }),
    ...(latestCharge && { charge: latestCharge }),
  };
}

/** What Stripe returns for an expanded `latest_charge`; null when there is none. */
export function chargeObject(row: IntentRow, disputed: boolean): Stripe.Charge | null {
  if (!row.latestCharge) return null;
  const paid = row.status === "succeeded";
  return {
    id: row.latestCharge,
    object: "charge",
    amount: row.amountCents,
    amount_captured: row.receivedCents,
    amount_refunded: row.refundedCents,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: paid,
    created: Math.floor(row.createdAt.getTime() / 1000),
    currency: row.currency,
    customer: row.customerId,
    description: row.description,
    disputed,
    failure_balance_transaction: null,
    failure_code: row.lastError?.code ?? null,
    failure_message: row.lastError?.message ?? null,
    fraud_details: null,
    livemode: false,
    metadata: row.metadata,
    on_behalf_of: null,
    outcome: null,
    paid,
    payment_intent: row.id,
    payment_method: row.paymentMethod,
    payment_method_details: { type: "card", card: cardOf(row) },
    receipt_email: row.receiptEmail,
    receipt_number: null,
    receipt_url: null,
    refunded: row.refundedCents > 0 && row.refundedCents === row.receivedCents,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: paid ? "succeeded" : "failed",
    transfer_data: null,
    transfer_group: null,
  };
}

function cardOf(row: IntentRow): Stripe.Charge.PaymentMethodDetails.Card {
  const { paymentMethodType: type } = row;
  const wallet = type === "card" ? null : type;
  return {
    amount_authorized: row.amountCents,
    authorization_code: null,
    brand: "visa",
    checks: null,
    country: "US",
    electronic_commerce_indicator: null,
    exp_month: 12,
    exp_year: row.createdAt.getFullYear() + 3,
    fingerprint: row.cardFingerprint,
    funding: "credit",
    installments: null,
    last4: "4242",
    mandate: null,
    network: "visa",
    network_transaction_id: null,
    regulated_status: null,
    three_d_secure: null,
    transaction_link_id: null,
    wallet: wallet ? { type: wallet, dynamic_last4: null } : null,
  };
}

export function refundObject(row: RefundRow, intent: IntentRow): Stripe.Refund {
  return {
    id: row.id,
    object: "refund",
    amount: row.amountCents,
    balance_transaction: null,
    charge: intent.latestCharge,
    created: seconds(row.createdAt),
    currency: intent.currency,
    customer: null,
    customer_account: null,
    metadata: row.metadata,
    payment_intent: intent.id,
    payment_method: intent.paymentMethod,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: row.status,
    ...(row.failureReason !== null && { failure_reason: row.failureReason }),
    transfer_reversal: null,
  };
}

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

export function disputeObject(row: DisputeRow, intent: IntentRow): Stripe.Dispute {
  return {
    id: row.id,
    object: "dispute",
    amount: intent.receivedCents,
    balance_transactions: [],
    charge: intent.latestCharge ?? "",
    created: seconds(row.createdAt),
    currency: intent.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: null,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted",
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: intent.id,
    reason: row.reason,
    status: row.status,
  };
}

export function customerObject(row: CustomerRow): Stripe.Customer {
  return {
    id: row.id,
    object: "customer",
    balance: 0,
    created: seconds(row.createdAt),
    default_source: null,
    description: null,
    email: null,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: row.metadata,
    shipping: null,
  };
}

export function paymentMethodObject(row: PaymentMethodRow): Stripe.PaymentMethod {
  return {
    id: row.id,
    object: "payment_method",
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    card: {
      brand: row.brand,
      checks: null,
      country: "US",
      display_brand: row.brand,
      exp_month: row.expMonth,
      exp_year: row.expYear,
      funding: "credit",
      generated_from: null,
      last4: row.last4,
      networks: null,
      regulated_status: null,
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: seconds(row.createdAt),
    customer: row.customerId,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: "card",
  };
}

export function setupIntentObject(row: SetupIntentRow): Stripe.SetupIntent {
  const { lastError: error } = row;
  return {
    id: row.id,
    object: "setup_intent",
    allowed_payment_method_types: ["card"],
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: row.clientSecret,
    created: seconds(row.createdAt),
    customer: row.customerId,
    description: null,
    excluded_payment_method_types: null,
    last_setup_error: error && {
      type: "card_error",
      code: error.code,
      message: error.message,
      ...(error.declineCode && { decline_code: error.declineCode }),
    },
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: row.metadata,
    next_action: row.status === "requires_action" ? { type: "use_stripe_sdk", use_stripe_sdk: {} } : null,
    on_behalf_of: null,
    payment_method: row.paymentMethodId,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    single_use_mandate: null,
    status: row.status,
    usage: "off_session",
  };
}

type IntentEvent = { type: IntentEventType; object: Stripe.PaymentIntent };
type RefundEvent = { type: "refund.created" | "refund.updated" | "refund.failed"; object: Stripe.Refund };
type DisputeEvent = {
  type: "charge.dispute.created" | "charge.dispute.updated" | "charge.dispute.closed";
  object: Stripe.Dispute;
};
export type IntentEventType =
  | "payment_intent.requires_action"
  | "payment_intent.processing"
  | "payment_intent.succeeded"
  | "payment_intent.payment_failed"
  | "payment_intent.canceled";
/** What changed, and the object after the change. */
export type SandboxEvent = IntentEvent | RefundEvent | DisputeEvent;

/** The event without `created`, which is the database's time. */
export function eventObject(id: string, { type, object }: SandboxEvent) {
  return {
    id,
    object: "event",
    api_version: Stripe.API_VERSION,
    livemode: false,
    pending_webhooks: 1,
    request: null,
    type,
    data: { object },
  } satisfies Omit<Stripe.Event, "created" | "type" | "data"> & { type: Stripe.Event["type"]; data: object };
}
