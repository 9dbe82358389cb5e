import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { couponExpiry, listRunningCampaigns, shopNow } from "@/lib/coupons/campaigns/find-campaign";
import { findEarlierOrder } from "@/lib/coupons/find-earlier-order";
import { sumGivenCents } from "@/lib/coupons/give-coupon";
import { couponWorth } from "@/lib/coupons/rules-discount";
import { limitOf } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { toDecimal } from "@/lib/platform/money";
import type { CouponChoices } from "@/lib/staff/customers/contract";

/**
 * The campaigns of which a staff member may give an account a coupon now: running ones, within what this staff member may
 * give a person a month.
 * @throws ShopError customer_unknown
 */
export async function listCouponChoices(
  { staff, locale }: StaffViewer,
  customerId: string,
): Promise<CouponChoices> {
  const [account] = await db.execute<{ id: string }>(
    sql`select id from users where id = ${customerId} and deleted_at is null`,
  );
  if (!account) throw new ShopError("customer_unknown");
  const leftCents = limitOf(staff.roles, "coupons.give") - (await sumGivenCents(db, customerId));
  const hasPaid = (await findEarlierOrder(db, customerId)) === "paid";
  const now = await shopNow(db);
  const running = await listRunningCampaigns();
  const items = running
    .filter((campaign) => couponWorth(campaign) <= leftCents && !(campaign.firstOrderOnly && hasPaid))
    .map((campaign) => ({
      campaign: campaign.id,
      title: campaign.title[locale],
      amount: campaign.amountCents === null ? null : toDecimal(campaign.amountCents),
      percent: campaign.percent,
      max_discount: campaign.maxDiscountCents === null ? null : toDecimal(campaign.maxDiscountCents),
      minimum: toDecimal(campaign.minimumCents),
      first_order_only: campaign.firstOrderOnly,
      expires_at: couponExpiry(campaign, now)?.toISOString() ?? null,
    }));
  const left = Number.isFinite(leftCents) ? toDecimal(Math.max(0, leftCents)) : null;
  return { items, total: items.length, left };
}
