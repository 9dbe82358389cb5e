import { and, eq, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { users } from "@/db/schema/accounts";
import { campaigns } from "@/db/schema/coupons";
import { referrals } from "@/db/schema/referrals";
import { type Campaign, findCampaign } from "@/lib/coupons/campaigns/find-campaign";
import { issueCoupon } from "@/lib/coupons/issue-coupon";
import { exactIssueKey } from "@/lib/coupons/issue-key";
import { queueMail } from "@/lib/notifications/queue-mail";
import { REFUND_DAYS } from "@/lib/payments/refunds/rules";
import { emailIdentity } from "@/lib/platform/auth/email-identity";
import { findRelatedMerchants } from "@/lib/platform/auth/merchant-people";
import { isShopError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import type { ReferralReason } from "@/lib/referrals/rules";
import { markRefused } from "./refuse-referral";

const BATCH = 200;

type DueReferral = {
  id: string;
  order_id: string;
  inviter_id: string;
  friend_id: string;
  inviter_email: string;
  friend_email: string;
  locale: string;
  closed: boolean;
  /** the order's total, and what of it the friend got back */
  total_cents: number;
  refunded_cents: number;
  same_card: boolean;
  paid_this_month: number;
};

/**
 * SQL: the referral `r` of friend `f` can be decided. It waits while the friend's address is unverified or a refund request or
 * a dispute is open, and while the order can be cancelled for a full refund or its pre-order be returned: a line waits for its
 * codes, or the window that counts from the delivery of a pre-order is open (docs/product.md#81-refunds).
 */
const IS_DECIDABLE = sql`(f.email_verified_at is not null or f.deleted_at is not null)
  and not exists (select 1 from refund_requests q join order_lines l on l.id = q.order_line_id
    where l.order_id = r.order_id and q.state = 'asked')
  and not exists (select 1 from disputes d where d.order_id = r.order_id and d.is_open)
  and not exists (select 1 from order_lines l where l.order_id = r.order_id and (l.state in ('reserved', 'waiting')
    or l.state = 'assigned' and l.pre_order and (select max(unit.delivered_at) from (
      select min(k.assigned_at) as delivered_at from keys k
      where k.order_line_id = l.id and k.assigned_at is not null group by k.slot) unit)
      > shop_now() - make_interval(days => ${REFUND_DAYS})))`;

/**
 * Decides every referral whose refund window has ended. Referrals wait while the campaign is off or out of budget, while a
 * pass of the order is not delivered or a pre-order can be returned, and while the friend has an open refund request, an
 * open dispute or an unverified address; none waits for another. Returns the number decided.
 */
export async function decideReferrals(): Promise<number> {
  let decided = 0;
  let after: Place = { dueAt: "-infinity", id: "" };
  while (true) {
    const due = await listDecidable(after);
    for (const { id } of due)
      try {
        if (await transaction((tx) => decide(tx, id))) decided += 1;
      } catch (error) {
        if (isShopError(error, "voucher_unavailable")) return decided; // the campaign's budget is spent
        log.error({ err: error, referral: id }, "a referral could not be decided");
      }
    if (due.length < BATCH) return decided;
    after = due.at(-1)!;
  }
}

type Place = { dueAt: string; id: string };

const listDecidable = (after: Place): Promise<Place[]> =>
  db.execute<Place>(sql`
    select r.due_at::text as "dueAt", r.id from referrals r join users f on f.id = r.friend_id
    where r.state = 'pending' and r.due_at <= shop_now() and (r.due_at, r.id) > (${after.dueAt}::timestamptz, ${after.id})
      and ${IS_DECIDABLE}
    order by r.due_at, r.id limit ${BATCH}`);

async function decide(tx: Tx, id: string): Promise<boolean> {
  const [referral] = await tx
    .select({ inviterId: referrals.inviterId })
    .from(referrals)
    .where(and(eq(referrals.id, id), eq(referrals.state, "pending")))
    .for("update");
  if (!referral) return false;
  // Serializes the rewards of one inviter, so that the monthly cap holds.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, referral.inviterId)).for("no key update");
  const campaign = await findCampaign(tx, eq(campaigns.id, "inviter"));
  const due = await findDue(tx, id);
  if (!campaign || !due) return false;
  const reason = rejectionReason(due, campaign);
  if (reason) await markRefused(tx, id, reason);
  else if (due.total_cents < rewardCents(campaign) || (await isOwnPurchase(tx, due)))
    await waitForAnotherOrder(tx, id);
  else await payReward(tx, due, campaign);
  return true;
}

/** Whether the friend's order has a pass of a merchant to which the friend or the inviter belongs. */
async function isOwnPurchase(tx: Tx, due: DueReferral): Promise<boolean> {
  const rows = await tx.execute<{ id: string }>(sql`
    select distinct p.merchant_id as id from order_lines l join products p on p.id = l.product_id where l.order_id = ${due.order_id}`);
  const merchants = rows.map(({ id }) => id);
  const friend = await findRelatedMerchants(
    tx,
    { userId: due.friend_id, email: due.friend_email },
    merchants,
    null,
  );
  const inviter = await findRelatedMerchants(
    tx,
    { userId: due.inviter_id, email: due.inviter_email },
    merchants,
    null,
  );
  return friend.length + inviter.length > 0;
}

/** Undefined while it waits. */
async function findDue(tx: Tx, id: string): Promise<DueReferral | undefined> {
  const [due] = await tx.execute<DueReferral>(sql`
    select r.id, r.order_id, r.inviter_id, r.friend_id, i.email as inviter_email, f.email as friend_email, i.locale,
      i.deleted_at is not null or f.deleted_at is not null as closed,
      o.total_cents, case when o.status = 'refunded' then o.total_cents
        else (select sum(l.refunded_cents)::int from order_lines l where l.order_id = o.id) end as refunded_cents,
      exists (select 1 from payments p join orders po on po.id = p.order_id and po.user_id = r.friend_id
        join payments q on q.card_fingerprint = p.card_fingerprint join orders qo on qo.id = q.order_id
        where qo.user_id = r.inviter_id) as same_card,
      (select count(*)::int from referrals e where e.inviter_id = r.inviter_id and e.state = 'paid'
        and date_trunc('month', e.decided_at at time zone 'UTC') = date_trunc('month', shop_now() at time zone 'UTC')) as paid_this_month
    from referrals r join users i on i.id = r.inviter_id join users f on f.id = r.friend_id join orders o on o.id = r.order_id
    where r.id = ${id} and ${IS_DECIDABLE}`);
  return due;
}

function rejectionReason(due: DueReferral, campaign: Campaign): ReferralReason | null {
  if (due.closed) return "account_closed";
  if (emailIdentity(due.inviter_email) === emailIdentity(due.friend_email)) return "same_person";
  if (due.same_card) return "same_card";
  if (due.refunded_cents > 0 && due.total_cents - due.refunded_cents < rewardCents(campaign))
    return "refunded";
  return campaign.monthlyCap !== null && due.paid_this_month >= campaign.monthlyCap ? "monthly_cap" : null;
}

/** What the reward is worth: the friend's order must have brought as much money. */
const rewardCents = ({ amountCents }: Campaign): number => amountCents ?? 0;

/** The order brought less money than the reward is worth now: the next one that brings enough counts. */
async function waitForAnotherOrder(tx: Tx, id: string): Promise<void> {
  await tx
    .update(referrals)
    .set({ state: "registered", orderId: null, dueAt: null })
    .where(eq(referrals.id, id));
}

async function payReward(tx: Tx, due: DueReferral, campaign: Campaign): Promise<void> {
  const coupon = await issueCoupon(tx, campaign, {
    userId: due.inviter_id,
    issueKey: exactIssueKey(`referral:${due.id}`),
  });
  await tx
    .update(referrals)
    .set({ state: "paid", couponId: coupon.id, decidedAt: shopNow })
    .where(eq(referrals.id, due.id));
  await queueMail(tx, {
    event: "referral-reward",
    to: due.inviter_email,
    locale: due.locale,
    refs: { couponId: coupon.id, friendId: due.friend_id },
    dedupeKey: `referral:${due.id}`,
  });
}
