import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import { MAX_QUEUED, type QueueState } from "@/lib/platform/console/list";
import { rowCount } from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";

/** SQL: `waited`, the plans with people on their wait-list, each found by one step in its index. */
export const WAITED_PLANS = sql`
  with recursive waited as (
    (select plan_id from wait_list where outcome is null order by plan_id limit 1)
    union all select (select w.plan_id from wait_list w where w.outcome is null and w.plan_id > p.plan_id order by w.plan_id limit 1)
    from waited p where p.plan_id is not null)`;

/** Plans without a code in stock that people wait for, and since when the first does. */
export async function countSoldOut(): Promise<QueueState> {
  const [row] = await db.execute<QueueState>(sql`
    ${WAITED_PLANS}
    select count(*)::int as count, min(w.created_at) as oldest_at
    from (select plan_id from waited where plan_id is not null limit ${rowCount(MAX_QUEUED)}) p
    cross join lateral (select created_at from wait_list q
      where q.plan_id = p.plan_id and q.outcome is null order by created_at limit 1) w
    where not exists (select from keys k where k.plan_id = p.plan_id and ${sql.raw(SELLABLE_KEY)})`);
  const { count, oldest_at } = row!;
  return { count, oldest_at: instant(oldest_at) };
}
