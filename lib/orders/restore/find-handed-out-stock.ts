import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { JournalReport } from "./read-checked-journal";

/** The keys that the journal names and that are in stock here, or withheld. */
export async function findHandedOutStock(journaled: JournalReport["orders"]): Promise<string[]> {
  const rows = await readUnsold(journaled);
  return rows.filter(({ orderId }) => orderId === null).map(({ id }) => id);
}

/**
 * The keys that an order holds here and that were handed out later with another one, because they were returned
 * unrevealed in between.
 */
export async function findSoldElsewhere(journaled: JournalReport["orders"]): Promise<string[]> {
  const keyIds = [...journaled.keys()];
  const found: string[] = [];
  for (let from = 0; from < keyIds.length; from += KEYS_PER_LOOKUP) {
    const some = sql.param(keyIds.slice(from, from + KEYS_PER_LOOKUP));
    const rows = await db.execute<{ id: string; orderId: string }>(sql`
      select k.id, l.order_id as "orderId" from keys k join order_lines l on l.id = k.order_line_id
      where k.id = any(${some}::text[]) and k.state = 'assigned' order by k.id`);
    found.push(...rows.filter(({ id, orderId }) => !journaled.get(id)!.has(orderId)).map(({ id }) => id));
  }
  return found;
}

const KEYS_PER_LOOKUP = 5_000;

type UnsoldKey = { id: string; orderId: string | null; isPaid: boolean };

async function readUnsold(journaled: JournalReport["orders"]): Promise<UnsoldKey[]> {
  const keyIds = [...journaled.keys()];
  const found: UnsoldKey[] = [];
  for (let from = 0; from < keyIds.length; from += KEYS_PER_LOOKUP) {
    const some = sql.param(keyIds.slice(from, from + KEYS_PER_LOOKUP));
    found.push(
      ...(await db.execute<UnsoldKey>(sql`
        select k.id, o.id as "orderId", coalesce(o.status not in ('pending', 'processingPayment'), false) as "isPaid"
        from keys k left join order_lines l on l.id = k.order_line_id left join orders o on o.id = l.order_id
        where k.id = any(${some}::text[]) and k.state in ('available', 'withheld', 'reserved') order by k.id`)),
    );
  }
  return found;
}

/**
 * What holds keys that may have been handed out, once the provider was asked. `unpaidOrders`: unpaid orders that hold keys
 * which the journal names, or keys of a plan that is withheld, because they may have ended after the restored moment.
 * `misplaced`: keys that a paid order holds and that were handed out with another one.
 */
export async function findDoubtfulHolds(
  journaled: JournalReport["orders"],
  withheldPlanIds: number[],
): Promise<{ unpaidOrders: string[]; misplaced: string[] }> {
  const named = (await readUnsold(journaled)).filter(({ orderId }) => orderId !== null);
  const holding = await db.execute<{ id: string }>(sql`
    select distinct o.id from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
    where k.state = 'reserved' and o.status in ('pending', 'processingPayment')
      and k.plan_id = any(${sql.param(withheldPlanIds)}::int[])`);
  const unpaid = named.filter(({ isPaid }) => !isPaid).map(({ orderId }) => orderId!);
  const isMisplaced = ({ id, orderId, isPaid }: UnsoldKey) => isPaid && !journaled.get(id)!.has(orderId!);
  return {
    unpaidOrders: [...new Set([...unpaid, ...holding.map(({ id }) => id)])].sort(),
    misplaced: named.filter(isMisplaced).map(({ id }) => id),
  };
}
