import { sql } from "drizzle-orm";
import { preparedDb } from "@/db/client";
import type { ComparedPass } from "@/lib/catalog/contract";
import type { Locale } from "@/lib/platform/i18n/locales";
import { selectDetails } from "./find-product-page";
import { productDetail } from "./rules";

/** The passes with these numbers, in this order, without those that are not on sale (`/compare`, docs/product.md#21-pages). */
export async function listComparedPasses(
  planIds: readonly number[],
  locale: Locale,
): Promise<ComparedPass[]> {
  if (planIds.length === 0) return [];
  const rows = await selectDetails(
    preparedDb,
    sql`p.id in (select product_id from plans where id = any(${sql.param([...planIds])}::int[]) and listed)`,
    locale,
  );
  const passes = new Map<number, ComparedPass>();
  for (const { row } of rows) {
    const { vip_options, ...product } = productDetail(row, locale) ?? { vip_options: [] };
    for (const plan of vip_options)
      passes.set(plan.vip_id, { product: product as ComparedPass["product"], plan });
  }
  return planIds.flatMap((id) => passes.get(id) ?? []);
}
