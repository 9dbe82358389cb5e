import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { PASS_TYPES } from "@/lib/catalog/rules";
import type { Consent } from "@/lib/delivery/rules";
import { GIFT_STATES } from "@/lib/orders/gifts/rules";
import { LINE_STATES, ORDER_EVENTS, ORDER_STATUSES } from "@/lib/orders/rules";
import type { RefundRule } from "@/lib/payments/refunds/rules";
import type { CapturedAttribution } from "@/lib/platform/routing/attribution-cookie";
import { userId, users } from "./accounts";
import { deals, planId, productId } from "./catalog";
import { at, createdAt, id, oneOf, reference, rowId } from "./columns";

export const orders = pgTable(
  "orders",
  {
    id: id(),
    /**
     * The number that people read, write and say: `PL-2611-0042`, with the year, the month and the running number of the
     * month. Filled by a trigger (db/functions/set_order_number.sql); null only between migration and functions.
     */
    orderNumber: text("order_number"),
    userId: userId(),
    /** Written only by `transition()`; a trigger refuses transitions that are not in order_transitions. */
    status: text("status", { enum: ORDER_STATUSES }).notNull().default("pending"),
    sendEmail: text("send_email").notNull(),
    locale: text("locale").notNull(),
    /** IANA name of the buyer's time zone, which the emails of the order use; null: unknown. */
    timeZone: text("time_zone"),
    /** ISO 3166-1, two letters: where the buyer lives, for the right of withdrawal; null: unknown. */
    country: text("country"),
    subtotalCents: integer("subtotal_cents").notNull(),
    discountCents: integer("discount_cents").notNull().default(0),
    totalCents: integer("total_cents").notNull(),
    /** The tax that the total has beside the prices; below zero: taken off them, for a business that owes it itself. */
    addedTaxCents: integer("added_tax_cents").notNull().default(0),
    /** The coupon behind the discount, also after it was released (coupons.order_id is its current order). */
    couponId: text("coupon_id"),
    transactionId: text("transaction_id"),
    /** The attribution by which the order came (docs/product.md#46-source-tracking). */
    attribution: jsonb("attribution").$type<CapturedAttribution>(),
    createdAt: createdAt(),
    holdEndsAt: at("hold_ends_at").notNull(),
    /** Set once, when reserved keys, deals and claims were released. */
    releasedAt: at("released_at"),
    paidAt: at("paid_at"),
    shippedAt: at("shipped_at"),
    cancelledAt: at("cancelled_at"),
    /** The buyer cancelled while a payment was running: it is refunded if it still succeeds. */
    cancelRequestedAt: at("cancel_requested_at"),
    /** Hidden by the buyer; the record stays. */
    hiddenAt: at("hidden_at"),
  },
  (t) => [
    uniqueIndex("orders_number").on(t.orderNumber),
    index("orders_by_user").on(t.userId, t.createdAt),
    index("orders_to_expire").on(t.holdEndsAt).where(sql`status in ('pending', 'processingPayment')`),
    // The lists of the staff console (docs/performance.md#staff-console). They are read backwards.
    index("orders_by_time").on(t.createdAt, t.id),
    index("orders_unfinished")
      .on(t.status, t.createdAt, t.id)
      .where(sql`status not in ('completed', 'shipped')`),
    index("orders_by_send_email").on(sql`lower(${t.sendEmail}) collate "C"`, t.createdAt, t.id),
    // Most statuses of an order pass before it has a transaction, and each change of a row writes its index entries again.
    index("orders_by_transaction").on(t.transactionId).where(sql`transaction_id is not null`),
    index("orders_by_coupon").on(t.couponId, t.createdAt, t.id).where(sql`coupon_id is not null`),
    index("orders_to_ship").on(t.paidAt).where(sql`status in ('paid', 'processing')`),
    index("orders_to_complete").on(t.id).concurrently().where(sql`status = 'shipped'`),
    index("orders_by_payment").on(t.paidAt).where(sql`paid_at is not null`),
    check("orders_status", oneOf("status", ORDER_STATUSES)),
    check(
      "orders_money",
      sql`subtotal_cents >= 0 and discount_cents between 0 and subtotal_cents and total_cents = subtotal_cents - discount_cents + added_tax_cents and total_cents >= 0`,
    ),
  ],
);

/** Counts all orders; an order's number is its distance from the month's start (set_order_number.sql). */
export const orderNumbers = pgSequence("order_numbers");

/** Where the numbers of a month start. */
export const orderNumberMonths = pgTable("order_number_months", {
  /** year and month: `2611` */
  month: text("month").primaryKey(),
  /** the value of `order_numbers` before the month's first order */
  start: bigint("start", { mode: "number" }).notNull(),
});

export const orderId = () => reference("order_id", () => orders.id);

export const orderLines = pgTable(
  "order_lines",
  {
    id: id(),
    orderId: orderId(),
    productId: productId(),
    planId: planId(),
    position: integer("position").notNull(),
    quantity: integer("quantity").notNull(),
    unitPriceCents: integer("unit_price_cents").notNull(),
    discountCents: integer("discount_cents").notNull().default(0),
    totalCents: integer("total_cents").notNull(),
    /** The line's part of the order's. */
    addedTaxCents: integer("added_tax_cents").notNull().default(0),
    /** Refunded units and money of the line, including pending refunds. */
    refundedQuantity: integer("refunded_quantity").notNull().default(0),
    refundedCents: integer("refunded_cents").notNull().default(0),
    /** What of `refundedCents` the shop gave as a gesture: its own loss, which changes no sale of a merchant. */
    goodwillCents: integer("goodwill_cents").notNull().default(0),
    passType: text("pass_type", { enum: PASS_TYPES }).notNull(),
    durationDays: integer("duration_days"),
    dealId: text("deal_id").references(() => deals.id),
    preOrder: boolean("pre_order").notNull().default(false),
    refundRule: jsonb("refund_rule").$type<RefundRule>().notNull(),
    state: text("state", { enum: LINE_STATES }).notNull().default("reserved"),
    /** The code stays in the library and is not mailed: while unrevealed it counts as unused. */
    keepInLibrary: boolean("keep_in_library").notNull().default(false),
    /**
     * The buyer's choice of immediate delivery, fixed with the payment. false: the codes stay unrevealed in the
     * library. null: not chosen; an order that was paid without a choice keeps the rule from before the choice existed.
     */
    immediateDelivery: boolean("immediate_delivery"),
    /** When the buyer agreed to immediate delivery, which ends the right of withdrawal for codes that were seen. */
    immediateConsentAt: at("immediate_consent_at"),
    /** What the buyer agreed to at `immediate_consent_at`. */
    consent: jsonb("consent").$type<Consent>(),
    /** A waiting line is refunded after this. */
    deliverBy: at("deliver_by"),
    /** When the line was put into the cart, and the source of that; null: bought without the cart, or before this was kept. */
    cartAt: at("cart_at"),
    cartSource: text("cart_source"),
  },
  (t) => [
    index("order_lines_by_order").on(t.orderId),
    index("order_lines_waiting").on(t.planId).where(sql`state = 'waiting'`),
    check(
      "order_lines_refunded",
      sql`refunded_quantity between 0 and quantity and refunded_cents between 0 and total_cents`,
    ),
    check("order_lines_state", oneOf("state", LINE_STATES)),
    check(
      "order_lines_money",
      sql`quantity > 0 and unit_price_cents >= 0 and discount_cents >= 0 and total_cents = unit_price_cents * quantity - discount_cents + added_tax_cents and total_cents >= 0`,
    ),
  ],
);

/**
 * The sales of a day (UTC), for charts: rewritten by a job from orders and ledger (lib/orders/insight). Money is what the
 * ledger booked on the day; `delivery_seconds` is the median from payment to the sending of the codes, without pre-orders.
 */
export const salesDaily = pgTable("sales_daily", {
  day: date("day").primaryKey(),
  orders: integer("orders").notNull(),
  revenueCents: bigint("revenue_cents", { mode: "number" }).notNull(),
  refundedCents: bigint("refunded_cents", { mode: "number" }).notNull(),
  delivered: integer("delivered").notNull(),
  deliverySeconds: integer("delivery_seconds"),
  updatedAt: at("updated_at").notNull().default(sql`shop_now()`),
});

/** Paid units of a plan on a day (UTC), refunded ones included. Days without a sale have no row. */
export const planSalesDaily = pgTable(
  "plan_sales_daily",
  { planId: planId(), day: date("day").notNull(), units: integer("units").notNull() },
  (t) => [primaryKey({ columns: [t.planId, t.day] }), index("plan_sales_daily_by_day").on(t.day)],
);

/** The order's recipient, date and message when it is a gift: all of its codes, in one claim. */
export const gifts = pgTable(
  "gifts",
  {
    id: id(),
    orderId: orderId(),
    state: text("state", { enum: GIFT_STATES }).notNull().default("scheduled"),
    /** null: erased with an account */
    recipientEmail: text("recipient_email"),
    /** The giver's words, shown on the claim page only. */
    message: text("message").notNull().default(""),
    /** Who gives it, as the giver wrote it; null: not said. */
    fromName: text("from_name"),
    /** The day that the giver chose, in `time_zone`; the email is not sent before `send_at`. */
    deliverOn: date("deliver_on", { mode: "string" }).notNull(),
    timeZone: text("time_zone").notNull(),
    sendAt: at("send_at").notNull(),
    /** The language of the email: the giver's. */
    locale: text("locale").notNull(),
    /** The number of the newest link; a new link makes the earlier ones invalid. */
    serial: integer("serial").notNull().default(0),
    /** A hash of the newest link's token; the token itself is not stored. */
    tokenHash: text("token_hash"),
    /** A hash of the secret of the first email, which verifies its address once; null: used, or another link was sent. */
    proofHash: text("proof_hash"),
    proofUntil: at("proof_until"),
    sentAt: at("sent_at"),
    claimUntil: at("claim_until"),
    claimedBy: text("claimed_by").references(() => users.id),
    claimedAt: at("claimed_at"),
    returnedAt: at("returned_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("gifts_one_per_order").on(t.orderId),
    uniqueIndex("gifts_token").on(t.tokenHash),
    index("gifts_to_send").on(t.sendAt).where(sql`state = 'scheduled'`),
    index("gifts_to_return").on(t.claimUntil).where(sql`state = 'sent'`),
    index("gifts_by_claimer").on(t.claimedBy).where(sql`claimed_by is not null`),
    index("gifts_by_recipient")
      .on(sql`lower(${t.recipientEmail})`)
      .concurrently()
      .where(sql`recipient_email is not null`),
    check("gifts_state", oneOf("state", GIFT_STATES)),
    check(
      "gifts_claimed",
      sql`(state = 'claimed') = (claimed_by is not null) and (state = 'claimed') = (claimed_at is not null)`,
    ),
    check(
      "gifts_sent",
      sql`state <> 'sent' or (token_hash is not null and sent_at is not null and claim_until is not null)`,
    ),
  ],
);

/** The transition table; equal to `TRANSITIONS` in lib/orders/rules.ts. */
export const orderTransitions = pgTable(
  "order_transitions",
  {
    fromStatus: text("from_status", { enum: ORDER_STATUSES }).notNull(),
    event: text("event", { enum: ORDER_EVENTS }).notNull(),
    toStatus: text("to_status", { enum: ORDER_STATUSES }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.fromStatus, t.event, t.toStatus] })],
);

/** Append-only history of an order's status (a trigger refuses update and delete). */
export const orderEvents = pgTable(
  "order_events",
  {
    id: rowId(),
    orderId: orderId(),
    fromStatus: text("from_status", { enum: ORDER_STATUSES }),
    event: text("event", { enum: ORDER_EVENTS }).notNull(),
    toStatus: text("to_status", { enum: ORDER_STATUSES }).notNull(),
    reason: text("reason"),
    createdAt: createdAt(),
  },
  (t) => [
    index("order_events_by_order").on(t.orderId),
    foreignKey({
      columns: [t.fromStatus, t.event, t.toStatus],
      foreignColumns: [orderTransitions.fromStatus, orderTransitions.event, orderTransitions.toStatus],
      name: "order_events_legal",
    }),
  ],
);

/**
 * Who placed an order, as keyed hashes: the limits on unpaid orders count them (docs/product.md#89-unpaid-orders).
 * Deleted a day after the order, unless it can still be paid.
 */
export const orderHolds = pgTable(
  "order_holds",
  {
    orderId: text("order_id")
      .primaryKey()
      .references(() => orders.id),
    /** The buyer's email identity, and whether the address was verified. */
    emailIdentity: text("email_identity").notNull(),
    emailVerified: boolean("email_verified").notNull(),
    /** The device cookie; null: the client sent none. */
    device: text("device"),
    /** The client's address group; null: unknown. */
    addressGroup: text("address_group"),
    /** false: an exempt first unpaid order of a verified identity, which no limit per device or address counts. */
    further: boolean("further").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("order_holds_by_identity").on(t.emailIdentity),
    index("order_holds_by_device").on(t.device).where(sql`further`),
    index("order_holds_by_address").on(t.addressGroup).where(sql`further`),
    index("order_holds_of_address").on(t.addressGroup).concurrently().where(sql`address_group is not null`),
  ],
);

/** One row per unit of a plan with a purchase limit; unique indexes enforce the limit. */
export const purchaseClaims = pgTable(
  "purchase_claims",
  {
    userId: userId(),
    planId: planId(),
    slot: integer("slot").notNull(),
    orderId: orderId(),
    /** The HMAC of the buyer's email identity, equal across accounts; null if the address was unverified. */
    emailIdentity: text("email_identity"),
    /** The same of an unverified address; null if it was verified. Verified accounts have a limit of their own. */
    unverifiedIdentity: text("unverified_identity"),
  },
  (t) => [
    uniqueIndex("purchase_claims_slot").on(t.userId, t.planId, t.slot).where(sql`email_identity is not null`),
    uniqueIndex("purchase_claims_email_identity").on(t.emailIdentity, t.planId, t.slot),
    uniqueIndex("purchase_claims_unverified_identity").on(t.unverifiedIdentity, t.planId, t.slot),
    index("purchase_claims_by_user").on(t.userId, t.planId),
    index("purchase_claims_by_order").on(t.orderId),
  ],
);
