import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { noteTags } from "@/lib/cache-tags";
import type { Locale } from "@/lib/i18n";
import { toDecimal } from "@/lib/money";
import type { Viewer } from "@/lib/session";
import { type FreeVoucher, type FreeVouchers, VOUCHER_TYPES, type VoucherType } from "./contract";
import { couponView, findEarlierOrder, selectCoupons } from "./queries";
import { findCampaign, givenOf, isRunning, oncePerVoucher, shopTime } from "./queries-campaign";

/** The free vouchers, as the viewer may have them now (decisions.md `GET /voucher/free/status`). */
export async function getFreeVouchers(viewer: Viewer, locale: Locale): Promise<FreeVouchers> {
  noteTags("campaigns");
  const now = await shopTime(db);
  const items: FreeVoucher[] = [];
  for (const type of VOUCHER_TYPES) {
    const voucher = await freeVoucher(viewer, type, locale, now);
    if (voucher) items.push(voucher);
  }
  return { items, server_time: now.toISOString() };
}

async function freeVoucher(
  viewer: Viewer,
  type: VoucherType,
  locale: Locale,
  now: Date,
): Promise<FreeVoucher | null> {
  const campaign = await findCampaign(db, sql`g.id = ${type}`);
  if (!campaign) return null;
  const terms = {
    type,
    amount: toDecimal(campaign.amountCents ?? 0),
    min_amount: toDecimal(campaign.minimumCents),
    valid_hours: campaign.validHours ?? 0,
  };
  const free = isRunning(campaign, now) ? "available" : "unavailable";
  if (viewer.kind === "guest") return { ...terms, state: free, next_at: null, coupon: null };
  const [given] = await selectCoupons(db, givenOf(viewer.userId, oncePerVoucher(type, viewer.email, now)));
  if (given) {
    const own = given.userId === viewer.userId ? couponView(given, viewer.userId, locale, now) : null;
    return { ...terms, state: "claimed", next_at: type === "daily" ? tomorrow(now) : null, coupon: own };
  }
  const eligible = !campaign.firstOrderOnly || (await findEarlierOrder(db, viewer.userId)) !== "paid";
  return { ...terms, state: eligible ? free : "not_eligible", next_at: null, coupon: null };
}

/** A day of the shop is a day in UTC. */
function tomorrow(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString();
}
