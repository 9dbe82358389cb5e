import { sql } from "drizzle-orm";
import { AVAILABILITY_NOW, SELLABLE_KEY } from "@/lib/catalog/rules";
import { RUNNING_DEAL_SQL } from "@/lib/notifications/deals/announce-deals";

/** SQL: a plan `pl` is listed and can be bought now. */
export const BUYABLE_SQL = sql`(pl.listed and (${sql.raw(AVAILABILITY_NOW)} = 'pre_order' or (${sql.raw(AVAILABILITY_NOW)} = 'in_stock'
  and exists (select from keys k where k.plan_id = pl.id and ${sql.raw(SELLABLE_KEY)}))))`;

/** SQL: the price of a plan `pl` now, with its running deal. */
export const PRICE_NOW_SQL = sql`coalesce((select d.price_cents from deals d where d.plan_id = pl.id and ${RUNNING_DEAL_SQL}), pl.price_cents)`;

/** SQL: prices in cents by plan, and whether any plan is in stock, of the product of a wish `w`. */
export const PRODUCT_NOW_SQL = sql`lateral (
  select coalesce(jsonb_object_agg(pl.id, ${PRICE_NOW_SQL}) filter (where ${BUYABLE_SQL}), '{}') as prices,
    coalesce(bool_or(${BUYABLE_SQL}), false) as in_stock,
    -- Held keys may come back within the hour, so a product whose last keys are held is not sold out yet.
    coalesce(bool_or(pl.listed and exists (select from keys k where k.plan_id = pl.id and k.state = 'reserved')), false) as held
  from plans pl join products p on p.id = pl.product_id and p.listed where pl.product_id = w.product_id) now`;
