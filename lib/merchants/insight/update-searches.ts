import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import type { productSearches } from "@/db/schema/merchants";
import { COUNTED_SEARCHES } from "@/lib/merchants/insight/rules";
import { type AnsweredSearch, answerFrequentSearches } from "@/lib/tracking/insight/answer-frequent-searches";
import { updateEmptySearches } from "@/lib/tracking/insight/update-empty-searches";

/** Runs the most frequent searches of the last weeks again, once for the figures of both staff and merchants. */
export async function updateSearches(): Promise<void> {
  const answered = await answerFrequentSearches();
  await updateEmptySearches(answered);
  await updateProductSearches(answered.slice(0, COUNTED_SEARCHES));
}

/** Rewrites product_searches: the products that the search shows first. */
async function updateProductSearches(answered: readonly AnsweredSearch[]): Promise<void> {
  const found = new Map<string, typeof productSearches.$inferInsert>();
  for (const { folded: content, searches, products } of answered) {
    for (const [i, product] of products.entries()) {
      const key = `${product} ${content}`;
      const before = found.get(key);
      const place = Math.min(i + 1, before?.place ?? Infinity);
      found.set(key, {
        productId: product,
        merchantId: "",
        content,
        searches: searches + (before?.searches ?? 0),
        place,
      });
    }
  }
  await transaction(async (tx) => {
    await tx.execute(sql`delete from product_searches`);
    const all = [...found.values()];
    if (all.length === 0) return;
    await tx.execute(sql`
      insert into product_searches (product_id, merchant_id, content, searches, place)
      select i.product_id, p.merchant_id, i.content, i.searches, i.place
      from unnest(${sql.param(all.map((row) => row.productId))}::int[], ${sql.param(all.map((row) => row.content))}::text[],
        ${sql.param(all.map((row) => row.searches))}::int[], ${sql.param(all.map((row) => row.place))}::int[])
        i(product_id, content, searches, place) join products p on p.id = i.product_id`);
  });
}
