import { z } from "zod";
import { findCouponMail } from "@/lib/coupons/queries";
import { expireCoupons } from "@/lib/coupons/vouchers/commands";
import { registerMail } from "@/lib/notifications/jobs";
import { defineJob } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";

/** Every ten minutes: returns the budget that expired coupons hold. */
export const expireCouponsJob = defineJob({
  name: "expire-coupons",
  schema: z.unknown(),
  cron: "*/10 * * * *",
  async run() {
    const expired = await expireCoupons();
    if (expired > 0) log.info({ expired }, "returned the budget of expired coupons");
  },
});

registerMail("coupon", { load: ({ couponId }, locale) => findCouponMail(String(couponId), locale) });
