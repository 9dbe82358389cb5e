import { randomInt } from "node:crypto";
import { sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import {
  budgetPerCoupon,
  type Campaign,
  couponExpiry,
  findCampaign,
  type IssueKey,
  issuedCouponsSql,
  promotionIssueKey,
  shopNow,
  voucherIssueKey,
} from "@/lib/coupons/campaigns/queries";
import type { ClaimVoucherInput, CouponView, SendCouponInput } from "@/lib/coupons/contract";
import type { Coupon } from "@/lib/coupons/discount/rules";
import {
  findEarlierOrder,
  requireEligibleRecipient,
  selectCoupons,
  toCouponView,
} from "@/lib/coupons/queries";
import { queueMail } from "@/lib/notifications/commands";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";

// Letters and digits that are not confused in print or speech.
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const PREFIX = { daily: "DAY", new_user: "FIRST", inviter: "THANKS", promotion: "PASS" } as const;

const randomLetters = (count: number) =>
  Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/** An unguessable code: ten random characters of 31. */
const newCouponCode = (kind: Campaign["kind"]) => `${PREFIX[kind]}-${randomLetters(5)}-${randomLetters(5)}`;

/**
 * Issues a coupon of an enabled campaign, within its period and monthly budget, and once per recipient. Locks the
 * account, so that parallel requests of one account run one after the other.
 * @throws ShopError voucher_unavailable, already_claimed
 */
export async function issueCoupon(
  tx: Tx,
  campaign: Campaign,
  { userId, issueKey }: { userId: string; issueKey: IssueKey },
): Promise<Coupon> {
  await tx.execute(sql`select 1 from users where id = ${userId} for no key update`);
  const [issued] = await selectCoupons(tx, issuedCouponsSql(userId, issueKey));
  if (issued) throw new ShopError("already_claimed");
  await takeBudget(tx, campaign);
  const id = newId("cpn");
  const expiresAt = couponExpiry(campaign, await shopNow(tx));
  const inserted = await tx.execute(sql`
    insert into coupons (id, code, campaign_id, user_id, amount_cents, percent, max_discount_cents, minimum_cents,
      first_order_only, starts_at, expires_at, issue_key, promised_cents, promised_month, bound_at)
    values (${id}, ${newCouponCode(campaign.kind)}, ${campaign.id}, ${userId}, ${campaign.amountCents}, ${campaign.percent},
      ${campaign.maxDiscountCents}, ${campaign.minimumCents}, ${campaign.firstOrderOnly}, ${campaign.startsAt?.toISOString() ?? null},
      ${expiresAt?.toISOString() ?? null}, ${issueKey.key}, ${budgetPerCoupon(campaign)}, to_char(shop_now() at time zone 'UTC', 'YYYY-MM'),
      shop_now())
    on conflict (issue_key) do nothing returning id`);
  if (inserted.length === 0) throw new ShopError("already_claimed");
  const [coupon] = await selectCoupons(tx, sql`c.id = ${id}`);
  return coupon!;
}

/** Takes a coupon's share of the monthly budget. Updating the campaign's row serializes claims on the rest of it. */
async function takeBudget(tx: Tx, campaign: Campaign): Promise<void> {
  const month = sql`to_char(shop_now() at time zone 'UTC', 'YYYY-MM')`;
  const promised = sql`case when budget_month = ${month} then promised_cents else 0 end + ${budgetPerCoupon(campaign)}::int`;
  const updated = await tx.execute(sql`
    update campaigns set promised_cents = ${promised}, budget_month = ${month}
    where id = ${campaign.id} and enabled and coalesce(starts_at, shop_now()) <= shop_now()
      and coalesce(ends_at, 'infinity') > shop_now()
      and (monthly_budget_cents is null or ${promised} <= monthly_budget_cents)
    returning id`);
  if (updated.length === 0) throw new ShopError("voucher_unavailable");
}

/**
 * Claims a free voucher (docs/product.md#85-coupons): the daily one once a day, the first-order bonus once, before
 * the first paid order.
 * @throws ShopError email_unverified, throwaway_address, already_claimed, coupon_first_order, voucher_unavailable
 */
export async function claimVoucher(
  viewer: UserViewer,
  { type }: ClaimVoucherInput,
  locale: Locale,
): Promise<CouponView> {
  requireEligibleRecipient(viewer);
  return transaction(async (tx) => {
    const campaign = await findCampaign(tx, sql`g.id = ${type}`);
    if (!campaign) throw new ShopError("voucher_unavailable");
    if (campaign.firstOrderOnly && (await findEarlierOrder(tx, viewer.userId)) === "paid")
      throw new ShopError("coupon_first_order");
    const now = await shopNow(tx);
    const issueKey = voucherIssueKey(type, viewer.email, now);
    const coupon = await issueCoupon(tx, campaign, { userId: viewer.userId, issueKey });
    return toCouponView(coupon, viewer.userId, locale, now);
  });
}

/**
 * Mails the viewer their coupon of a running campaign, once per email identity and campaign (coupon/send,
 * docs/product.md#74-cart-and-coupons).
 * @throws ShopError campaign_unknown, email_unverified, throwaway_address, delivery_email_unverified, already_claimed,
 *   voucher_unavailable
 */
export async function sendCoupon(
  viewer: UserViewer,
  input: SendCouponInput,
  locale: Locale,
): Promise<CouponView> {
  requireEligibleRecipient(viewer);
  const to = input.email ?? viewer.email;
  await assertVerifiedAddress(viewer, to);
  return transaction(async (tx) => {
    const campaign = await findCampaign(tx, sql`g.id = ${input.campaign} and g.kind = 'promotion'`);
    if (!campaign?.enabled) throw new ShopError("campaign_unknown");
    const issueKey = promotionIssueKey(campaign.id, viewer.email);
    const coupon = await issueCoupon(tx, campaign, { userId: viewer.userId, issueKey });
    await queueMail(tx, {
      event: "coupon",
      to,
      locale,
      refs: { couponId: coupon.id },
      dedupeKey: `coupon:${coupon.id}`,
    });
    return toCouponView(coupon, viewer.userId, locale, await shopNow(tx));
  });
}

/** Coupons are mailed to verified addresses only. */
async function assertVerifiedAddress({ userId, email }: UserViewer, to: string): Promise<void> {
  if (to === email.toLowerCase()) return;
  const verified = await db.execute(
    sql`select 1 from verified_emails where user_id = ${userId} and lower(email) = ${to}`,
  );
  if (verified.length === 0) throw new ShopError("delivery_email_unverified", { params: { email: to } });
}

/**
 * Expires the coupons of a deleted account; the job returns their budget. The rows stay anonymous, so that an email
 * identity receives a voucher only once.
 */
export async function expireCouponsOfUser(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`
    update coupons set expires_at = shop_now()
    where user_id = ${userId} and state = 'open' and coalesce(expires_at, 'infinity') > shop_now()`);
}

/** Gives the budget that expired coupons hold back to their campaigns, within its month. Returns their number. */
export async function expireCoupons(): Promise<number> {
  return transaction(async (tx) => {
    const expired = await tx.execute<{ campaign_id: string; month: string; cents: number }>(sql`
      with expired as (
        select id, promised_cents from coupons
        where state = 'open' and promised_cents > 0 and expires_at <= shop_now()
        order by expires_at limit 1000 for update skip locked)
      update coupons c set promised_cents = 0 from expired where c.id = expired.id
      returning c.campaign_id, c.promised_month as month, expired.promised_cents as cents`);
    for (const { campaign_id, month, cents } of expired)
      await tx.execute(sql`
        update campaigns set promised_cents = greatest(0, promised_cents - ${cents})
        where id = ${campaign_id} and budget_month = ${month}`);
    return expired.length;
  });
}
