import { and, eq, isNull, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { coupons } from "@/db/schema/coupons";
import { orders } from "@/db/schema/orders";
import { ShopError } from "@/lib/platform/errors";
import { COUNTS_AS_FIRST_ORDER, FULLY_REFUNDED_UNDELIVERED } from "./find-earlier-order";

/** Reserves a locked coupon for its order, and binds it to the account. */
export async function reserveCoupon(tx: Tx, couponId: string, userId: string, orderId: string) {
  const reserved = await tx.execute<{ id: string }>(sql`
    update coupons set state = 'reserved', order_id = ${orderId}, user_id = ${userId}, bound_at = coalesce(bound_at, shop_now())
    where id = ${couponId} and state = 'open' and coalesce(user_id, ${userId}) = ${userId} returning id`);
  if (reserved.length === 0) throw new ShopError("coupon_used");
}

const isReservedFor = (orderId: string) => and(eq(coupons.orderId, orderId), eq(coupons.state, "reserved"));

export async function consumeCoupon(tx: Tx, orderId: string): Promise<void> {
  await tx.update(coupons).set({ state: "used", usedAt: sql`shop_now()` }).where(isReservedFor(orderId));
}

export async function releaseCoupon(tx: Tx, orderId: string): Promise<void> {
  await tx.update(coupons).set({ state: "open", orderId: null }).where(isReservedFor(orderId));
}

/** Restores the coupon of a paid order that was fully refunded without a delivery. */
export async function restoreCoupon(tx: Tx, orderId: string): Promise<void> {
  await tx.execute(sql`
    update coupons c set state = 'open', order_id = null, used_at = null from orders o
    where c.order_id = ${orderId} and o.id = c.order_id and ${FULLY_REFUNDED_UNDELIVERED}`);
}

/**
 * Reserves the coupon again for a payment that succeeded after the release, even past its expiry, because the buyer paid
 * the discounted price. Returns false when another order uses it, or when it needs a first order and another order is
 * the first by now. The buyer must be locked.
 */
export async function reacquireCoupon(tx: Tx, orderId: string): Promise<boolean> {
  const reserved = await tx.execute<{ id: string }>(sql`
    update coupons c set state = 'reserved', order_id = paid.id from orders paid
    where paid.id = ${orderId} and c.id = paid.coupon_id and c.state = 'open' and c.user_id = paid.user_id
      and not (c.first_order_only and exists (
        select 1 from orders o where o.user_id = paid.user_id and o.id <> paid.id and ${COUNTS_AS_FIRST_ORDER}))
    returning c.id`);
  if (reserved.length > 0) return true;
  return (await tx.$count(orders, and(eq(orders.id, orderId), isNull(orders.couponId)))) > 0;
}
