import type Stripe from "stripe";
import type { IntentRow } from "./objects";
import { hidden, shownMetadata } from "./private";

const WALLETS = ["apple_pay", "google_pay", "link"] as const;

/** The charge of a paid intent, as Stripe shows it when `latest_charge` is expanded; null when there is none. */
export function chargeObject(row: IntentRow): Stripe.Charge | null {
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
    customer: hidden(row.metadata, "customer"),
    description: row.description,
    disputed: hidden(row.metadata, "dispute") !== null,
    failure_balance_transaction: null,
    failure_code: row.lastError?.code ?? null,
    failure_message: row.lastError?.message ?? null,
    fraud_details: null,
    livemode: false,
    metadata: shownMetadata(row.metadata),
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
  const wallet = WALLETS.find((type) => type === hidden(row.metadata, "with"));
  return {
    amount_authorized: row.amountCents,
    authorization_code: null,
    brand: "visa",
    checks: null,
    country: "US",
    electronic_commerce_indicator: null,
    exp_month: 12,
    exp_year: row.createdAt.getFullYear() + 3,
    fingerprint: hidden(row.metadata, "fingerprint"),
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
