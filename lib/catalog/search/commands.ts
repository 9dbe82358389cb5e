import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { enqueue } from "@/lib/platform/jobs/queue";
import { MeasureSearch } from "./contract-jobs";

/**
 * Brings the search's documents up to date with what was written of these products, and of all products of these
 * categories (docs/decisions/0012-search-in-postgres.md). Runs in the transaction that wrote them.
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

/**
 * Measures anew how far down the list of products, the most wanted first, so and so many are found (migration 0018):
 * what keeps a common word quick in a large catalogue. Half a second for 100,000 products. A search finds the same
 * without it, or with an old one, only later.
 */
export async function measureSearch(): Promise<void> {
  await db.execute(sql`select measure_search()`);
}

/** Has the search measured when an import is through. */
export const enqueueMeasureSearch = () =>
  enqueue(db, MeasureSearch, {}, { jobKey: MeasureSearch.name, priority: 10 });
