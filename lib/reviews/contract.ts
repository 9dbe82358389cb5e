import { z } from "zod";
import { ContentLanguage, Instant, IntParam, Page, PageSize } from "@/lib/platform/api/fields";
import type { ErrorName } from "@/lib/platform/errors";
import { CONTENT_MAX, plainText, RATING_MAX, RATING_MIN, TITLE_MAX } from "./rules";

/** Longer bodies are rejected before normalisation. */
const MAX_INPUT_LENGTH = 20_000;

const ReviewText = (shape: { max: number; keepLines: boolean; missingError: ErrorName }) =>
  z
    .string({ error: shape.missingError })
    .max(MAX_INPUT_LENGTH)
    .transform((text) => plainText(text, shape))
    .pipe(z.string().min(1, { error: shape.missingError }).max(shape.max));

/** `POST /comment/create` (docs/product.md#31-fields-in-calls). */
export const CreateReviewInput = z.object({
  product_id: IntParam.min(1).max(2_147_483_647),
  order_id: z.string().min(1).max(64),
  rating: z.coerce
    .number<number>({ error: "rating_missing" })
    .int({ error: "rating_missing" })
    .min(RATING_MIN, { error: "rating_missing" })
    .max(RATING_MAX, { error: "rating_missing" }),
  title: ReviewText({ max: TITLE_MAX, keepLines: false, missingError: "review_title_missing" }),
  content: ReviewText({ max: CONTENT_MAX, keepLines: true, missingError: "review_content_missing" }),
});
export type CreateReviewInput = z.output<typeof CreateReviewInput>;

export const ReviewView = z.object({
  review_id: z.string(),
  rating: z.int(),
  title: z.string(),
  content: z.string(),
  /** masked name, never the address */
  author: z.string(),
  created_at: Instant,
  language: ContentLanguage,
  /** only buyers can write reviews, so this is false for a demo review alone */
  verified: z.boolean(),
  /** made up for the demo */
  demo: z.boolean(),
  /** the public answer of the product's merchant; null: there is none */
  reply: z
    .object({ text: z.string(), language: ContentLanguage, merchant: z.string(), created_at: Instant })
    .nullable(),
});
export type ReviewView = z.output<typeof ReviewView>;

/** `stars`: counts of one to five stars. `average` to one decimal, null without reviews. */
export const ReviewSummary = z.object({
  average: z.number().nullable(),
  count: z.int(),
  stars: z.array(z.int()).length(RATING_MAX),
  /** how many of the reviews are made up for the demo */
  demo: z.int(),
});
export type ReviewSummary = z.output<typeof ReviewSummary>;

export const ReviewList = z.object({ items: z.array(ReviewView), total: z.int(), summary: ReviewSummary });
export type ReviewList = z.output<typeof ReviewList>;

export const ListReviewsInput = z.object({
  product_id: IntParam.min(1).max(2_147_483_647),
  page: Page,
  size: PageSize,
});
export type ListReviewsInput = z.output<typeof ListReviewsInput>;
