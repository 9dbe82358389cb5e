import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { at, createdAt, id, oneOf, reference } from "./columns";

/** The state of the payment sandbox; only lib/platform/stripe/sandbox reads these tables. */
const INTENT_STATUSES = [
  "requires_payment_method",
  "requires_confirmation",
  "requires_action",
  "processing",
  "succeeded",
  "canceled",
] as const;
const SETTLEMENTS = ["succeeded", "failed"] as const;
const SETUP_STATUSES = ["requires_payment_method", "requires_action", "succeeded", "canceled"] as const;
const FUTURE_USAGES = ["on_session", "off_session"] as const;
const PAYMENT_METHOD_TYPES = ["card", "apple_pay", "google_pay", "link", "alipay", "wechat_pay"] as const;
const REFUND_STATUSES = ["pending", "succeeded", "failed"] as const;
const DISPUTE_STATUSES = ["needs_response", "warning_needs_response", "under_review", "won", "lost"] as const;

const metadata = () => jsonb("metadata").$type<Record<string, string>>().notNull();
const lastError = () => jsonb("last_error").$type<{ code: string; declineCode?: string; message: string }>();

export const sandboxIntents = pgTable(
  "sandbox_intents",
  {
    id: id(),
    clientSecret: text("client_secret").notNull().unique(),
    status: text("status", { enum: INTENT_STATUSES }).notNull().default("requires_payment_method"),
    amountCents: integer("amount_cents").notNull(),
    receivedCents: integer("received_cents").notNull().default(0),
    refundedCents: integer("refunded_cents").notNull().default(0),
    currency: text("currency").notNull(),
    description: text("description"),
    receiptEmail: text("receipt_email"),
    metadata: metadata(),
    customerId: text("customer_id").references(() => sandboxCustomers.id),
    /** Whether the card that pays is saved for the customer. */
    setupFutureUsage: text("setup_future_usage", { enum: FUTURE_USAGES }),
    paymentMethod: text("payment_method"),
    /** `card`, or the wallet that contains the card. */
    paymentMethodType: text("payment_method_type", { enum: PAYMENT_METHOD_TYPES }),
    /** Where the page of a method that redirects leads back to. */
    returnUrl: text("return_url"),
    /** Of a saved card only. */
    cardFingerprint: text("card_fingerprint"),
    /** Of a test card that names its country. */
    cardCountry: text("card_country"),
    latestCharge: text("latest_charge"),
    lastError: lastError(),
    cancellationReason: text("cancellation_reason"),
    canceledAt: at("canceled_at"),
    /** When a slow payment is decided, and how. Null for a processing payment that is never decided. */
    settlesAt: at("settles_at"),
    settlesAs: text("settles_as", { enum: SETTLEMENTS }),
    createdAt: createdAt(),
  },
  (t) => [
    index("sandbox_intents_settling").on(t.settlesAt).where(sql`settles_at is not null`),
    check("sandbox_intents_status", oneOf("status", INTENT_STATUSES)),
    check("sandbox_intents_future_usage", oneOf("setup_future_usage", FUTURE_USAGES)),
    check("sandbox_intents_payment_method_type", oneOf("payment_method_type", PAYMENT_METHOD_TYPES)),
    check(
      "sandbox_intents_settlement",
      sql`(settles_at is null) = (settles_as is null) and (settles_at is null or status = 'processing')`,
    ),
    check("sandbox_intents_amount", sql`amount_cents > 0 and received_cents in (0, amount_cents)`),
    check("sandbox_intents_refunded", sql`refunded_cents between 0 and received_cents`),
  ],
);

export const sandboxRefunds = pgTable(
  "sandbox_refunds",
  {
    id: id(),
    intentId: reference("intent_id", () => sandboxIntents.id),
    amountCents: integer("amount_cents").notNull(),
    status: text("status", { enum: REFUND_STATUSES }).notNull().default("succeeded"),
    failureReason: text("failure_reason"),
    metadata: metadata(),
    createdAt: createdAt(),
  },
  (t) => [
    index("sandbox_refunds_by_intent").on(t.intentId),
    check("sandbox_refunds_amount", sql`amount_cents > 0`),
    check("sandbox_refunds_status", oneOf("status", REFUND_STATUSES)),
    check("sandbox_refunds_failure", sql`(status = 'failed') = (failure_reason is not null)`),
  ],
);

/** A payment has at most one dispute here. */
export const sandboxDisputes = pgTable(
  "sandbox_disputes",
  {
    id: id(),
    intentId: reference("intent_id", () => sandboxIntents.id).unique(),
    status: text("status", { enum: DISPUTE_STATUSES }).notNull(),
    reason: text("reason").notNull(),
    createdAt: createdAt(),
  },
  () => [check("sandbox_disputes_status", oneOf("status", DISPUTE_STATUSES))],
);

/** Early fraud warnings: a payment has at most one here. */
export const sandboxFraudWarnings = pgTable("sandbox_fraud_warnings", {
  id: id(),
  intentId: reference("intent_id", () => sandboxIntents.id).unique(),
  fraudType: text("fraud_type").notNull(),
  createdAt: createdAt(),
});

/** Reviews: a payment has at most one here. `closedReason` is null while it is open. */
export const sandboxReviews = pgTable("sandbox_reviews", {
  id: id(),
  intentId: reference("intent_id", () => sandboxIntents.id).unique(),
  reason: text("reason").notNull(),
  closedReason: text("closed_reason"),
  createdAt: createdAt(),
});

/** Webhook events for the shop. `dueAt` is null when nothing more is to be sent. */
export const sandboxEvents = pgTable(
  "sandbox_events",
  {
    id: id(),
    type: text("type").notNull(),
    payload: jsonb("payload").notNull(),
    dueAt: at("due_at"),
    attempts: integer("attempts").notNull().default(0),
    /** How often the webhook route has responded with 2xx: more than once for the deliberate duplicates. */
    deliveries: integer("deliveries").notNull().default(0),
    lastResponse: text("last_response"),
    createdAt: createdAt(),
  },
  (t) => [index("sandbox_events_due").on(t.dueAt).where(sql`due_at is not null`)],
);

const ACCOUNT_STATES = ["pending", "active", "restricted", "closed"] as const;

/** Connected accounts (Accounts v2), and the link with which a merchant gives its details. */
export const sandboxAccounts = pgTable(
  "sandbox_accounts",
  {
    id: id(),
    country: text("country").notNull(),
    displayName: text("display_name").notNull(),
    metadata: metadata(),
    state: text("state", { enum: ACCOUNT_STATES }).notNull().default("pending"),
    requirements: jsonb("requirements").$type<string[]>().notNull(),
    link: jsonb("link").$type<{ token: string; expiresAt: string; returnUrl: string; refreshUrl: string }>(),
    createdAt: createdAt(),
  },
  () => [check("sandbox_accounts_state", oneOf("state", ACCOUNT_STATES))],
);

export const sandboxTransfers = pgTable(
  "sandbox_transfers",
  {
    id: id(),
    accountId: reference("account_id", () => sandboxAccounts.id),
    amountCents: integer("amount_cents").notNull(),
    reversedCents: integer("reversed_cents").notNull().default(0),
    /** what the account has sent on to its bank: it cannot be reversed any more */
    spentCents: integer("spent_cents").notNull().default(0),
    transferGroup: text("transfer_group"),
    metadata: metadata(),
    createdAt: createdAt(),
  },
  (t) => [
    index("sandbox_transfers_of_group").on(t.transferGroup, t.createdAt),
    check("sandbox_transfers_amount", sql`amount_cents > 0 and reversed_cents between 0 and amount_cents`),
  ],
);

const PAYOUT_STATES = ["pending", "paid", "failed"] as const;

/** What moved the shop's balance besides payments, refunds and transfers: payouts to its bank (below zero) and top-ups. */
export const sandboxPayouts = pgTable(
  "sandbox_payouts",
  {
    id: id(),
    amountCents: integer("amount_cents").notNull(),
    status: text("status", { enum: PAYOUT_STATES }).notNull(),
    /** of a top-up that is not available yet */
    availableAt: at("available_at").notNull().default(sql`shop_now()`),
    createdAt: createdAt(),
  },
  () => [check("sandbox_payouts_status", oneOf("status", PAYOUT_STATES))],
);

/** Responses that are kept for 24 hours under the caller's Idempotency-Key, with the parameters of the request. */
export const sandboxRequests = pgTable(
  "sandbox_requests",
  {
    key: text("key").primaryKey(),
    parameters: text("parameters").notNull(),
    httpStatus: integer("http_status"),
    body: jsonb("body"),
    createdAt: createdAt(),
  },
  (t) => [index("sandbox_requests_age").on(t.createdAt)],
);

/** A deleted customer keeps its row, so that the calls about it can say so. */
export const sandboxCustomers = pgTable("sandbox_customers", {
  id: id(),
  metadata: metadata(),
  createdAt: createdAt(),
  deletedAt: at("deleted_at"),
});

/** A fake card: a brand and four digits, never a number. Without a customer it is not saved yet, or removed. */
export const sandboxPaymentMethods = pgTable(
  "sandbox_payment_methods",
  {
    id: id(),
    customerId: text("customer_id").references(() => sandboxCustomers.id),
    brand: text("brand").notNull(),
    last4: text("last4").notNull(),
    expMonth: integer("exp_month").notNull(),
    expYear: integer("exp_year").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("sandbox_payment_methods_by_customer").on(t.customerId, t.createdAt),
    check("sandbox_payment_methods_expiry", sql`exp_month between 1 and 12`),
  ],
);

/** One attempt to save a card. */
export const sandboxSetupIntents = pgTable(
  "sandbox_setup_intents",
  {
    id: id(),
    clientSecret: text("client_secret").notNull().unique(),
    customerId: reference("customer_id", () => sandboxCustomers.id),
    status: text("status", { enum: SETUP_STATUSES }).notNull().default("requires_payment_method"),
    metadata: metadata(),
    paymentMethodId: text("payment_method_id").references(() => sandboxPaymentMethods.id),
    lastError: lastError(),
    createdAt: createdAt(),
  },
  () => [
    check("sandbox_setup_intents_status", oneOf("status", SETUP_STATUSES)),
    check(
      "sandbox_setup_intents_payment_method",
      sql`(status in ('requires_action', 'succeeded')) = (payment_method_id is not null)`,
    ),
  ],
);
