import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { reviews } from "@/db/schema/reviews";
import { versionSql } from "@/lib/platform/console/query";
import type { ReviewState } from "@/lib/reviews/rules";

export type ModeratedReview = Pick<
  typeof reviews.$inferSelect,
  "id" | "state" | "rating" | "title" | "content" | "hiddenReason"
> & { product: string; email: string; createdAt: string; version: string };

/** SQL: the version of a review `r`. */
export const REVIEW_VERSION = versionSql(
  sql`r.id`,
  sql`r.state`,
  sql`r.rating`,
  sql`r.title`,
  sql`r.content`,
);

const LIMIT = 200;

/** The newest reviews in a state, with their authors; for staff. */
export async function listReviewsForStaff(state: ReviewState): Promise<ModeratedReview[]> {
  return db.execute<ModeratedReview>(sql`
    select r.id, r.state, p.slug as product, u.email, r.rating, r.title, r.content, r.created_at as "createdAt",
      r.hidden_reason as "hiddenReason", ${REVIEW_VERSION} as version
    from reviews r join products p on p.id = r.product_id join users u on u.id = r.user_id
    where r.state = ${state} order by r.created_at desc, r.id limit ${LIMIT}`);
}
