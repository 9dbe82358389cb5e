import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { campaigns } from "@/db/schema/coupons";
import { findCampaign, isRunning, shopNow } from "@/lib/coupons/campaigns/find-campaign";
import type { Viewer } from "@/lib/platform/auth/session";
import type { Locale } from "@/lib/platform/i18n/locales";
import { toDecimal } from "@/lib/platform/money";
import { addCacheTags } from "@/lib/platform/page-cache/tags";
import { type FreeVoucher, type FreeVouchers, VOUCHER_TYPES, type VoucherType } from "./contract";
import { findEarlierOrder } from "./find-earlier-order";
import { issuedCouponsSql, voucherIssueKey } from "./issue-key";
import { selectCoupons, toCouponView } from "./select-coupons";

/**
 * The free vouchers as the viewer may claim them now (`GET /voucher/free/status`,
 * docs/product.md#74-cart-and-coupons).
 */
export async function getFreeVouchers(viewer: Viewer, locale: Locale): Promise<FreeVouchers> {
  addCacheTags("campaigns");
  const now = await shopNow(db);
  const items: FreeVoucher[] = [];
  for (const type of VOUCHER_TYPES) {
    const voucher = await findVoucher(viewer, type, locale, now);
    if (voucher) items.push(voucher);
  }
  return { items, server_time: now.toISOString() };
}

async function findVoucher(
  viewer: Viewer,
  type: VoucherType,
  locale: Locale,
  now: Date,
): Promise<FreeVoucher | null> {
  const campaign = await findCampaign(db, eq(campaigns.id, type));
  if (!campaign) return null;
  const voucher: FreeVoucher = {
    type,
    state: isRunning(campaign, now) ? "available" : "unavailable",
    amount: toDecimal(campaign.amountCents ?? 0),
    min_amount: toDecimal(campaign.minimumCents),
    valid_hours: campaign.validHours ?? 0,
    next_at: null,
    coupon: null,
  };
  if (viewer.kind === "guest") return voucher;
  const issueKey = voucherIssueKey(type, viewer.email, now);
  const [issued] = await selectCoupons(db, issuedCouponsSql(viewer.userId, issueKey));
  if (issued) {
    const coupon = issued.userId === viewer.userId ? toCouponView(issued, viewer.userId, locale, now) : null;
    return { ...voucher, state: "claimed", next_at: type === "daily" ? startOfTomorrow(now) : null, coupon };
  }
  const eligible = !campaign.firstOrderOnly || (await findEarlierOrder(db, viewer.userId)) !== "paid";
  return eligible ? voucher : { ...voucher, state: "not_eligible" };
}

/** Days are days in UTC. */
function startOfTomorrow(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString();
}
