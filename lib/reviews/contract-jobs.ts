import { z } from "zod";

/** Notifies a merchant of a review of its product; lib/merchants/jobs.ts runs it. */
export const ReviewWritten = { name: "review-written", schema: z.object({ reviewId: z.string() }) };
