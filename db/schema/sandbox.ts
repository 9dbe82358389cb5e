import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { at, createdAt, id, oneOf } from "./columns";

/**
 * What Stripe would remember, for the sandbox that stands in for it (lib/stripe-sandbox*.ts). Nothing else
 * reads these tables: the shop learns of them only through the provider's calls and webhooks.
 */
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
    metadata: jsonb("metadata").$type<Record<string, string>>().notNull(),
    paymentMethod: text("payment_method"),
    latestCharge: text("latest_charge"),
    lastError: jsonb("last_error").$type<{ code: string; declineCode?: string; message: string }>(),
    cancellationReason: text("cancellation_reason"),
    canceledAt: at("canceled_at"),
    /** When a slow payment will be decided, and how; null while nothing is under way (or never heard of again). */
    settlesAt: at("settles_at"),
    settlesAs: text("settles_as", { enum: SETTLEMENTS }),
    createdAt: createdAt(),
  },
  (t) => [
    index("sandbox_intents_settling").on(t.settlesAt).where(sql`settles_at is not null`),
    check("sandbox_intents_status", oneOf("status", INTENT_STATUSES)),
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
    intentId: text("intent_id")
      .notNull()
      .references(() => sandboxIntents.id),
    amountCents: integer("amount_cents").notNull(),
    metadata: jsonb("metadata").$type<Record<string, string>>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("sandbox_refunds_by_intent").on(t.intentId),
    check("sandbox_refunds_amount", sql`amount_cents > 0`),
  ],
);

/** Notices on their way to the shop's webhook. `dueAt` null: nothing more to send. */
export const sandboxEvents = pgTable(
  "sandbox_events",
  {
    id: id(),
    type: text("type").notNull(),
    payload: jsonb("payload").notNull(),
    dueAt: at("due_at"),
    attempts: integer("attempts").notNull().default(0),
    /** How often it has been answered with 2xx: more than once for the deliberate duplicates. */
    deliveries: integer("deliveries").notNull().default(0),
    lastAnswer: text("last_answer"),
    createdAt: createdAt(),
  },
  (t) => [index("sandbox_events_due").on(t.dueAt).where(sql`due_at is not null`)],
);

/** Answers kept for 24 h under the caller's Idempotency-Key, with the parameters they were given for. */
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

/** Whose cards are kept. A deleted customer is known as such, as at Stripe. */
export const sandboxCustomers = pgTable("sandbox_customers", {
  id: id(),
  metadata: jsonb("metadata").$type<Record<string, string>>().notNull(),
  createdAt: createdAt(),
  deletedAt: at("deleted_at"),
});

/** A pretended card: a brand and four digits, never a number. Without a customer it is not kept any more, or not yet. */
export const sandboxMethods = pgTable(
  "sandbox_methods",
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
    index("sandbox_methods_of_customer").on(t.customerId, t.createdAt),
    check("sandbox_methods_expiry", sql`exp_month between 1 and 12`),
  ],
);

/** One try to keep a card for later. */
export const sandboxSetups = pgTable(
  "sandbox_setups",
  {
    id: id(),
    clientSecret: text("client_secret").notNull().unique(),
    customerId: text("customer_id")
      .notNull()
      .references(() => sandboxCustomers.id),
    status: text("status", { enum: SETUP_STATUSES }).notNull().default("requires_payment_method"),
    metadata: jsonb("metadata").$type<Record<string, string>>().notNull(),
    methodId: text("method_id").references(() => sandboxMethods.id),
    lastError: jsonb("last_error").$type<{ code: string; declineCode?: string; message: string }>(),
    createdAt: createdAt(),
  },
  () => [
    check("sandbox_setups_status", oneOf("status", SETUP_STATUSES)),
    check(
      "sandbox_setups_method",
      sql`(status in ('requires_action', 'succeeded')) = (method_id is not null)`,
    ),
  ],
);
