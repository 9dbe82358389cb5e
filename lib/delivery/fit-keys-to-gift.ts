import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import { GIFT_UNTIL_SQL } from "@/lib/delivery/library/key-state-sql";
import { releaseKeys } from "./release-reserved-keys";
import { type RequestedUnits, reserveKeys } from "./reserve-keys";
import { GIFT_REDEEM_DAYS } from "./rules";

/**
 * Swaps the reserved keys of an unpaid gift that would not last until its recipient can redeem them. Returns the last day on
 * which the gift could be delivered when too few keys last; nothing may be kept of the transaction then.
 */
export async function fitKeysToGift(tx: Tx, orderId: string): Promise<string | null> {
  const lines = await tx.execute<RequestedUnits & { unfit: string[] }>(sql`
    select l.id as "lineId", l.plan_id as "planId", count(k.id)::int as quantity, json_agg(k.id) as unfit
    from order_lines l join keys k on k.order_line_id = l.id and k.state = 'reserved'
    where l.order_id = ${orderId} and k.sell_by <= (${sql.raw(GIFT_UNTIL_SQL)} l.id) group by l.id order by l.plan_id`);
  if (lines.length === 0) return null;
  await releaseKeys(tx, sql`id in ${lines.flatMap(({ unfit }) => unfit)}`);
  const short = await reserveKeys(tx, [...lines], "wait");
  return short.length > 0 ? findLastGiftDay(tx, orderId) : null;
}

/** The last day on which a gift could be delivered with the keys of its order and, of an unpaid one, those in stock. */
export async function findLastGiftDay(tx: Tx, orderId: string): Promise<string | null> {
  const [row] = await tx.execute<{ lastDay: string | null }>(sql`
    select (min((last.sell_by - interval '1 microsecond') at time zone 'UTC'))::date - ${GIFT_REDEEM_DAYS}::int as "lastDay"
    from order_lines l cross join lateral (
      select k.sell_by from keys k where k.order_line_id = l.id and k.state in ('reserved', 'assigned')
        or l.state = 'reserved' and k.plan_id = l.plan_id and ${sql.raw(SELLABLE_KEY)}
      order by k.sell_by desc nulls first offset l.quantity - 1 limit 1) last
    where l.order_id = ${orderId}`);
  return row?.lastDay ?? null;
}
