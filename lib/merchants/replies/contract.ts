import { z } from "zod";
import { REPLY_MAX, REPLY_NOTE_MAX } from "@/lib/merchants/replies/rules";
import { Instant, IntParam } from "@/lib/platform/api/fields";
import { Cursor, Flag, listOf, NewestFirst } from "@/lib/platform/console/list";
import { SeenVersion } from "@/lib/platform/console/version";
import { plainText, RATING_MAX, RATING_MIN, REPLY_STATES } from "@/lib/reviews/rules";

/** GET /merchant/reviews: newest first. */
export const MerchantReviewsInput = z.object({
  cursor: Cursor,
  sort: NewestFirst,
  product_id: IntParam.positive().max(2_147_483_647).optional(),
  rating: IntParam.min(RATING_MIN).max(RATING_MAX).optional(),
  /** it has a reply in any state */
  replied: Flag.optional(),
});
export type MerchantReviewsInput = z.output<typeof MerchantReviewsInput>;

export const MerchantReply = z.object({
  text: z.string(),
  language: z.string(),
  /** `waiting`: staff have not looked yet */
  state: z.enum(REPLY_STATES),
  written_at: Instant,
  decided_at: Instant.nullable(),
  /** why staff refused it */
  note: z.string().nullable(),
});
/** A review as everyone reads it, without its author. */
export const MerchantReview = z.object({
  review_id: z.string(),
  product_id: z.int(),
  product_name: z.string(),
  rating: z.int(),
  title: z.string(),
  content: z.string(),
  language: z.string(),
  demo: z.boolean(),
  created_at: Instant,
  reply: MerchantReply.nullable(),
});
export type MerchantReview = z.output<typeof MerchantReview>;
export const MerchantReviewList = listOf(MerchantReview);
export type MerchantReviewList = z.output<typeof MerchantReviewList>;

export const ReviewParams = z.object({ id: z.string().trim().min(1).max(64) });
/** POST /merchant/reviews/{id}/reply */
export const ReplyInput = z.object({
  text: z
    .string()
    .max(20_000)
    .transform((text) => plainText(text, { keepLines: true }))
    .pipe(z.string().min(1).max(REPLY_MAX))
    .meta({ example: "Thank you. The next version mends this." }),
});
export type ReplyInput = z.output<typeof ReplyInput>;
export const ReplyView = z.object({ review_id: z.string(), state: z.enum(REPLY_STATES) });
export type ReplyView = z.output<typeof ReplyView>;

/** POST /admin/reviews/{id}/reply/refuse: the merchant reads why. */
export const RefuseReplyInput = SeenVersion.extend({
  note: z.string().trim().min(1).max(REPLY_NOTE_MAX).meta({ example: "It names the buyer." }),
});
