import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { RATING_MAX, RATING_MIN, REVIEW_STATES } from "@/lib/reviews/rules";
import { userId } from "./accounts";
import { merchants, productId } from "./catalog";
import { at, createdAt, id, oneOf } from "./columns";
import { orderId } from "./orders";

/** Reviews by verified buyers: one per product and order, plain text. */
export const reviews = pgTable(
  "reviews",
  {
    id: id(),
    productId: productId(),
    orderId: orderId(),
    userId: userId(),
    /** Whose product it is (db/functions/set_record_merchant.sql). */
    merchantId: text("merchant_id").references(() => merchants.id),
    /** The HMAC of the author's verified email identity, equal across accounts; null: not verified, or from before it was kept. */
    authorIdentity: text("author_identity"),
    rating: integer("rating").notNull(),
    title: text("title").notNull(),
    content: text("content").notNull(),
    /** The language of the text, for markup and screen readers. */
    locale: text("locale").notNull(),
    /** Made up for the demo (scripts/start/demo-data.ts): marked on screen, and left out of structured data. */
    demo: boolean("demo").notNull().default(false),
    state: text("state", { enum: REVIEW_STATES }).notNull().default("published"),
    createdAt: createdAt(),
    hiddenAt: at("hidden_at"),
    hiddenReason: text("hidden_reason"),
  },
  (t) => [
    uniqueIndex("reviews_one").on(t.orderId, t.productId),
    index("reviews_shown").on(t.productId, t.createdAt).where(sql`state = 'published'`),
    // Ratings of tickets are counted in this index alone.
    index("reviews_rated").on(t.productId, t.rating).where(sql`state = 'published'`),
    index("reviews_of_user").on(t.userId),
    index("reviews_of_identity")
      .on(t.productId, t.authorIdentity)
      .concurrently()
      .where(sql`state = 'published'`),
    index("reviews_without_merchant").on(t.id).concurrently().where(sql`merchant_id is null`),
    // The lists of the staff console (docs/performance.md#staff-console).
    index("reviews_by_time").on(t.createdAt, t.id),
    index("reviews_by_state").on(t.state, t.createdAt, t.id),
    index("reviews_by_product").on(t.productId, t.createdAt, t.id),
    index("reviews_by_rating").on(t.rating, t.createdAt, t.id),
    index("reviews_of_merchant").on(t.merchantId, t.createdAt, t.id).where(sql`state = 'published'`),
    check("reviews_rating", sql.raw(`rating between ${RATING_MIN} and ${RATING_MAX}`)),
    check("reviews_state", oneOf("state", REVIEW_STATES)),
  ],
);
