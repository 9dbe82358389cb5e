import { and, eq, gt, isNull, lte, sql } from "drizzle-orm";
import { client, shopNow, statements, type Tx } from "@/db/client";
import { deals } from "@/db/schema/catalog";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import { GIFT_UNTIL_SQL } from "@/lib/delivery/library/queries";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
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

/** The buyer: the account, the hash of its email identity, and whether its address is verified. */
export type Buyer = { userId: string; emailIdentity: string; emailVerified: boolean };

export const toBuyer = (user: { userId: string; email: string; emailVerified: boolean }): Buyer => ({
  userId: user.userId,
  emailIdentity: emailIdentityHash(user.email),
  emailVerified: user.emailVerified,
});

/**
 * Locks the buyer's row, and all accounts of the buyer's email identity against each other, before anything is counted:
 * orders of these accounts run one after the other. Verified accounts do not wait for unverified ones.
 */
export async function lockBuyerAndIdentity(tx: Tx, buyer: Buyer): Promise<void> {
  const identity = `${buyer.emailVerified} ${buyer.emailIdentity}`;
  await statements(tx)`
    select pg_advisory_xact_lock(${ADVISORY_LOCKS.ordersOfIdentity}::int, hashtext(${identity})) from users
    where id = ${buyer.userId} for no key update`;
}

/**
 * Writes one row per unit of a limited plan; the unique indexes reject units above the limit. Unverified accounts of one
 * email identity share a limit, and verified ones share another, so that nobody can use up the limit of an address by
 * registering it (docs/product.md#84-free-passes-and-purchase-limits). The buyer and the identity must be locked, or two
 * orders choose the same free slots.
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

/**
 * Throws when a new order has taken keys that earlier paid orders wait for. Counts waiting units and stock in one
 * statement, because two statements could both miss a key that moves in between. An order with an open dispute takes none, and
 * a gift only keys that last until its recipient can redeem them: what it cannot use is free for others.
 * @throws ShopError sold_out
 */
export async function assertStockNotOwed(tx: Tx, orderId: string, planIds: number[]): Promise<void> {
  const sellable = client().unsafe(SELLABLE_KEY);
  const fits = client().unsafe("(k.sell_by is null or k.sell_by > coalesce(o.until, '-infinity'))");
  const shortPlans = await statements(tx)`
    with waiting as (
      select l.id, l.plan_id, (${client().unsafe(GIFT_UNTIL_SQL)} l.id) as until,
        (l.quantity - (select count(*) from keys k where k.order_line_id = l.id and k.state = 'assigned'))::int as units
      from order_lines l where l.state = 'waiting' and l.plan_id = any(${planIds}::int[])
        and not exists (select from disputes d where d.order_id = l.order_id and d.is_open)
    ), owed as (
      select o.*, (select count(*) from (select from keys k where k.plan_id = o.plan_id and ${fits} and (${sellable}
        or k.state = 'reserved' and k.order_line_id in (select id from order_lines where order_id = ${orderId})) limit o.units) s)::int as owed_units
      from waiting o
    ), plans_owed as (select plan_id, sum(owed_units)::int as units from owed group by plan_id)
    select from owed o where (select count(*) from (
      select from keys k where k.plan_id = o.plan_id and ${fits} and ${sellable} limit o.owed_units) s) < o.owed_units
    union all
    select from plans_owed o where (select count(*) from (
      select from keys k where k.plan_id = o.plan_id and ${sellable} limit o.units) s) < o.units`;
  if (shortPlans.length > 0) throw new ShopError("sold_out");
}
