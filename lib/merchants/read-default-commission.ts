import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { addCacheTags } from "@/lib/platform/page-cache/tags";

/**
 * The shop's current commission on a new merchant's sales in per cent, without the rules for parts of the catalogue.
 */
export async function readDefaultCommission(): Promise<number> {
  addCacheTags("commission");
  const [row] = await db.execute<{ bps: number }>(sql`
    select bps from commission_rules
    where merchant_id is null and category is null and pass_type is null and valid_from <= shop_now()
    order by valid_from desc, created_at desc, id desc limit 1`);
  return row!.bps / 100;
}
