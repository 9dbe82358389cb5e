import { z } from "zod";
import { beginDailyBudgets } from "@/lib/coupons/campaigns/charge-budget";
import { registerMail } from "@/lib/notifications/jobs";
import { defineJob } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { findCouponMail } from "./coupon-mail";
import { expireCoupons } from "./expire-coupons";
import { deleteOldClaims } from "./record-claim";

/** Every ten minutes: begins the budgets of a new day, and returns the budget that expired coupons hold. */
export const expireCouponsJob = defineJob({
  name: "expire-coupons",
  schema: z.unknown(),
  cron: "*/10 * * * *",
  async run() {
    await beginDailyBudgets();
    const expired = await expireCoupons();
    if (expired > 0) log.info({ expired }, "returned the budget of expired coupons");
  },
});

/** Every hour: deletes the claims that no limit counts any more. */
export const deleteOldClaimsJob = defineJob({
  name: "delete-old-claims",
  schema: z.unknown(),
  cron: "47 * * * *",
  async run() {
    await deleteOldClaims();
  },
});

registerMail("coupon", { load: ({ couponId }, locale) => findCouponMail(String(couponId), locale) });
