import { sql } from "drizzle-orm";
import { check, index, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { APPLICATION_STATES } from "@/lib/merchants/rules";
import { at, createdAt, id, oneOf } from "./columns";

/** Merchant applications (docs/product.md#31-fields-in-calls). A refused address may apply again. */
export const merchantApplications = pgTable(
  "merchant_applications",
  {
    id: id(),
    email: text("email").notNull(),
    productUrl: text("product_url").notNull(),
    phoneNum: text("phone_num").notNull(),
    locale: text("locale").notNull(),
    source: jsonb("source").$type<Record<string, string>>(),
    state: text("state", { enum: APPLICATION_STATES }).notNull().default("received"),
    createdAt: createdAt(),
    decidedAt: at("decided_at"),
    /** The deciding staff member, and the note for the applicant. */
    decidedBy: text("decided_by"),
    note: text("note"),
  },
  (t) => [
    uniqueIndex("merchant_applications_one").on(t.email).where(sql`state <> 'refused'`),
    // The lists of the staff console (docs/performance.md#staff-console).
    index("merchant_applications_by_time").on(t.createdAt, t.id),
    index("merchant_applications_by_state").on(t.state, t.createdAt, t.id),
    index("merchant_applications_by_email").on(sql`${t.email} collate "C"`, t.createdAt, t.id),
    check("merchant_applications_state", oneOf("state", APPLICATION_STATES)),
    check("merchant_applications_lower", sql`email = lower(email)`),
  ],
);
