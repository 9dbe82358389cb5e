import { client, statements, type Tx } from "@/db/client";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import { GIFT_UNTIL_SQL } from "@/lib/delivery/library/key-state-sql";
import { ShopError } from "@/lib/platform/errors";

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
