import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/** Updates search documents and listing index of these products and categories, in the transaction of the change. */
export async function indexProducts(
  tx: Db,
  { products = [], categories = [] }: { products?: number[]; categories?: string[] },
): Promise<void> {
  if (products.length + categories.length === 0) return;
  const ids = sql`array(select unnest(${`{${products.join(",")}}`}::int[])
    union select id from products where category in (select jsonb_array_elements_text(${JSON.stringify(categories)}::jsonb)))`;
  await tx.execute(sql`select refresh_search_documents(${ids})`);
  await tx.execute(sql`select from products where id = any(${ids}) order by id for no key update`);
  await tx.execute(sql`select write_listing_index(${ids})`);
}
