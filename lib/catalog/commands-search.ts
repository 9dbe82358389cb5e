import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";

/**
 * Brings the search's documents up to date with what was written of these products, and of all products of these
 * categories (performance.md, design 6). Runs in the transaction that wrote them.
 */
export async function indexProducts(
  tx: Db,
  { products = [], categories = [] }: { products?: number[]; categories?: string[] },
): Promise<void> {
  if (products.length + categories.length === 0) return;
  const ids = `{${products.join(",")}}`;
  await tx.execute(sql`
    select refresh_product_documents(array(select unnest(${ids}::int[])
      union select id from products where category in (select jsonb_array_elements_text(${JSON.stringify(categories)}::jsonb))))`);
}

/** Writes the documents of all products anew, and the list of their words, from which words no longer used go. */
export async function rebuildSearch(tx: Db = db): Promise<void> {
  await tx.execute(sql`select refresh_product_documents(null)`);
}
