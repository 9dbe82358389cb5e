import { and, eq, gt, isNull, lte, sql } from "drizzle-orm";
import { client, shopNow, statements, type Tx } from "@/db/client";
import { deals } from "@/db/schema/catalog";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import { emailIdentityHash } from "@/lib/platform/auth/email-identity";
import { ShopError } from "@/lib/platform/errors";

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

/** The buyer: the account, and the hash of its verified email identity. */
export type Buyer = { userId: string; emailIdentity: string | null };

export const toBuyer = (user: { userId: string; email: string; emailVerified: boolean }): Buyer => ({
  userId: user.userId,
  emailIdentity: user.emailVerified ? emailIdentityHash(user.email) : null,
});

/**
 * Writes one row per unit of a limited plan; the unique indexes reject units above the limit, also from parallel
 * requests and from a second account of the same email identity. The buyer must be locked, or two orders choose the same free slots.
 * @throws ShopError purchase_limit, already_claimed
 */
export async function claimPurchases(
  tx: Tx,
  { userId, emailIdentity }: Buyer,
  orderId: string,
  lines: ClaimedLine[],
): Promise<void> {
  for (const line of lines) {
    if (line.purchaseLimit === null) continue;
    const claimed = await statements(tx)<{ slot: number }[]>`
      insert into purchase_claims (user_id, plan_id, slot, order_id, email_identity)
      select ${userId}, ${line.planId}::int, slot, ${orderId}, ${emailIdentity}
      from generate_series(1, ${line.purchaseLimit}::int) as slot
      where slot not in (select c.slot from purchase_claims c
        where c.plan_id = ${line.planId} and (c.user_id = ${userId} or c.email_identity = ${emailIdentity}))
      order by slot limit ${line.quantity}
      on conflict do nothing returning slot`;
    if (claimed.length === 0 && line.unitPriceCents === 0) throw new ShopError("already_claimed");
    if (claimed.length < line.quantity)
      throw new ShopError("purchase_limit", { params: { limit: line.purchaseLimit } });
  }
}

/** The units that the buyer's unpaid orders hold, and whether one of them uses a first-order coupon. */
type UnpaidOrders = { units: number; hasFirstOrderCoupon: boolean };

export async function sumUnpaidOrders(tx: Tx, userId: string): Promise<UnpaidOrders> {
  const [row] = await statements(tx)<UnpaidOrders[]>`
    select coalesce(sum(l.quantity), 0)::int as units,
      coalesce(bool_or(c.first_order_only), false) as "hasFirstOrderCoupon"
    from orders o join order_lines l on l.order_id = o.id left join coupons c on c.order_id = o.id
    where o.user_id = ${userId} and o.status in ('pending', 'processingPayment')`;
  return row!;
}

/**
 * Throws when a new order would take keys that earlier paid orders wait for. Counts waiting units and stock in one
 * statement, because two statements could both miss a key that moves in between.
 * @throws ShopError sold_out
 */
export async function assertStockNotOwed(tx: Tx, planIds: number[]): Promise<void> {
  const shortPlans = await statements(tx)`
    select from (
      select l.plan_id, sum(l.quantity - (select count(*) from keys k where k.order_line_id = l.id and k.state = 'assigned'))::int as units
      from order_lines l where l.state = 'waiting' and l.plan_id = any(${planIds}::int[]) group by l.plan_id) o
    where (select count(*) from (
      select from keys k where k.plan_id = o.plan_id and ${client().unsafe(SELLABLE_KEY)} limit o.units) s) < o.units`;
  if (shortPlans.length > 0) throw new ShopError("sold_out");
}
