import { and, eq, ne } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { coupons } from "@/db/schema/coupons";
import type { CouponProps } from "@/emails/coupon";
import { queueMail } from "@/lib/notifications/queue-mail";
import type { Locale } from "@/lib/platform/i18n/locales";
import { selectCoupons } from "./select-coupons";

export async function findCouponMail(couponId: string, locale: Locale): Promise<CouponProps | null> {
  const [coupon] = await selectCoupons(db, and(eq(coupons.id, couponId), ne(coupons.state, "revoked")));
  if (!coupon) return null;
  const { code, title, amountCents, percent, minimumCents, expiresAt } = coupon;
  return { code, title: title[locale], amountCents, percent, minimumCents, expiresAt };
}

export const queueCouponMail = (tx: Tx, couponId: string, to: string, locale: Locale) =>
  queueMail(tx, { event: "coupon", to, locale, refs: { couponId }, dedupeKey: `coupon:${couponId}` });
