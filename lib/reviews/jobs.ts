import { z } from "zod";
import { defineJob } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { hideUnfitReviews } from "@/lib/reviews/moderation/hide-unfit-reviews";

/** Every night: hides reviews that break a rule by now. */
export const hideUnfitReviewsJob = defineJob({
  name: "hide-unfit-reviews",
  schema: z.unknown(),
  cron: "13 4 * * *",
  async run() {
    const hidden = await hideUnfitReviews();
    if (hidden > 0) log.info({ hidden }, "hid reviews that break a rule");
  },
});
