import { desc, eq, getTableColumns, type SQL } from "drizzle-orm";
import type { Db } from "@/db/client";
import { campaigns, coupons } from "@/db/schema/coupons";
import type { CouponView } from "@/lib/coupons/contract";
import type { Locale } from "@/lib/platform/i18n/locales";
import { toDecimal } from "@/lib/platform/money";
import { type Coupon, couponState } from "./rules-discount";

/** Coupons with their campaign's kind and title; `lock` locks their rows. */
export async function selectCoupons(
  tx: Db,
  where: SQL | undefined,
  { lock = false } = {},
): Promise<Coupon[]> {
  const selected = tx
    .select({ ...getTableColumns(coupons), kind: campaigns.kind, title: campaigns.title })
    .from(coupons)
    .innerJoin(campaigns, eq(campaigns.id, coupons.campaignId))
    .where(where)
    .orderBy(desc(coupons.createdAt), coupons.id)
    .limit(500);
  return lock ? selected.for("update", { of: coupons }) : selected;
}

export function toCouponView(coupon: Coupon, userId: string, locale: Locale, now: Date): CouponView {
  const toDollars = (cents: number | null) => (cents === null ? null : toDecimal(cents));
  return {
    coupon_code: coupon.code,
    title: coupon.title[locale],
    kind: coupon.kind,
    state: couponState(coupon, userId, now),
    amount: toDollars(coupon.amountCents),
    percent: coupon.percent,
    max_discount: toDollars(coupon.maxDiscountCents),
    min_amount: toDecimal(coupon.minimumCents),
    first_order_only: coupon.firstOrderOnly,
    free: coupon.free,
    starts_at: coupon.startsAt?.toISOString() ?? null,
    expires_at: coupon.expiresAt?.toISOString() ?? null,
    used_at: coupon.usedAt?.toISOString() ?? null,
    held: coupon.state === "reserved",
    order_id: coupon.orderId,
  };
}
