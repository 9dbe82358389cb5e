import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { TAX_DOCUMENT_KINDS, type TaxDocumentContent } from "@/lib/orders/tax/rules-document";
import type { DeclaredWords } from "@/lib/orders/withdrawal/rules-declaration";
import {
  LEDGER_ACCOUNTS,
  LOST_PAYMENT_OUTCOMES,
  PAYMENT_STATES,
  REFUND_REQUEST_STATES,
  REFUND_STATES,
  type RefundEffects,
  WARNING_STATES,
} from "@/lib/payments/rules";
import { TAX_EVIDENCE_STATES, TAX_KINDS, TAX_TREATMENTS } from "@/lib/payments/tax/rules";
import { VAT_CHECKS } from "@/lib/payments/tax/rules-vat-id";
import { userId, users } from "./accounts";
import { merchants } from "./catalog";
import { at, createdAt, id, oneOf, reference, rowId } from "./columns";
import { orderId, orderLines, orders } from "./orders";

/** A payment of an order: one live intent per order. */
export const payments = pgTable(
  "payments",
  {
    id: id(),
    orderId: orderId(),
    /** The provider's id; null until its response. */
    intentId: text("intent_id").unique(),
    state: text("state", { enum: PAYMENT_STATES }).notNull().default("creating"),
    amountCents: integer("amount_cents").notNull(),
    currency: text("currency").notNull(),
    /** Fixed at the first request, so that a retry sends the same parameters. */
    receiptEmail: text("receipt_email").notNull(),
    /** When the provider was asked to create the intent; null without a running request. One request at a time. */
    requestedAt: at("requested_at"),
    /** The provider's code of the last failure (card_declined …). */
    lastError: text("last_error"),
    /** The provider's fingerprint of the paying card, equal for equal cards. */
    cardFingerprint: text("card_fingerprint"),
    /** The payment method in the provider's terms: card, link, apple_pay … */
    method: text("method"),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().default(sql`shop_now()`),
  },
  (t) => [
    uniqueIndex("payments_one_live").on(t.orderId).where(sql`state <> 'canceled'`),
    index("payments_of_order").on(t.orderId),
    // Rows are appended in order of time, so that a few kilobytes find those of a day.
    index("payments_by_time").using("brin", t.createdAt).concurrently(),
    index("payments_unsettled").on(t.updatedAt).where(sql`state not in ('succeeded', 'canceled')`),
    check("payments_state", oneOf("state", PAYMENT_STATES)),
    check("payments_amount", sql`amount_cents > 0`),
  ],
);

export const refunds = pgTable(
  "refunds",
  {
    id: id(),
    orderId: orderId(),
    /** null: the whole order, when a payment arrived for one that can no longer be delivered */
    orderLineId: text("order_line_id").references(() => orderLines.id),
    /** The refunded intent, when it is not the one that paid the order. */
    intentId: text("intent_id"),
    amountCents: integer("amount_cents").notNull(),
    reason: text("reason").notNull(),
    /** From 1; more where one refund takes several, because the provider refunded another amount than asked. */
    part: integer("part").notNull().default(1),
    state: text("state", { enum: REFUND_STATES }).notNull().default("pending"),
    /** For a refund made at the provider: which refunds its money covers; null again once it is reversed. */
    effects: jsonb("effects").$type<RefundEffects>(),
    providerId: text("provider_id").unique(),
    /** When the provider was asked to create the refund; null without a running request. One request at a time. */
    requestedAt: at("requested_at"),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().default(sql`shop_now()`),
  },
  (t) => [
    uniqueIndex("refunds_once")
      .on(t.orderId, sql`coalesce(order_line_id, '')`, t.reason, sql`coalesce(intent_id, '')`, t.part)
      .where(sql`state not in ('failed', 'cancelled')`),
    index("refunds_by_time").using("brin", t.createdAt).concurrently(),
    index("refunds_failed").on(t.updatedAt, t.id).where(sql`state = 'failed'`),
    index("refunds_open").on(t.updatedAt).where(sql`state in ('pending', 'submitted')`),
    check("refunds_state", oneOf("state", REFUND_STATES)),
    check("refunds_amount", sql`amount_cents > 0`),
  ],
);

/** Double entry: the rows of one transfer sum to zero (checked by a deferred trigger) and never change. */
export const ledgerEntries = pgTable(
  "ledger_entries",
  {
    id: rowId(),
    transferId: text("transfer_id").notNull(),
    account: text("account", { enum: LEDGER_ACCOUNTS }).notNull(),
    /** positive: debit, negative: credit */
    amountCents: integer("amount_cents").notNull(),
    orderId: text("order_id").references(() => orders.id),
    /** Whose share it is, and of which sale: of entries of `merchant_share` and `merchant_payable`. */
    merchantId: text("merchant_id").references(() => merchants.id),
    lineId: text("line_id").references(() => orderLines.id),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("ledger_once").on(t.transferId, t.account),
    index("ledger_by_order").on(t.orderId),
    index("ledger_of_line").on(t.lineId, t.account).concurrently().where(sql`line_id is not null`),
    index("ledger_of_merchant")
      .on(t.merchantId, t.createdAt, t.id)
      .concurrently()
      .where(sql`account = 'merchant_payable'`),
    index("ledger_in_transit").on(t.merchantId).concurrently().where(sql`account = 'payouts_in_transit'`),
    // Rows are appended in order of time, so that a few kilobytes find those of a day.
    index("ledger_by_time").using("brin", t.createdAt),
    check("ledger_account", oneOf("account", LEDGER_ACCOUNTS)),
  ],
);

/** The provider's webhook events, stored by id before the response. */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    id: id(),
    type: text("type").notNull(),
    objectId: text("object_id").notNull(),
    livemode: boolean("livemode").notNull(),
    payload: jsonb("payload").notNull(),
    receivedAt: createdAt(),
    processedAt: at("processed_at"),
  },
  (t) => [
    index("webhook_events_open").on(t.receivedAt).where(sql`processed_at is null`),
    index("webhook_events_by_time").on(t.receivedAt).concurrently(),
  ],
);

/** The provider's customer of a user, who owns the saved cards. */
export const paymentCustomers = pgTable("payment_customers", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id),
  customerId: text("customer_id").notNull().unique(),
  createdAt: createdAt(),
});

/** Refund requests (docs/product.md#75-orders-and-payment), decided by the rule, the vendor, or the deadline. */
export const refundRequests = pgTable(
  "refund_requests",
  {
    id: id(),
    orderLineId: reference("order_line_id", () => orderLines.id),
    userId: userId(),
    amountCents: integer("amount_cents").notNull(),
    state: text("state", { enum: REFUND_REQUEST_STATES }).notNull().default("asked"),
    /** When the request is approved without a decision. */
    answerBy: at("answer_by").notNull(),
    createdAt: createdAt(),
    decidedAt: at("decided_at"),
    /** rule, vendor, deadline, or the staff member */
    decidedBy: text("decided_by"),
    /** Whose pass it is: the product's merchant (db/functions/set_record_merchant.sql). */
    merchantId: text("merchant_id").references(() => merchants.id),
    /** The staff member who requested it for the buyer; null: the buyer did. */
    askedBy: text("asked_by").references(() => users.id),
    /**
     * A withdrawal by someone who says that they live in this country (ISO 3166-1) and not in the order's: staff
     * decide, never the vendor or the deadline. null: any other request.
     */
    statedCountry: text("stated_country"),
  },
  (t) => [
    uniqueIndex("refund_requests_one").on(t.orderLineId).where(sql`state in ('asked', 'approved')`),
    index("refund_requests_open").on(t.answerBy).where(sql`state = 'asked'`),
    check("refund_requests_state", oneOf("state", REFUND_REQUEST_STATES)),
    index("refund_requests_of_line").on(t.orderLineId),
    index("refund_requests_of_user").on(t.userId).concurrently(),
    index("refund_requests_without_merchant").on(t.id).concurrently().where(sql`merchant_id is null`),
    // A merchant's open ones by deadline, its decided ones the newest first.
    index("refund_requests_of_merchant").on(t.merchantId, t.answerBy, t.id).where(sql`state = 'asked'`),
    index("refund_requests_decided_of_merchant")
      .on(t.merchantId, t.decidedAt, t.id)
      .where(sql`state <> 'asked'`),
    // Refused requests, the newest first.
    index("refund_requests_refused").on(t.decidedAt, t.id).where(sql`state = 'refused'`),
    check("refund_requests_amount", sql`amount_cents > 0`),
    check(
      "refund_requests_two_people",
      sql`decided_by is null or (decided_by <> user_id and decided_by is distinct from asked_by)`,
    ),
  ],
);

/** Disputed payments: while one is open, the order's codes are locked and nothing of it is refunded. */
export const disputes = pgTable(
  "disputes",
  {
    /** the provider's id */
    id: id(),
    orderId: orderId(),
    intentId: text("intent_id").notNull(),
    amountCents: integer("amount_cents").notNull(),
    reason: text("reason").notNull(),
    /** the provider's status: needs_response, under_review, won, lost … */
    status: text("status").notNull(),
    isOpen: boolean("is_open").notNull(),
    /** Until when the bank takes evidence; null: the provider names no day. */
    evidenceDueAt: at("evidence_due_at"),
    createdAt: createdAt(),
    closedAt: at("closed_at"),
  },
  (t) => [
    index("disputes_of_order").on(t.orderId),
    index("disputes_open").on(t.createdAt).where(sql`is_open`),
    // The lists of the staff console (docs/performance.md#staff-console).
    index("disputes_by_due").on(sql`coalesce(${t.evidenceDueAt}, ${t.createdAt})`, t.id).where(sql`is_open`),
    index("disputes_closed").on(t.createdAt, t.id).where(sql`not is_open`),
    check("disputes_amount", sql`amount_cents >= 0`),
  ],
);

/**
 * Early fraud warnings about payments. While one is `received` or `open`, the order's unseen codes are locked and its sales are not
 * paid out (docs/product.md#810-disputes).
 */
export const fraudWarnings = pgTable(
  "fraud_warnings",
  {
    /** the provider's id */
    id: id(),
    orderId: orderId(),
    intentId: text("intent_id").notNull(),
    /** the provider's word for the fraud; null until it was asked */
    fraudType: text("fraud_type"),
    state: text("state", { enum: WARNING_STATES }).notNull().default("received"),
    createdAt: createdAt(),
    decidedAt: at("decided_at"),
    /** `rule`, or the staff member */
    decidedBy: text("decided_by"),
    /** why staff decided so */
    note: text("note"),
  },
  (t) => [
    index("fraud_warnings_of_order").on(t.orderId),
    index("fraud_warnings_open").on(t.createdAt, t.id).where(sql`decided_at is null`),
    index("fraud_warnings_decided").on(t.createdAt, t.id).where(sql`decided_at is not null`),
    check("fraud_warnings_state", oneOf("state", WARNING_STATES)),
    check(
      "fraud_warnings_decided",
      sql`(state in ('received', 'open')) = (decided_at is null) and (decided_at is null) = (decided_by is null)`,
    ),
  ],
);

/** Reviews of payments at the provider, as it has them: staff see them on the order. */
export const paymentReviews = pgTable(
  "payment_reviews",
  {
    /** the provider's id */
    id: id(),
    orderId: orderId(),
    intentId: text("intent_id").notNull(),
    isOpen: boolean("is_open").notNull(),
    /** the provider's words: why it was opened, and how it was closed */
    reason: text("reason").notNull(),
    closedReason: text("closed_reason"),
    createdAt: createdAt(),
    closedAt: at("closed_at"),
  },
  (t) => [
    index("payment_reviews_of_order").on(t.orderId),
    check("payment_reviews_closed", sql`is_open = (closed_at is null)`),
  ],
);

/** What a dispute costs the shop besides the payment: one row. A suspected payment below it is refunded without a look. */
export const fraudSettings = pgTable(
  "fraud_settings",
  { id: integer("id").primaryKey().default(1), disputeCostCents: integer("dispute_cost_cents").notNull() },
  () => [check("fraud_settings_one", sql`id = 1 and dispute_cost_cents between 0 and 1000000`)],
);

/**
 * Payments at the provider whose orders were lost in a restore of the database (docs/operations.md#restore). They are
 * refunded or cancelled there; the ledger never had them.
 */
export const lostPayments = pgTable(
  "lost_payments",
  {
    /** the provider's id */
    intentId: text("intent_id").primaryKey(),
    /** the order's id in the payment's metadata */
    orderId: text("order_id").notNull(),
    /** `plan×quantity` of its lines, from the metadata; null: opened by a release that did not send it */
    items: text("items"),
    amountCents: integer("amount_cents").notNull(),
    outcome: text("outcome", { enum: LOST_PAYMENT_OUTCOMES }).notNull(),
    createdAt: createdAt(),
  },
  () => [
    check("lost_payments_outcome", oneOf("outcome", LOST_PAYMENT_OUTCOMES)),
    check("lost_payments_amount", sql`amount_cents >= 0`),
  ],
);

/** The daily reconciliation with the provider: one row a day. */
export const reconciliationReports = pgTable("reconciliation_reports", {
  day: date("day").primaryKey(),
  checked: integer("checked").notNull(),
  differences: jsonb("differences").$type<Record<string, unknown>[]>().notNull(),
  createdAt: createdAt(),
});

/** Statutory withdrawals with any result, with or without an account. */
export const withdrawals = pgTable(
  "withdrawals",
  {
    id: id(),
    orderId: orderId(),
    email: text("email").notNull(),
    refundedCents: integer("refunded_cents").notNull(),
    /** lines that could not be withdrawn, and why */
    refused: jsonb("refused").$type<{ order_product_id: string; reason: string }[]>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("withdrawals_of_order").on(t.orderId)],
);

/**
 * Declarations of withdrawal, recorded when they are sent, before anybody proves anything (docs/product.md#82-withdrawal).
 * A further one for the same order and address adds its words until the declaration is proved or closed.
 */
export const withdrawalDeclarations = pgTable(
  "withdrawal_declarations",
  {
    id: id(),
    /** as typed, folded as order numbers are */
    orderRef: text("order_ref").notNull(),
    /** for the receipt, in lower case, not verified */
    email: text("email").notNull(),
    /** the words of each, the oldest first; at most DECLARED_WORDS are kept */
    words: jsonb("words").$type<DeclaredWords[]>().notNull(),
    times: integer("times").notNull().default(1),
    declaredAt: at("declared_at").notNull().default(sql`shop_now()`),
    lastAt: at("last_at").notNull().default(sql`shop_now()`),
    /** the order to which the address belongs; null: none, which the declarant does not learn */
    orderId: text("order_id").references(() => orders.id),
    /** when the owner of the address or of the order withdrew */
    provedAt: at("proved_at"),
    closedAt: at("closed_at"),
    closedBy: text("closed_by").references(() => users.id),
    closedNote: text("closed_note"),
  },
  (t) => [
    uniqueIndex("withdrawal_declarations_one")
      .on(t.orderRef, t.email)
      .where(sql`proved_at is null and closed_at is null`),
    index("withdrawal_declarations_open")
      .on(t.declaredAt, t.id)
      .where(sql`proved_at is null and closed_at is null`),
    index("withdrawal_declarations_newest").on(t.declaredAt, t.id),
    index("withdrawal_declarations_of_order").on(t.orderId).where(sql`order_id is not null`),
    check("withdrawal_declarations_end", sql`proved_at is null or closed_at is null`),
    check(
      "withdrawal_declarations_closing",
      sql`(closed_at is null) = (closed_by is null) and (closed_at is null) = (closed_note is null)`,
    ),
  ],
);

/** The exchange rates that the feed has delivered last: one row. Without a feed the rates come from a file. */
export const exchangeRates = pgTable(
  "exchange_rates",
  {
    id: text("id").primaryKey(),
    /** the day of the rates, as the feed says it */
    day: date("day").notNull(),
    /** units of each currency for one US dollar */
    rates: jsonb("rates").$type<Record<string, number>>().notNull(),
    fetchedAt: at("fetched_at").notNull().default(sql`shop_now()`),
  },
  () => [check("exchange_rates_single", sql`id = 'current'`)],
);

/** The exchange rates of each day that the feed has delivered, for reports: those of a quarter's end count for its taxes. */
export const exchangeRateDays = pgTable("exchange_rate_days", {
  day: date("day").primaryKey(),
  /** units of each currency for one US dollar */
  rates: jsonb("rates").$type<Record<string, number>>().notNull(),
});

/** Rates of taxes by the day from which they hold (db/seed/tax-rates.json). */
export const taxRates = pgTable(
  "tax_rates",
  {
    country: text("country").notNull(),
    kind: text("kind", { enum: TAX_KINDS }).notNull(),
    validFrom: date("valid_from").notNull(),
    /** hundredths of a percent */
    bps: integer("bps").notNull(),
    source: text("source").notNull(),
    /** when the source said so */
    sourceDay: date("source_day").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.country, t.kind, t.validFrom] }),
    check("tax_rates_kind", oneOf("kind", TAX_KINDS)),
    check("tax_rates_bps", sql`bps between 0 and 5000`),
  ],
);

/** How an order is taxed, and why. Written when its buyer names a business in the checkout, or at its payment. */
export const orderTaxes = pgTable(
  "order_taxes",
  {
    orderId: text("order_id")
      .primaryKey()
      .references(() => orders.id),
    /** The evidence, ISO 3166-1: what the buyer named, where the card was issued, where the connection came from. */
    billingCountry: text("billing_country"),
    cardCountry: text("card_country"),
    networkCountry: text("network_country"),
    /** what the buyer answered about a contradiction */
    answer: text("answer"),
    answeredAt: at("answered_at"),
    evidence: text("evidence", { enum: TAX_EVIDENCE_STATES }),
    country: text("country"),
    treatment: text("treatment", { enum: TAX_TREATMENTS }),
    bps: integer("bps"),
    /** the rate by which the total differs from the prices (orders.added_tax_cents); null: it is the prices */
    priceBps: integer("price_bps"),
    /** when it was decided for the first time; null: the order is not paid */
    decidedAt: at("decided_at"),
    /** of a business, which the invoice names */
    company: text("company"),
    companyAddress: text("company_address"),
    vatId: text("vat_id"),
    vatCheck: text("vat_check", { enum: VAT_CHECKS }),
    vatCheckedAt: at("vat_checked_at"),
    /** the number of the consultation, which proves it; null: the service gave none */
    vatReference: text("vat_reference"),
    createdAt: createdAt(),
  },
  (t) => [
    index("order_taxes_to_check")
      .on(t.vatCheckedAt)
      .where(sql`vat_check = 'unchecked' and decided_at is not null`),
    index("order_taxes_conflicts").on(t.decidedAt).where(sql`evidence = 'conflict'`),
    check("order_taxes_evidence", oneOf("evidence", TAX_EVIDENCE_STATES)),
    check("order_taxes_treatment", oneOf("treatment", TAX_TREATMENTS)),
    check("order_taxes_vat_check", oneOf("vat_check", VAT_CHECKS)),
    check(
      "order_taxes_vat",
      sql`(vat_id is null) = (vat_check is null) and (vat_id is null) = (company is null)`,
    ),
    check(
      "order_taxes_decided",
      sql`decided_at is null or (evidence is not null and country is not null and treatment is not null and bps is not null)`,
    ),
  ],
);

/** The last number of each series of invoices. Its row stays locked until the transaction that took a number ends, so that none is lost. */
export const taxSeries = pgTable("tax_series", {
  series: text("series").primaryKey(),
  last: integer("last").notNull(),
});

/** Invoices and credit notes as they were issued: append-only (a trigger refuses update and delete). */
export const taxDocuments = pgTable(
  "tax_documents",
  {
    id: id(),
    kind: text("kind", { enum: TAX_DOCUMENT_KINDS }).notNull(),
    series: text("series").notNull(),
    number: integer("number").notNull(),
    orderId: orderId(),
    /** The invoice that it corrects: of a credit note, and of an invoice for money that came back. null: an invoice of its own. */
    invoiceId: text("invoice_id"),
    country: text("country").notNull(),
    treatment: text("treatment", { enum: TAX_TREATMENTS }).notNull(),
    bps: integer("bps").notNull(),
    /** The sums, of credit notes above zero too. */
    grossCents: integer("gross_cents").notNull(),
    taxCents: integer("tax_cents").notNull(),
    content: jsonb("content").$type<TaxDocumentContent>().notNull(),
    /** SHA-256 of the content, which stands in the audit log too */
    hash: text("hash").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("tax_documents_number").on(t.series, t.number),
    index("tax_documents_of_order").on(t.orderId),
    index("tax_documents_by_time").on(t.createdAt, t.id),
    foreignKey({ columns: [t.invoiceId], foreignColumns: [t.id], name: "tax_documents_invoice" }),
    check("tax_documents_kind", oneOf("kind", TAX_DOCUMENT_KINDS)),
    check("tax_documents_treatment", oneOf("treatment", TAX_TREATMENTS)),
    check("tax_documents_sums", sql`gross_cents > 0 and tax_cents between 0 and gross_cents and number > 0`),
    check("tax_documents_credit", sql`kind <> 'credit_note' or invoice_id is not null`),
    check("tax_documents_untaxed", sql`treatment = 'taxed' or (bps = 0 and tax_cents = 0)`),
  ],
);
