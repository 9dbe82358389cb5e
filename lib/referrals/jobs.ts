import { eq } from "drizzle-orm";
import { z } from "zod";
import { db } from "@/db/client";
import { users } from "@/db/schema/accounts";
import { findCouponMail } from "@/lib/coupons/coupon-mail";
import { registerMail } from "@/lib/notifications/jobs";
import { defineJob } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { decideReferrals } from "@/lib/referrals/rewards/decide-referrals";
import { maskName } from "@/lib/reviews/mask-name";
import { deleteOldClicks } from "./record-invite-click";

/** Every ten minutes: decides referrals whose refund window has ended, and deletes old clicks. */
export const decideReferralsJob = defineJob({
  name: "decide-referrals",
  schema: z.unknown(),
  cron: "*/10 * * * *",
  async run() {
    const decided = await decideReferrals();
    if (decided > 0) log.info({ decided }, "referrals decided");
    await deleteOldClicks();
  },
});

registerMail("referral-reward", {
  async load({ couponId, friendId }, locale) {
    const coupon = await findCouponMail(String(couponId), locale);
    const [friend] = await db
      .select({ username: users.username })
      .from(users)
      .where(eq(users.id, String(friendId)));
    return coupon && { friend: maskName(friend?.username ?? ""), coupon };
  },
});
