import { z } from "zod";
import { Instant, IntParam, KnownEmail } from "@/lib/platform/api/fields";
import { Cursor, Days, listOf } from "@/lib/platform/console/list";
import { SeenVersion, Version } from "@/lib/platform/console/version";
import { HIDE_REASON_MAX, RATING_MAX, RATING_MIN, REPLY_STATES, REVIEW_STATES } from "@/lib/reviews/rules";

/** GET /admin/reviews: newest first. */
export const ConsoleReviewsInput = z.object({
  cursor: Cursor,
  state: z.enum(REVIEW_STATES).optional(),
  rating: IntParam.min(RATING_MIN).max(RATING_MAX).optional(),
  product_id: IntParam.positive().max(2_147_483_647).optional(),
  /** the address of the author's account */
  email: KnownEmail.optional(),
  /** the state of the merchant's reply; alone, the oldest reply comes first */
  reply: z.enum(REPLY_STATES).optional(),
  ...Days,
});
export type ConsoleReviewsInput = z.output<typeof ConsoleReviewsInput>;

export const ConsoleReview = z.object({
  review_id: z.string(),
  state: z.enum(REVIEW_STATES),
  rating: z.int(),
  /** with codes masked */
  title: z.string(),
  content: z.string(),
  locale: z.string(),
  product_id: z.int(),
  slug: z.string(),
  product_name: z.string(),
  customer_id: z.string(),
  email: z.string(),
  order_id: z.string(),
  /** made up for the demo */
  demo: z.boolean(),
  created_at: Instant,
  hidden_at: Instant.nullable(),
  hidden_reason: z.string().nullable(),
  /** of the review; a decision about it names it */
  version: Version,
  /** the reply of the product's merchant; null: there is none */
  reply: z
    .object({
      text: z.string(),
      locale: z.string(),
      state: z.enum(REPLY_STATES),
      merchant: z.string(),
      written_at: Instant,
      note: z.string().nullable(),
      /** of the reply */
      version: Version,
    })
    .nullable(),
});
export type ConsoleReview = z.output<typeof ConsoleReview>;
export const ConsoleReviewList = listOf(ConsoleReview);
export type ConsoleReviewList = z.output<typeof ConsoleReviewList>;

export const ReviewParams = z.object({ id: z.string().trim().min(1).max(64) });
/** POST /admin/reviews/{id}/hide: the reason is for staff. */
export const HideReviewInput = SeenVersion.extend({
  reason: z.string().trim().min(1).max(HIDE_REASON_MAX).meta({ example: "Insults the vendor." }),
});
export type HideReviewInput = z.output<typeof HideReviewInput>;
export const ReviewModerated = z.object({ review_id: z.string(), state: z.enum(REVIEW_STATES) });
export type ReviewModerated = z.output<typeof ReviewModerated>;
