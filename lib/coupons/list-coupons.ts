import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { coupons } from "@/db/schema/coupons";
import { shopNow } from "@/lib/coupons/campaigns/find-campaign";
import type { CartCoupons, CouponList } from "@/lib/coupons/contract";
import { compareByExpiry } from "@/lib/coupons/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import type { Locale } from "@/lib/platform/i18n/locales";
import { findEarlierOrder } from "./find-earlier-order";
import { selectCoupons, toCouponView } from "./select-coupons";

/** The viewer's own coupons, newest first (coupon/user, docs/product.md#74-cart-and-coupons). */
export async function listCoupons(viewer: UserViewer, locale: Locale): Promise<CouponList> {
  const now = await shopNow(db);
  const owned = await selectCoupons(db, eq(coupons.userId, viewer.userId));
  const items = owned.map((coupon) => toCouponView(coupon, viewer.userId, locale, now));
  return { items, total: items.length, server_time: now.toISOString() };
}

/** The coupons that a cart, or an unpaid order, offers: usable now, later, or once the unpaid order that holds them is released. */
export async function listCartCoupons(
  viewer: UserViewer,
  locale: Locale,
  orderId?: string,
): Promise<CartCoupons> {
  const { items } = await listCoupons(viewer, locale);
  const usable = items.filter(({ state, held }) => state === "valid" || state === "not_yet_valid" || held);
  const earlier_order = await findEarlierOrder(db, viewer.userId, orderId);
  return { items: usable.sort(compareByExpiry), earlier_order };
}
