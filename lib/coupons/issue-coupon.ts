import { randomInt } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { coupons } from "@/db/schema/coupons";
import { lockBuyer } from "@/lib/cart/lock-buyer";
import { budgetPerCoupon, chargeBudget } from "@/lib/coupons/campaigns/charge-budget";
import { type Campaign, couponExpiry, shopNow } from "@/lib/coupons/campaigns/find-campaign";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { type IssueKey, issuedCouponsSql } from "./issue-key";
import { type Claimant, recordClaim } from "./record-claim";
import type { Coupon } from "./rules-discount";
import { selectCoupons } from "./select-coupons";

// Letters and digits that are not confused in print or speech.
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const PREFIX = { daily: "DAY", new_user: "FIRST", inviter: "THANKS", promotion: "PASS" } as const;

const randomLetters = (count: number) =>
  Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/** An unguessable code: ten random characters of 31. */
const newCouponCode = (kind: Campaign["kind"]) => `${PREFIX[kind]}-${randomLetters(5)}-${randomLetters(5)}`;

/**
 * Issues a coupon of an enabled campaign, within its period and budgets, and once per recipient. Locks the account, so
 * that parallel requests of one account run one after the other. `claimant`: someone who claims it, which is limited
 * per mail domain, device and address group.
 * @throws ShopError voucher_unavailable, already_claimed, claims_full
 */
export async function issueCoupon(
  tx: Tx,
  campaign: Campaign,
  { userId, issueKey, claimant }: { userId: string; issueKey: IssueKey; claimant?: Claimant },
): Promise<Coupon> {
  await lockBuyer(tx, userId);
  const [issued] = await selectCoupons(tx, issuedCouponsSql(userId, issueKey));
  if (issued) throw new ShopError("already_claimed");
  const promisedMonth = await takeBudget(tx, campaign);
  const id = newId("cpn");
  const expiresAt = couponExpiry(campaign, await shopNow(tx));
  const {
    kind,
    title,
    amountCents,
    percent,
    maxDiscountCents,
    minimumCents,
    firstOrderOnly,
    free,
    startsAt,
  } = campaign;
  const [coupon] = await tx
    .insert(coupons)
    .values({
      id,
      code: newCouponCode(kind),
      campaignId: campaign.id,
      userId,
      amountCents,
      percent,
      maxDiscountCents,
      minimumCents,
      firstOrderOnly,
      free,
      startsAt,
      expiresAt,
      issueKey: issueKey.key,
      promisedCents: budgetPerCoupon(campaign),
      promisedMonth,
      boundAt: sql`shop_now()`,
    })
    .onConflictDoNothing({ target: coupons.issueKey })
    .returning();
  if (!coupon) throw new ShopError("already_claimed");
  if (claimant) await recordClaim(tx, { couponId: id, campaignId: campaign.id }, claimant);
  return { ...coupon, kind, title };
}

/**
 * Takes a coupon's share of the budgets of the month and the day, for a campaign that issues coupons now. Updating the
 * campaign's row serializes claims on the rest of them. Returns the month.
 */
async function takeBudget(tx: Tx, campaign: Campaign): Promise<string> {
  const isRunning = sql`enabled and coalesce(starts_at, shop_now()) <= shop_now()
    and coalesce(ends_at, 'infinity') > shop_now()`;
  const month = await chargeBudget(tx, campaign, isRunning);
  if (!month) throw new ShopError("voucher_unavailable");
  return month;
}
