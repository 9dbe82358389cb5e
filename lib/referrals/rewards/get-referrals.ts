import { eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { campaigns } from "@/db/schema/coupons";
import { findCampaign, isRunning, shopNow } from "@/lib/coupons/campaigns/find-campaign";
import type { UserViewer } from "@/lib/platform/auth/session";
import { env } from "@/lib/platform/env";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import { localizedPath } from "@/lib/platform/routing/paths";
import type { Referral, ReferralInfo, ReferralInput } from "@/lib/referrals/contract";
import { maskName } from "@/lib/reviews/mask-name";

type FriendRow = Omit<Referral, "friend"> & { username: string };

type Totals = ReferralInfo["counts"] & { invite_code: string; earned_cents: number };

/** The viewer's referrals (`GET /referral/info`): counts, and friends newest first. */
export async function getReferrals(
  viewer: UserViewer,
  { page, size }: ReferralInput,
  locale: Locale,
): Promise<ReferralInfo> {
  const { invite_code, earned_cents, ...counts } = await countReferrals(viewer.userId);
  const inviter = await findCampaign(db, eq(campaigns.id, "inviter"));
  const friend = await findCampaign(db, eq(campaigns.id, "new_user"));
  const link = localizedPath(`/i/${invite_code}`, { locale, surface: "desktop" });
  return {
    invite_code,
    invite_link: `${env().APP_URL}${link}`,
    can_invite: viewer.emailVerified,
    running: inviter !== null && isRunning(inviter, await shopNow(db)),
    reward_amount: toDecimal(inviter?.amountCents ?? 0),
    friend_amount: toDecimal(friend?.amountCents ?? 0),
    friend_min_amount: toDecimal(friend?.minimumCents ?? 0),
    monthly_cap: inviter?.monthlyCap ?? null,
    counts,
    earned: toDecimal(earned_cents),
    items: await listFriends(viewer.userId, page, size),
    total: counts.registered + counts.pending + counts.paid + counts.refused,
  };
}

async function countReferrals(userId: string): Promise<Totals> {
  const [row] = await db.execute<Totals>(sql`
    select u.invite_code, (select count(*)::int from invite_clicks c where c.inviter_id = u.id) as clicks,
      count(r.id) filter (where r.state = 'registered')::int as registered,
      count(r.id) filter (where r.state = 'pending')::int as pending,
      count(r.id) filter (where r.state = 'paid')::int as paid,
      count(r.id) filter (where r.state = 'refused')::int as refused,
      coalesce(sum(c.amount_cents), 0)::int as earned_cents
    from users u left join referrals r on r.inviter_id = u.id left join coupons c on c.id = r.coupon_id
    where u.id = ${userId} group by u.id`);
  return row!;
}

async function listFriends(userId: string, page: number, size: number): Promise<Referral[]> {
  const rows = await db.execute<FriendRow>(sql`
    select f.username, r.state, r.reason, r.created_at as registered_at, r.due_at, r.decided_at, c.code as coupon_code
    from referrals r join users f on f.id = r.friend_id left join coupons c on c.id = r.coupon_id
    where r.inviter_id = ${userId} order by r.created_at desc, r.id limit ${size} offset ${(page - 1) * size}`);
  return rows.map(({ username, registered_at, due_at, decided_at, ...row }) => ({
    ...row,
    friend: maskName(username),
    registered_at: instant(registered_at),
    due_at: instant(due_at),
    decided_at: instant(decided_at),
  }));
}
