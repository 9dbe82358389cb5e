import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { PassType } from "@/lib/catalog/rules";

/** A plan with withheld keys. */
export type WithheldPlan = {
  planId: number;
  product: string;
  passType: PassType;
  durationDays: number | null;
  withheld: number;
  available: number;
};

/** The plans whose keys wait until staff release them (docs/operations.md#restore), most keys first. */
export async function listWithheldPlans(): Promise<WithheldPlan[]> {
  return db.execute<WithheldPlan>(sql`
    select pl.id as "planId", coalesce(t.name, p.slug) as product, pl.type as "passType", pl.duration_days as "durationDays",
      k.withheld, (select count(*)::int from keys a where a.plan_id = pl.id and a.state = 'available') as available
    from (select plan_id, count(*)::int as withheld from keys where state = 'withheld' group by plan_id) k
    join plans pl on pl.id = k.plan_id join products p on p.id = pl.product_id
    left join product_texts t on t.product_id = p.id and t.locale = 'en'
    order by k.withheld desc, pl.id`);
}
