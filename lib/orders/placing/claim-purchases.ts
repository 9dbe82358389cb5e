import { and, eq, gt, isNull, lte, sql } from "drizzle-orm";
import { shopNow, statements, type Tx } from "@/db/client";
import { deals } from "@/db/schema/catalog";
import { ShopError } from "@/lib/platform/errors";
import type { Buyer } from "./lock-buyer-and-identity";

type ClaimedLine = {
  planId: number;
  quantity: number;
  purchaseLimit: number | null;
  unitPriceCents?: number;
};

/**
 * Claims units of a running deal; false when it has ended or has too few units left. `endedToo`: an ended one as well,
 * for lines already paid at its price.
 */
export async function claimDeal(tx: Tx, dealId: string, quantity: number, { endedToo = false } = {}) {
  const claimed = sql`${deals.claimed} + ${quantity}`;
  const isRunning = endedToo ? undefined : and(isNull(deals.endedAt), gt(deals.endsAt, shopNow));
  const updated = await tx
    .update(deals)
    .set({ claimed })
    .where(and(eq(deals.id, dealId), isRunning, lte(claimed, deals.quantity)))
    .returning({ id: deals.id });
  return updated.length > 0;
}

/**
 * Writes one row per unit of a limited plan; the unique indexes reject units above the limit. Unverified accounts of
 * one email identity share a limit, and verified ones share another, so that no one can use up the limit of an address
 * by registering it (docs/product.md#84-free-passes-and-purchase-limits). The buyer and the identity must be locked,
 * otherwise two orders take the same free slots.
 * @throws ShopError purchase_limit
 */
export async function claimPurchases(
  tx: Tx,
  { userId, emailIdentity, emailVerified }: Buyer,
  orderId: string,
  lines: ClaimedLine[],
): Promise<void> {
  const verifiedIdentity = emailVerified ? emailIdentity : null;
  const unverifiedIdentity = emailVerified ? null : emailIdentity;
  for (const line of lines) {
    if (line.purchaseLimit === null) continue;
    const claimed = await statements(tx)<{ slot: number }[]>`
      insert into purchase_claims (user_id, plan_id, slot, order_id, email_identity, unverified_identity)
      select ${userId}, ${line.planId}::int, slot, ${orderId}, ${verifiedIdentity}, ${unverifiedIdentity}
      from generate_series(1, ${line.purchaseLimit}::int) as slot
      where slot not in (select c.slot from purchase_claims c
        where c.plan_id = ${line.planId} and (c.email_identity is not null) = ${emailVerified}
          and (c.user_id = ${userId} or c.email_identity = ${verifiedIdentity}
            or c.unverified_identity = ${unverifiedIdentity}))
      order by slot limit ${line.quantity}
      on conflict do nothing returning slot`;
    if (claimed.length < line.quantity)
      throw new ShopError("purchase_limit", { params: { limit: line.purchaseLimit } });
  }
}

/** Whether an unpaid order of the buyer uses a first-order coupon. */
export async function holdsFirstOrderCoupon(tx: Tx, userId: string): Promise<boolean> {
  const orders = await statements(tx)`
    select from orders o join coupons c on c.order_id = o.id and c.first_order_only
    where o.user_id = ${userId} and o.status in ('pending', 'processingPayment') limit 1`;
  return orders.length > 0;
}
