import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { COUNTED_STOCK } from "@/lib/catalog/console/rules";
import { type PassType, SELLABLE_KEY } from "@/lib/catalog/rules";
import { rowCount, versionSql } from "@/lib/platform/console/query";
import { DEFAULT_LOCALE, type Locale } from "@/lib/platform/i18n/locales";

/** A plan with withheld keys. */
export type WithheldPlan = {
  planId: number;
  productId: number;
  product: string;
  passType: PassType;
  durationDays: number | null;
  withheld: number;
  available: number;
  /** units of paid orders that wait for a key */
  waiting: number;
  version: string;
};

/**
 * SQL: the withheld keys of a plan as they are shown, counted to COUNTED_STOCK: how many, and their version, which is of as many
 * keys.
 */
export const withheldSql = (planId: SQL) => sql`(
  select count(*)::int as withheld, ${versionSql(planId, sql`jsonb_agg(k.id order by k.id)`)} as version
  from (select k.id from keys k where k.plan_id = ${planId} and k.state = 'withheld' limit ${rowCount(COUNTED_STOCK)}) k)`;

/** The plans whose keys wait until staff release them (docs/operations.md#restore), most keys first. */
export async function listWithheldPlans(locale: Locale = DEFAULT_LOCALE): Promise<WithheldPlan[]> {
  return db.execute<WithheldPlan>(sql`
    select pl.id as "planId", p.id as "productId", coalesce(t.name, translate_product_text(e.name, ${locale}), p.slug) as product, pl.type as "passType", pl.duration_days as "durationDays",
      k.withheld, v.version, (select count(*)::int from keys k where k.plan_id = pl.id and ${sql.raw(SELLABLE_KEY)}) as available,
      (select coalesce(sum(l.quantity), 0)::int from order_lines l join orders o on o.id = l.order_id
        where l.plan_id = pl.id and l.state = 'waiting' and o.status = 'processing') as waiting
    from (select plan_id, count(*)::int as withheld from keys where state = 'withheld' group by plan_id) k
    join plans pl on pl.id = k.plan_id join products p on p.id = pl.product_id cross join lateral ${withheldSql(sql`pl.id`)} v
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    left join product_texts e on e.product_id = p.id and e.locale = 'en'
    order by k.withheld desc, pl.id`);
}
