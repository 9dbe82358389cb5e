import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { CouponProps } from "@/emails/coupon";
import { selectCoupons } from "@/lib/coupons/queries";
import type { Locale } from "@/lib/platform/i18n/locales";

/** The data of a coupon email; null when the coupon was revoked. */
export async function findCouponMail(couponId: string, locale: Locale): Promise<CouponProps | null> {
  const [coupon] = await selectCoupons(db, sql`c.id = ${couponId} and c.state <> 'revoked'`);
  if (!coupon) return null;
  const { code, title, amountCents, percent, minimumCents, expiresAt } = coupon;
  return { code, title: title[locale], amountCents, percent, minimumCents, expiresAt };
}
