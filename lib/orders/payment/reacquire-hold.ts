import { eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { orderLines, orders } from "@/db/schema/orders";
import { reacquireCoupon } from "@/lib/coupons/reserve-coupon";
import { reserveKeys } from "@/lib/delivery/reserve-keys";
import { claimDeal, claimPurchases, holdsFirstOrderCoupon } from "@/lib/orders/placing/claim-purchases";
import { lockBuyerAndIdentity, toBuyer } from "@/lib/orders/placing/lock-buyer-and-identity";
import type { LockedOrder } from "@/lib/orders/status/lock-order";
import { isShopError } from "@/lib/platform/errors";

type LineColumns = Pick<typeof orderLines.$inferSelect, "planId" | "quantity" | "preOrder" | "dealId">;
type OrderLine = LineColumns & { lineId: string; purchaseLimit: number | null };

class HoldUnavailableError extends Error {}

/**
 * Reacquires everything that a released order held (deal units, purchase claims, keys, coupon), for a payment that
 * succeeded after the release. Returns false, and changes nothing, when something is no longer available.
 */
export async function reacquireHold(tx: Tx, order: LockedOrder): Promise<boolean> {
  try {
    await transaction((savepoint) => reacquireOrThrow(savepoint, order), { within: tx });
    return true;
  } catch (error) {
    if (error instanceof HoldUnavailableError || isShopError(error, "purchase_limit")) return false;
    throw error;
  }
}

async function reacquireOrThrow(tx: Tx, order: LockedOrder): Promise<void> {
  const [user] = await tx.execute<{ userId: string; email: string; emailVerified: boolean }>(sql`
    select id as "userId", email, email_verified_at is not null as "emailVerified" from users where id = ${order.userId}`);
  const buyer = toBuyer(user!);
  await lockBuyerAndIdentity(tx, buyer);
  const lines = await tx.execute<OrderLine>(sql`
    select l.id as "lineId", l.plan_id as "planId", l.quantity, l.pre_order as "preOrder", l.deal_id as "dealId",
      pl.purchase_limit as "purchaseLimit"
    from order_lines l join plans pl on pl.id = l.plan_id where l.order_id = ${order.id} order by l.plan_id`);
  if (!(await reacquireCoupon(tx, order.id))) throw new HoldUnavailableError();
  // Another unpaid order with a first-order coupon stays the buyer's first order.
  if (await holdsFirstOrderCoupon(tx, order.userId)) throw new HoldUnavailableError();
  for (const line of lines)
    if (line.dealId && !(await claimDeal(tx, line.dealId, line.quantity, { endedToo: true })))
      throw new HoldUnavailableError();
  await claimPurchases(tx, buyer, order.id, lines);
  const inStock = lines.filter((line) => !line.preOrder);
  const short = await reserveKeys(tx, inStock, "wait");
  if (short.length > 0) throw new HoldUnavailableError();
  await tx.update(orderLines).set({ state: "reserved" }).where(eq(orderLines.orderId, order.id));
  await tx.update(orders).set({ releasedAt: null }).where(eq(orders.id, order.id));
}
