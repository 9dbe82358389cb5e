import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import type { ProductRecord } from "./contract";
import { plainColumns } from "./field-sql";
import { type StoredProduct, toCatalogRecord } from "./rules";

/** SQL: the fields of a plan `pl` that a record names. */
export const PLAN_FIELDS = `'type', pl.type, 'duration_days', pl.duration_days, 'price_cents', pl.price_cents,
  'list_price_cents', pl.list_price_cents, 'purchase_limit', pl.purchase_limit, 'redeem_margin_days', pl.redeem_margin_days, 'availability', pl.availability,
  'releases_at', pl.releases_at, 'region', pl.region, 'activation', pl.activation, 'includes', pl.includes,
  'deal', (select json_build_object('price_cents', d.price_cents, 'ends_at', d.ends_at, 'quantity', d.quantity)
    from deals d where d.plan_id = pl.id and d.ended_at is null and d.ends_at > shop_now())`;

/** The records of products, by id. */
export async function readProductRecords(
  ids: readonly number[],
  within: Db = db,
): Promise<Map<number, ProductRecord>> {
  if (ids.length === 0) return new Map();
  const rows = await within.execute<StoredProduct & { id: number }>(sql`
    select p.id, ${sql.raw(plainColumns("p."))}, p.image, p.sort_num, p.published as listed, p.activation, p.search_terms,
      (select json_object_agg(t.locale, json_build_object('name', t.name, 'tagline', t.tagline,
        'description', t.description, 'includes', t.includes)) from product_texts t where t.product_id = p.id) as texts,
      (select coalesce(json_agg(json_build_object(${sql.raw(PLAN_FIELDS)}) order by pl.position, pl.id), '[]')
        from plans pl where pl.product_id = p.id and pl.listed) as plans
    from products p where p.id = any(${sql.param([...ids])}::int[])`);
  return new Map(rows.map(({ id, ...product }) => [id, toCatalogRecord(product)]));
}
