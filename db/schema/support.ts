import { sql } from "drizzle-orm";
import { check, index, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Locale } from "@/lib/platform/i18n/locales";
import {
  APPEAL_OUTCOMES,
  REPORT_KINDS,
  REPORT_OUTCOMES,
  REPORT_PARTIES,
  REPORT_REASONS,
  type Restriction,
} from "@/lib/support/reports/rules";
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

/**
 * Reports of what may be unlawful or misleading (docs/product.md#817-messages-to-support): what is reported as it was named then, and
 * the decision with its reasons. Codes are masked.
 */
export const contentReports = pgTable(
  "content_reports",
  {
    id: id(),
    kind: text("kind", { enum: REPORT_KINDS }).notNull(),
    /** of the product, review or merchant */
    targetId: text("target_id").notNull(),
    /** its name in English, at the time of the report */
    targetName: text("target_name").notNull(),
    reason: text("reason", { enum: REPORT_REASONS }).notNull(),
    text: text("text").notNull(),
    /** for receipt and decision, not verified; null: none was given */
    email: text("email"),
    locale: text("locale").notNull(),
    createdAt: createdAt(),
    outcome: text("outcome", { enum: REPORT_OUTCOMES }),
    /** the reasons, as both sides get them */
    statement: text("statement"),
    decidedAt: at("decided_at"),
    decidedBy: text("decided_by"),
    /** what the decision took off the shop, so that an objection puts just that back; null: nothing, or it is back */
    restriction: jsonb("restriction").$type<Restriction>(),
  },
  (t) => [
    index("content_reports_open").on(t.createdAt, t.id).where(sql`decided_at is null`),
    index("content_reports_decided").on(t.createdAt, t.id).where(sql`decided_at is not null`),
    index("content_reports_of").on(t.kind, t.targetId),
    index("content_reports_by_email").on(t.email).where(sql`email is not null`),
    check("content_reports_kind", oneOf("kind", REPORT_KINDS)),
    check("content_reports_reason", oneOf("reason", REPORT_REASONS)),
    check("content_reports_outcome", oneOf("outcome", REPORT_OUTCOMES)),
    check(
      "content_reports_decision",
      sql`(decided_at is null) = (outcome is null) and (decided_at is null) = (decided_by is null) and (decided_at is null) = (statement is null)`,
    ),
  ],
);

/** What a side of a report says against its decision; another member of staff decides about it. */
export const reportAppeals = pgTable(
  "report_appeals",
  {
    id: id(),
    reportId: reference("report_id", () => contentReports.id),
    party: text("party", { enum: REPORT_PARTIES }).notNull(),
    text: text("text").notNull(),
    createdAt: createdAt(),
    outcome: text("outcome", { enum: APPEAL_OUTCOMES }),
    statement: text("statement"),
    decidedAt: at("decided_at"),
    decidedBy: text("decided_by"),
  },
  (t) => [
    uniqueIndex("report_appeals_one").on(t.reportId, t.party),
    index("report_appeals_open").on(t.createdAt, t.id).where(sql`decided_at is null`),
    check("report_appeals_party", oneOf("party", REPORT_PARTIES)),
    check("report_appeals_outcome", oneOf("outcome", APPEAL_OUTCOMES)),
    check(
      "report_appeals_decision",
      sql`(decided_at is null) = (outcome is null) and (decided_at is null) = (decided_by is null) and (decided_at is null) = (statement is null)`,
    ),
  ],
);

/** Answers that support uses again, with variables (ANSWER_VARIABLES). */
export const storedAnswers = pgTable("stored_answers", {
  id: id(),
  title: text("title").notNull(),
  texts: jsonb("texts").$type<Record<Locale, string>>().notNull(),
  createdAt: createdAt(),
});
