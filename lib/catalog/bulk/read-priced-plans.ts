import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { productNameSql } from "@/lib/catalog/console/list-console-products";
import { PRICE_ENTRIES } from "@/lib/catalog/pricing/rules-history";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { PricedPlan } from "./rules";

/** Whose plans a reader sees; all plans without a merchant. */
export type PlanOwner = { merchantId?: string | undefined; locale: Locale };

/** SQL: the listed plans `pl` of products `p` that the owner sees. */
const ownPlans = ({ merchantId }: PlanOwner): SQL =>
  sql`pl.listed and ${merchantId === undefined ? sql`true` : sql`p.merchant_id = ${merchantId}`}`;

/** These listed plans with what the price rules need, by id; `now` is the shop's time. */
export async function readPricedPlans(
  within: Db,
  planIds: readonly number[],
  owner: PlanOwner,
): Promise<{ plans: Map<number, PricedPlan>; now: Date }> {
  const rows = await within.execute<PricedPlan & { now: string }>(sql`
    select pl.id as "planId", pl.product_id as "productId", pl.type || coalesce(':' || pl.duration_days, '') as kind,
      coalesce(${productNameSql("p.id", owner.locale)}, p.slug) as name, pl.availability, pl.duration_days as "durationDays",
      pl.price_cents as "regularCents", pl.list_price_cents as "listPriceCents",
      (select json_build_object('cents', d.price_cents, 'endsAt', floor(extract(epoch from d.ends_at) * 1000),
          'quantity', d.quantity, 'claimed', d.claimed)
        from deals d where d.plan_id = pl.id and d.ended_at is null and d.ends_at > shop_now()) as deal,
      ${sql.raw(PRICE_ENTRIES)} as history, to_json(shop_now()) as now
    from plans pl join products p on p.id = pl.product_id
    where pl.id = any(${sql.param(planIds)}::int[]) and ${ownPlans(owner)}`);
  const [clock] = await within.execute<{ now: string }>(sql`select to_json(shop_now()) as now`);
  return { plans: new Map(rows.map((row) => [row.planId, row])), now: new Date(clock!.now) };
}

export type PlanOfList = { vip_id: number; product: string; plan: string; price: number };

/** The next listed plans after an id, as the file of prices has them. */
export function listPlansForFile(
  within: Db,
  after: number,
  limit: number,
  owner: PlanOwner,
): Promise<PlanOfList[]> {
  return within.execute<PlanOfList>(sql`
    select pl.id as vip_id, coalesce(${productNameSql("p.id", owner.locale)}, p.slug) as product,
      pl.type || coalesce(':' || pl.duration_days, '') as plan, (pl.price_cents / 100.0)::float8 as price
    from plans pl join products p on p.id = pl.product_id
    where pl.id > ${after} and ${ownPlans(owner)} order by pl.id limit ${limit}`);
}
