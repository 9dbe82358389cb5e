import { type SQL, sql } from "drizzle-orm";
import { type Db, preparedDb, replicaDb } from "@/db/client";
import type { ProductDetail } from "@/lib/catalog/contract";
import {
  JOIN_DEALS,
  joinTextsSql,
  PLAN_JSON,
  productJsonSql,
  stockCountSql,
} from "@/lib/catalog/listing/product-sql";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import { ShopError } from "@/lib/platform/errors";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { addCacheTags } from "@/lib/platform/page-cache/tags";
import { type DetailRow, productDetail } from "./rules";

/** A product by slug or number. */
export type ProductRef = { slug: string } | { id: number };

/**
 * The product with its plans, prices, stock and refund rules (`/product/detail/{id}`,
 * docs/product.md#73-catalogue-search-blog), or null. Missing translations are in English, and `language` says so.
 */
export async function findProductPage(input: ProductRef & { locale: Locale }): Promise<ProductDetail | null> {
  const { locale } = input;
  const condition =
    "slug" in input ? sql`p.slug = ${input.slug.replaceAll("\0", "")}` : sql`p.id = ${input.id}`;
  const [found] = await selectDetails(preparedDb, condition, locale);
  if (!found) addCacheTags("list");
  else addCacheTags(`product:${found.row.product.product_id}`, `merchant:${found.row.seller.handle}`);
  return found ? productDetail(found.row, locale) : null;
}

/**
 * Like `findProductPage`, for many products in one statement, by default on the replica (the feed); those without listed plans
 * are left out. Sorted by number.
 */
export async function listProductPages(
  ids: readonly number[],
  locale: Locale,
  connection: Db = replicaDb,
): Promise<ProductDetail[]> {
  const rows = await selectDetails(connection, sql`p.id = any(${sql.param([...ids])}::int[])`, locale);
  return rows.flatMap(({ row }) => productDetail(row, locale) ?? []);
}

export function selectDetails(connection: Db, condition: SQL, locale: Locale) {
  return connection.execute<{ row: DetailRow }>(sql`
    select json_build_object('now', shop_now(), ${productJsonSql(locale)},
      'includes', coalesce(t.includes, e.includes),
      'seller', json_build_object('handle', m.handle, 'name', m.name,
        'legal_name', (select x.value from merchant_trade_fields x where x.merchant_id = m.id and x.field = 'legal_name'),
        'city', (select x.value ->> 'city' from merchant_trade_fields x where x.merchant_id = m.id and x.field = 'address')),
      'activation', p.activation,
      'languages', (select json_agg(l.locale order by array_position(${sql.param([...LOCALES])}::text[], l.locale))
        from product_texts l where l.product_id = p.id),
      'plans', (select coalesce(json_agg(json_build_object(${PLAN_JSON},
          'purchase_limit', pl.purchase_limit, 'releases_at', case when pl.availability = 'pre_order' then pl.releases_at end, 'region', pl.region,
          'activation', pl.activation, 'includes', coalesce(pl.includes -> ${locale}, pl.includes -> 'en'), 'stock', ${stockCountSql(sql`pl.id`)},
          'redeem_by', (select k.redeem_by from keys k where k.plan_id = pl.id and ${sql.raw(SELLABLE_KEY)}
            order by k.redeem_by, k.created_at, k.id limit 1), 'redeem_margin_days', sell_margin(pl)) order by pl.position), '[]')
        from plans pl ${JOIN_DEALS} where pl.product_id = p.id and pl.listed)) as row
    from products p join merchants m on m.id = p.merchant_id ${joinTextsSql(locale)}
    where p.listed and ${condition} order by p.id`);
}

/** Like `findProductPage`, for an existing product. @throws ShopError product_unknown */
export async function getProductPage(input: ProductRef & { locale: Locale }): Promise<ProductDetail> {
  const product = await findProductPage(input);
  if (!product) throw new ShopError("product_unknown");
  return product;
}
