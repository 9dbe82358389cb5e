import { sql } from "drizzle-orm";
import { preparedDb } from "@/db/client";
import type { ProductDetail } from "@/lib/catalog/contract";
import { selectDetails } from "@/lib/catalog/product/find-product-page";
import { productDetail } from "@/lib/catalog/product/rules";
import type { Locale } from "@/lib/platform/i18n/locales";

/** A product that an identifier names. `vipId`: the pass that it names; null if it names only the product. */
export type Identified = { product: ProductDetail; vipId: number | null };

const NUMBER = "([1-9]\\d{0,8})";
const PRODUCT = new RegExp(`^product_${NUMBER}$`);
const PASS = new RegExp(`^(?:[1-9]\\d{0,8}-)?${NUMBER}$`);

/**
 * Finds the products on sale that these identifiers name: `product_1001`, a pass (`5001`), its sku
 * (`1001-5001`), or a product's handle.
 */
export async function findByIdentifiers(
  ids: readonly string[],
  locale: Locale,
): Promise<Map<string, Identified>> {
  const productOf = (id: string) => Number(PRODUCT.exec(id)?.[1] ?? 0);
  const passOf = (id: string) => Number(PASS.exec(id)?.[1] ?? 0);
  const products = ids.map(productOf).filter(Boolean);
  const passes = ids.map(passOf).filter(Boolean);
  const handles = ids.filter((id) => /^[a-z0-9-]{1,120}$/.test(id));
  const rows = await selectDetails(
    preparedDb,
    sql`(p.id = any(${sql.param(products)}::int[]) or p.slug = any(${sql.param(handles)}::text[])
      or p.id in (select product_id from plans where id = any(${sql.param(passes)}::int[]) and listed))`,
    locale,
  );
  const details = rows.flatMap(({ row }) => productDetail(row, locale) ?? []);
  return new Map(
    ids.flatMap((id): [string, Identified][] => {
      const vipId = passOf(id);
      const ofPass = vipId && details.find((one) => one.vip_options.some(({ vip_id }) => vip_id === vipId));
      if (ofPass) return [[id, { product: ofPass, vipId }]];
      const product = details.find(({ product_id, slug }) => product_id === productOf(id) || slug === id);
      return product ? [[id, { product, vipId: null }]] : [];
    }),
  );
}
