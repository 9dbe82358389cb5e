import { z } from "zod";
import { defineJob } from "@/lib/jobs";
import { log } from "@/lib/log";
import { registerMail } from "@/lib/notifications/jobs";
import { lapseCoupons } from "./commands-issue";
import { findCouponMail } from "./queries-mail";

/** Every ten minutes: what expired coupons held of their campaign's budget is free again. */
export const lapseCouponsJob = defineJob({
  name: "lapse-coupons",
  schema: z.unknown(),
  cron: "*/10 * * * *",
  async run() {
    const lapsed = await lapseCoupons();
    if (lapsed > 0) log.info({ lapsed }, "expired coupons gave their budget back");
  },
});

registerMail("coupon", { load: ({ couponId }, locale) => findCouponMail(String(couponId), locale) });
