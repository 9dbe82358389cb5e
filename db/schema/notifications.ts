import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { MAIL_STATES } from "@/lib/notifications/rules";
import { at, createdAt, id, oneOf } from "./columns";

/** The outbox: written in the transaction that causes the mail; the body is rendered from `refs` when it is sent. */
export const mails = pgTable(
  "mails",
  {
    id: id(),
    event: text("event").notNull(),
    toAddress: text("to_address").notNull(),
    locale: text("locale").notNull(),
    refs: jsonb("refs").$type<Record<string, string | number>>().notNull(),
    dedupeKey: text("dedupe_key").notNull().unique(),
    state: text("state", { enum: MAIL_STATES }).notNull().default("queued"),
    attempts: integer("attempts").notNull().default(0),
    lastError: text("last_error"),
    createdAt: createdAt(),
    sentAt: at("sent_at"),
  },
  (t) => [
    index("mails_queued").on(t.createdAt).where(sql`state = 'queued'`),
    check("mails_state", oneOf("state", MAIL_STATES)),
  ],
);
