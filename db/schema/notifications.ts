import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import {
  MAIL_STATES,
  MAIL_TOPICS,
  SUBSCRIPTION_STATES,
  SUBSCRIPTION_TOPICS,
  WAIT_OUTCOMES,
} from "@/lib/notifications/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { userId } from "./accounts";
import { deals, planId, productId } from "./catalog";
import { at, createdAt, id, oneOf } from "./columns";

/** Messages to support of the release before, whose rows a trigger copies into `conversations`; nothing reads them here. */
export const contactMessages = pgTable(
  "contact_messages",
  {
    id: id(),
    /** where the reply goes, in lower case; no one has verified it */
    email: text("email").notNull(),
    message: text("message").notNull(),
    /** as typed */
    orderNumber: text("order_number"),
    /** null: a guest */
    userId: text("user_id"),
    locale: text("locale").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("contact_messages_by_time").on(t.createdAt),
    index("contact_messages_of_user").on(t.userId),
    index("contact_messages_by_email").on(t.email),
  ],
);

/** The outbox: written in the transaction that causes the email; the body is rendered from `refs` at send time. */
export const mails = pgTable(
  "mails",
  {
    id: id(),
    event: text("event").notNull(),
    toAddress: text("to_address").notNull(),
    locale: text("locale").notNull(),
    /** IANA name of the recipient's time zone; null: the email's times are in UTC. */
    timeZone: text("time_zone"),
    /** The number of the order that the email is about. */
    orderNumber: text("order_number"),
    refs: jsonb("refs").$type<Record<string, string | number>>().notNull(),
    dedupeKey: text("dedupe_key").notNull().unique(),
    state: text("state", { enum: MAIL_STATES }).notNull().default("queued"),
    attempts: integer("attempts").notNull().default(0),
    lastError: text("last_error"),
    failedAt: at("failed_at"),
    createdAt: createdAt(),
    sentAt: at("sent_at"),
  },
  (t) => [
    index("mails_queued").on(t.createdAt).where(sql`state = 'queued'`),
    index("mails_sent").on(t.sentAt).where(sql`sent_at is not null`),
    // The lists of the staff console (docs/performance.md#staff-console).
    index("mails_by_time").on(t.createdAt, t.id),
    index("mails_by_address").on(sql`lower(${t.toAddress}) collate "C"`, t.createdAt, t.id),
    index("mails_by_order").on(t.orderNumber, t.createdAt, t.id).where(sql`order_number is not null`),
    index("mails_unsent").on(t.state, t.createdAt, t.id).where(sql`state <> 'sent'`),
    // What the deletion of an account finds, besides its address.
    index("mails_of_user").on(sql`(refs->>'userId')`).concurrently().where(sql`refs->>'userId' is not null`),
    index("mails_of_order")
      .on(sql`(refs->>'orderId')`)
      .concurrently()
      .where(sql`refs->>'orderId' is not null`),
    check("mails_state", oneOf("state", MAIL_STATES)),
  ],
);

/** Subscribers of discount alerts; double opt-in. Addresses in lower case. */
export const subscriptions = pgTable(
  "subscriptions",
  {
    id: id(),
    email: text("email").notNull(),
    topic: text("topic", { enum: SUBSCRIPTION_TOPICS }).notNull(),
    locale: text("locale").notNull(),
    state: text("state", { enum: SUBSCRIPTION_STATES }).notNull().default("pending"),
    createdAt: createdAt(),
    /** The last request of a confirmation. */
    requestedAt: at("requested_at").notNull().default(sql`shop_now()`),
    confirmedAt: at("confirmed_at"),
    endedAt: at("ended_at"),
  },
  (t) => [
    uniqueIndex("subscriptions_one").on(t.email, t.topic),
    index("subscriptions_confirmed").on(t.topic, t.id).where(sql`state = 'confirmed'`),
    check("subscriptions_topic", oneOf("topic", SUBSCRIPTION_TOPICS)),
    check("subscriptions_state", oneOf("state", SUBSCRIPTION_STATES)),
    check("subscriptions_lower", sql`email = lower(email)`),
  ],
);

/** Addresses that unsubscribed from a kind of bulk email; checked before each is sent. */
export const mailOptouts = pgTable(
  "mail_optouts",
  {
    email: text("email").notNull(),
    topic: text("topic", { enum: MAIL_TOPICS }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.email, t.topic] }),
    check("mail_optouts_topic", oneOf("topic", MAIL_TOPICS)),
    check("mail_optouts_lower", sql`email = lower(email)`),
  ],
);

/** Wait-list of a sold-out plan: notified once, oldest first, when keys arrive. */
export const waitList = pgTable(
  "wait_list",
  {
    id: id(),
    userId: userId(),
    planId: planId(),
    email: text("email").notNull(),
    locale: text("locale").notNull(),
    /** Null: waiting. */
    outcome: text("outcome", { enum: WAIT_OUTCOMES }),
    createdAt: createdAt(),
    endedAt: at("ended_at"),
    /** The previous release's `outcome` (db/functions/keep_wait_list_state.sql). */
    state: text("state").notNull().default("waiting"),
  },
  (t) => [
    uniqueIndex("wait_list_one").on(t.userId, t.planId).where(sql`state = 'waiting'`),
    index("wait_list_queue").on(t.planId, t.createdAt).where(sql`state = 'waiting'`),
    index("wait_list_told").on(t.planId, t.endedAt).concurrently().where(sql`state = 'told'`),
    uniqueIndex("wait_list_waiting").on(t.userId, t.planId).concurrently().where(sql`outcome is null`),
    index("wait_list_next").on(t.planId, t.createdAt).concurrently().where(sql`outcome is null`),
    index("wait_list_notified").on(t.planId, t.endedAt).concurrently().where(sql`outcome = 'notified'`),
    index("wait_list_of_user").on(t.userId).concurrently(),
    check("wait_list_outcome", oneOf("outcome", WAIT_OUTCOMES)),
  ],
);

/** Deals announced to subscribers, once each. */
export const dealAnnouncements = pgTable("deal_announcements", {
  dealId: text("deal_id")
    .primaryKey()
    .references(() => deals.id),
  createdAt: createdAt(),
});

/** Products on an account's wishlist, with what its owner last saw or was told. */
export const wishes = pgTable(
  "wishes",
  {
    userId: userId(),
    productId: productId(),
    createdAt: createdAt(),
    /** The price in cents of each plan by its number, as last seen. A later lower one is a price drop. */
    seenPrices: jsonb("seen_prices").$type<Record<string, number>>().notNull().default({}),
    /** Whether any plan could be bought, as last seen. */
    seenInStock: boolean("seen_in_stock").notNull().default(true),
    /** When an email last named this product. */
    mailedAt: at("mailed_at"),
  },
  (t) => [primaryKey({ columns: [t.userId, t.productId] }), index("wishes_of_product").on(t.productId)],
);

/** Messages of staff at the top of every public page. Of several at the same time the one that began last is shown. */
export const announcements = pgTable(
  "announcements",
  {
    id: id(),
    texts: jsonb("texts").$type<Record<Locale, string>>().notNull(),
    /** a path of the shop, or an address with https */
    link: text("link"),
    startsAt: at("starts_at").notNull(),
    endsAt: at("ends_at").notNull(),
    createdAt: createdAt(),
    updatedAt: at("updated_at").notNull().default(sql`shop_now()`),
  },
  (t) => [
    index("announcements_by_start").on(t.startsAt),
    index("announcements_by_end").on(t.endsAt),
    check("announcements_period", sql`starts_at <= ends_at`),
  ],
);
