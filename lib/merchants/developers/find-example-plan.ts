import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";

/** A plan that the shop has not: for a merchant without a product. */
const NO_PLAN = 1;

/** The plan of the examples: one of the merchant's newest product. */
export async function findExamplePlan({
  merchant,
}: {
  merchant: Pick<MerchantViewer["merchant"], "id">;
}): Promise<number> {
  const [row] = await db.execute<{ id: number }>(sql`
    select x.id from (select id from products where merchant_id = ${merchant.id} order by id desc limit 1) p
    join plans x on x.product_id = p.id order by x.position limit 1`);
  return row?.id ?? NO_PLAN;
}
