import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { addCacheTags } from "@/lib/platform/page-cache/tags";

/** The share of a price that the shop keeps of a new merchant's sales now, in per cent, where no rule for a part of them says otherwise. */
export async function readDefaultCommission(): Promise<number> {
  addCacheTags("commission");
  const [row] = await db.execute<{ bps: number }>(sql`
    select bps from commission_rules
    where merchant_id is null and category is null and pass_type is null and valid_from <= shop_now()
    order by valid_from desc, created_at desc, id desc limit 1`);
  return row!.bps / 100;
}
