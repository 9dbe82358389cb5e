import { sql } from "drizzle-orm";
import { db } from "@/db/client";

/**
 * Refreshes the listing index for products that changed without a write (a deal ends, a pass is released, a code
 * expires), and for those that another transaction had locked. The worker calls it every second. Returns whether
 * something was due.
 */
export async function refreshListingIndex(): Promise<boolean> {
  const [row] = await db.execute<{ stale: boolean }>(sql`select listing_index_is_stale() as stale`);
  if (!row?.stale) return false;
  await db.execute(sql`
    with refresh_lock as materialized (select pg_advisory_xact_lock(hashtext('refresh_listing_index')))
    select refresh_listing_index() from refresh_lock`);
  return true;
}
