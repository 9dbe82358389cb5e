import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { UserViewer } from "@/lib/platform/auth/session";
import { instant } from "@/lib/platform/instant";
import { CODE_OWNER_SQL, PASS_STARTED_AT_SQL } from "./key-state-sql";

/** When the viewer's running passes of these products end, by product. A pass that is bought now starts after them. */
export async function findRunningEnds(
  { userId }: UserViewer,
  productIds: readonly number[],
): Promise<Record<number, string>> {
  const rows = await db.execute<{ product_id: number; ends_at: string }>(sql`
    select l.product_id, max(${PASS_STARTED_AT_SQL} + make_interval(days => l.duration_days)) as ends_at
    from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
    where o.id in (select id from orders where user_id = ${userId} union select order_id from gifts where claimed_by = ${userId})
      and l.product_id = any(${sql.param([...productIds])}::int[]) and k.state = 'assigned' and ${CODE_OWNER_SQL} = ${userId}
      and ${PASS_STARTED_AT_SQL} + make_interval(days => l.duration_days) > shop_now()
    group by l.product_id`);
  return Object.fromEntries(rows.map((row) => [row.product_id, instant(row.ends_at)]));
}
