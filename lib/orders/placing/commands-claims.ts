import { sql } from "drizzle-orm";
import { client, statements, type Tx } from "@/db/client";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import { emailIdentityHash } from "@/lib/platform/auth/email-identity";
import { ShopError } from "@/lib/platform/errors";

type ClaimedLine = {
  planId: number;
  quantity: number;
  purchaseLimit: number | null;
  /** in cents; 0 is a gift, of which one hears that it is claimed */
  unitPriceCents?: number;
};

/** Takes units of a running deal; false when it is over or cannot serve all of them. */
export async function claimDeal(tx: Tx, dealId: string, quantity: number): Promise<boolean> {
  const claimed = await tx.execute(sql`
    update deals set claimed = claimed + ${quantity}
    where id = ${dealId} and ended_at is null and ends_at > shop_now() and claimed + ${quantity} <= quantity
    returning id`);
  return claimed.length > 0;
}

/** Takes units of a deal for lines that were paid at its price: its time may be over, its units must suffice. */
export async function reclaimDeal(tx: Tx, dealId: string, quantity: number): Promise<boolean> {
  const claimed = await tx.execute(sql`
    update deals set claimed = claimed + ${quantity}
    where id = ${dealId} and claimed + ${quantity} <= quantity returning id`);
  return claimed.length > 0;
}

/** Who buys: an account, and the person behind its proved address. */
export type Buyer = { userId: string; person: string | null };

export const getBuyer = (user: { userId: string; email: string; emailVerified: boolean }): Buyer => ({
  userId: user.userId,
  person: user.emailVerified ? emailIdentityHash(user.email) : null,
});

/**
 * One row per unit of a limited plan: the unique indexes refuse the unit too many, also to two tabs at once and to a
 * second account of one mailbox. The buyer must be locked, or two orders at once choose the same free units and one of
 * them hears of a limit.
 * @throws ShopError purchase_limit, already_claimed
 */
export async function claimPurchases(
  tx: Tx,
  { userId, person }: Buyer,
  orderId: string,
  lines: ClaimedLine[],
): Promise<void> {
  for (const line of lines) {
    if (line.purchaseLimit === null) continue;
    const claimed = await statements(tx)`
      insert into purchase_claims (user_id, plan_id, slot, order_id, person)
      select ${userId}, ${line.planId}::int, slot, ${orderId}, ${person}
      from generate_series(1, ${line.purchaseLimit}::int) as slot
      where slot not in (select c.slot from purchase_claims c
        where c.plan_id = ${line.planId} and (c.user_id = ${userId} or c.person = ${person}))
      order by slot limit ${line.quantity}
      on conflict do nothing returning slot`.execute();
    if (claimed.length === 0 && line.unitPriceCents === 0) throw new ShopError("already_claimed");
    if (claimed.length < line.quantity)
      throw new ShopError("purchase_limit", { params: { limit: line.purchaseLimit } });
  }
}

/** One after the other: orders of one buyer, and changes of one cart. */
export async function lockBuyer(tx: Tx, userId: string): Promise<void> {
  await statements(tx)`select 1 from users where id = ${userId} for no key update`.execute();
}

/** The buyer's orders that wait to be paid: how many units they hold, and whether one has a coupon of a first order. */
export type Unpaid = { units: number; hasFirstOrderCoupon: boolean };

/** As a column, so that it can be read beside something else. */
export const selectUnpaid = (tx: Tx, userId: string) => statements(tx)`(
  select json_build_object('units', coalesce(sum(l.quantity), 0),
    'hasFirstOrderCoupon', coalesce(bool_or(c.first_order_only), false))
  from orders o join order_lines l on l.order_id = o.id left join coupons c on c.order_id = o.id
  where o.user_id = ${userId} and o.status in ('pending', 'processingPayment'))`;

export async function findUnpaid(tx: Tx, userId: string): Promise<Unpaid> {
  const [row] = await statements(tx)<
    { unpaid: Unpaid }[]
  >`select ${selectUnpaid(tx, userId)} as unpaid`.execute();
  return row!.unpaid;
}

/**
 * What came into stock belongs first to those who paid and wait for it: when a new order has taken its keys, enough
 * for them must be left. What they wait for and what is left are counted at one moment: a key that is just being handed
 * to one of them would else be missed twice.
 * @throws ShopError sold_out
 */
export async function assertStockNotOwed(tx: Tx, planIds: number[]): Promise<void> {
  const short = await statements(tx)`
    select from (
      select l.plan_id, sum(l.quantity - (select count(*) from keys k where k.order_line_id = l.id and k.state = 'assigned'))::int as units
      from order_lines l where l.state = 'waiting' and l.plan_id = any(${planIds}::int[]) group by l.plan_id) o
    where (select count(*) from (
      select from keys k where k.plan_id = o.plan_id and ${client().unsafe(SELLABLE_KEY)} limit o.units) s) < o.units`.execute();
  if (short.length > 0) throw new ShopError("sold_out");
}
