import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import type { PassType } from "@/lib/catalog/rules";
import type { ConsoleWithheldList } from "@/lib/delivery/console/contract-withheld";
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
};

/** The plans whose keys wait until staff release them (docs/operations.md#restore), most keys first. */
export async function listWithheldPlans(locale: Locale = DEFAULT_LOCALE): Promise<WithheldPlan[]> {
  return db.execute<WithheldPlan>(sql`
    select pl.id as "planId", p.id as "productId", coalesce(t.name, e.name, p.slug) as product, pl.type as "passType", pl.duration_days as "durationDays",
      k.withheld, (select count(*)::int from keys a where a.plan_id = pl.id and a.state = 'available') as available,
      (select coalesce(sum(l.quantity), 0)::int from order_lines l join orders o on o.id = l.order_id
        where l.plan_id = pl.id and l.state = 'waiting' and o.status = 'processing') as waiting
    from (select plan_id, count(*)::int as withheld from keys where state = 'withheld' group by plan_id) k
    join plans pl on pl.id = k.plan_id join products p on p.id = pl.product_id
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    left join product_texts e on e.product_id = p.id and e.locale = 'en'
    order by k.withheld desc, pl.id`);
}

/** The same for the console, in the reader's language. */
export async function listConsoleWithheld(locale: Locale): Promise<ConsoleWithheldList> {
  const plans = await listWithheldPlans(locale);
  const items = plans.map(({ planId, productId, product, passType, durationDays, ...counts }) => ({
    vip_id: planId,
    product_id: productId,
    product_name: product,
    vip_type_label: passLabel({ vip_type: passType, duration_days: durationDays }, locale),
    ...counts,
  }));
  return { items, total: items.length };
}
