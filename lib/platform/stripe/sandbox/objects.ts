import Stripe from "stripe";
import type { sandboxIntents, sandboxRefunds } from "@/db/schema/sandbox";
import { hidden, shownMetadata } from "./private";

/** The emulator's rows as Stripe shows them. The types are Stripe's own, so that tsc notices when its shapes change. */
export type IntentRow = typeof sandboxIntents.$inferSelect;
export type RefundRow = typeof sandboxRefunds.$inferSelect;

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

export function intentObject(row: IntentRow): Stripe.PaymentIntent {
  const keep = hidden(row.metadata, "keep");
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
    customer: hidden(row.metadata, "customer"),
    customer_account: null,
    description: row.description,
    excluded_payment_method_types: null,
    last_payment_error: lastError(row),
    latest_charge: row.latestCharge,
    livemode: false,
    managed_payments: null,
    metadata: shownMetadata(row.metadata),
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
    setup_future_usage: keep === "on_session" || keep === "off_session" ? keep : null,
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

export function refundObject(row: RefundRow, intent: IntentRow): Stripe.Refund {
  const failed = hidden(row.metadata, "failed");
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
    metadata: shownMetadata(row.metadata),
    payment_intent: intent.id,
    payment_method: intent.paymentMethod,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: failed ? "failed" : hidden(row.metadata, "pending") ? "pending" : "succeeded",
    ...(failed && { failure_reason: failed }),
    transfer_reversal: null,
  };
}

/** What changed, and the object as it was then. */
export type ToldEvent =
  | { type: "payment_intent.requires_action"; object: Stripe.PaymentIntent }
  | { type: "payment_intent.processing"; object: Stripe.PaymentIntent }
  | { type: "payment_intent.succeeded"; object: Stripe.PaymentIntent }
  | { type: "payment_intent.payment_failed"; object: Stripe.PaymentIntent }
  | { type: "payment_intent.canceled"; object: Stripe.PaymentIntent }
  | { type: "refund.created"; object: Stripe.Refund }
  | { type: "refund.updated"; object: Stripe.Refund }
  | { type: "refund.failed"; object: Stripe.Refund }
  | { type: "charge.dispute.created"; object: Stripe.Dispute }
  | { type: "charge.dispute.updated"; object: Stripe.Dispute }
  | { type: "charge.dispute.closed"; object: Stripe.Dispute };

/** As the event is kept but for its time, which the database knows. */
export function eventObject(id: string, told: ToldEvent): Omit<Stripe.Event, "created"> {
  const base = {
    id,
    object: "event" as const,
    api_version: Stripe.API_VERSION,
    livemode: false,
    pending_webhooks: 1,
    request: null,
  };
  // Each type with its own object: tsc loses the pair where the event is spread.
  switch (told.type) {
    case "refund.created":
    case "refund.updated":
    case "refund.failed":
      return { ...base, type: told.type, data: { object: told.object } };
    case "charge.dispute.created":
    case "charge.dispute.updated":
    case "charge.dispute.closed":
      return { ...base, type: told.type, data: { object: told.object } };
    default:
      return { ...base, type: told.type, data: { object: told.object } };
  }
}
