import { sql } from "drizzle-orm";
import { check, index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import type { Locale } from "@/lib/platform/i18n/locales";
import { CONVERSATION_STATES, MESSAGE_AUTHORS } from "@/lib/support/rules";
import { users } from "./accounts";
import { at, createdAt, id, oneOf, reference } from "./columns";
import { orders } from "./orders";

/** What a customer and the shop's support write to each other. Deleted CONVERSATION_DAYS after it was closed. */
export const conversations = pgTable(
  "conversations",
  {
    id: id(),
    /** null: a guest */
    userId: text("user_id").references(() => users.id),
    /** where answers go, in lower case, not verified; null: to the account's address of then */
    email: text("email"),
    /** an order of the account */
    orderId: text("order_id").references(() => orders.id),
    /** as typed; of a guest it may be anyone's */
    orderNumber: text("order_number"),
    locale: text("locale").notNull(),
    state: text("state", { enum: CONVERSATION_STATES }).notNull().default("waiting"),
    /** when the oldest message without an answer came; null: nothing waits */
    waitingSince: at("waiting_since").default(sql`shop_now()`),
    lastAt: at("last_at").notNull().default(sql`shop_now()`),
    createdAt: createdAt(),
    closedAt: at("closed_at"),
  },
  (t) => [
    index("conversations_waiting").on(t.waitingSince, t.id).where(sql`state = 'waiting'`),
    index("conversations_by_state").on(t.state, t.lastAt, t.id),
    index("conversations_of_user").on(t.userId, t.lastAt, t.id).where(sql`user_id is not null`),
    index("conversations_by_email").on(t.email, t.lastAt, t.id).where(sql`email is not null`),
    index("conversations_of_order").on(t.orderId).where(sql`order_id is not null`),
    index("conversations_closed").on(t.closedAt).where(sql`state = 'closed'`),
    check("conversations_state", oneOf("state", CONVERSATION_STATES)),
    check("conversations_address", sql`user_id is not null or email is not null`),
    check("conversations_waits", sql`(state = 'waiting') = (waiting_since is not null)`),
    check("conversations_closing", sql`(state = 'closed') = (closed_at is not null)`),
  ],
);

/** One message of a conversation, without activation codes. */
export const conversationMessages = pgTable(
  "conversation_messages",
  {
    id: id(),
    conversationId: reference("conversation_id", () => conversations.id),
    author: text("author", { enum: MESSAGE_AUTHORS }).notNull(),
    /** who answered, for staff */
    staffId: text("staff_id"),
    text: text("text").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("conversation_messages_of").on(t.conversationId, t.createdAt, t.id),
    check("conversation_messages_author", oneOf("author", MESSAGE_AUTHORS)),
    check("conversation_messages_staff", sql`(author = 'staff') = (staff_id is not null)`),
  ],
);

/** Answers that support uses again, with variables (ANSWER_VARIABLES). */
export const storedAnswers = pgTable("stored_answers", {
  id: id(),
  title: text("title").notNull(),
  texts: jsonb("texts").$type<Record<Locale, string>>().notNull(),
  createdAt: createdAt(),
});
