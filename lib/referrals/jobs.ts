import { sql } from "drizzle-orm";
import { z } from "zod";
import { db } from "@/db/client";
import { findCouponMail } from "@/lib/coupons/queries-mail";
import { defineJob } from "@/lib/jobs";
import { log } from "@/lib/log";
import { maskedName } from "@/lib/masked-name";
import { registerMail } from "@/lib/notifications/jobs";
import { forgetOldClicks } from "./commands";
import { decideReferrals } from "./commands-reward";

/** Every ten minutes: invitations whose refund window is over are decided, old clicks forgotten. */
export const decideReferralsJob = defineJob({
  name: "decide-referrals",
  schema: z.unknown(),
  cron: "*/10 * * * *",
  async run() {
    const decided = await decideReferrals();
    if (decided > 0) log.info({ decided }, "invitations decided");
    await forgetOldClicks();
  },
});

registerMail("referral-reward", {
  async load({ couponId, friendId }, locale) {
    const coupon = await findCouponMail(String(couponId), locale);
    const [friend] = await db.execute<{ username: string }>(
      sql`select username from users where id = ${String(friendId)}`,
    );
    return coupon && { friend: maskedName(friend?.username ?? ""), coupon };
  },
});
