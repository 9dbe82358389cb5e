import { sql } from "drizzle-orm";
import { db } from "@/db/client";

/** Those of the keys that were given in place of an earlier one of the same unit. */
export async function findReplacementKeys(keyIds: readonly string[]): Promise<string[]> {
  if (keyIds.length === 0) return [];
  const rows = await db.execute<{ id: string }>(sql`
    select k.id from keys k where k.id in ${keyIds} and exists (
      select from keys old join replacement_requests r on r.key_id = old.id and r.state = 'approved'
      where old.order_line_id = k.order_line_id and old.slot = k.slot and r.new_key_id = k.id)`);
  return rows.map(({ id }) => id);
}
