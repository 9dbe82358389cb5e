import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import {
  DISCOUNT_DAYS,
  HIGH_DISCOUNT_CENTS,
  HIGH_DISCOUNT_SHARE,
  REVIEW_DAYS,
  REVIEW_GROWTH_TENTHS,
} from "./rules";

/** Merchants whose sales one statement adds up. */
const MERCHANTS_AT_ONCE = 200;

/**
 * Counts the recent sales of each merchant, and the share of them that the shop's coupons paid; fully refunded sales
 * are left out. A merchant with a high share is flagged until a count finds it lower or staff review it, and again when
 * the share has grown by a fifth or 30 days have passed.
 */
export async function countShopDiscounts(): Promise<void> {
  let after = "";
  for (;;) {
    const counted = await db.execute<{ last: string | null; merchants: number }>(sql`
      with part as (select m.id from merchants m where m.id > ${after} order by m.id limit ${MERCHANTS_AT_ONCE}),
        counted as (
          insert into merchant_discounts as d (merchant_id, gross_cents, discount_cents, high_since, counted_at)
          select part.id, s.gross, s.discount, case when ${IS_HIGH} then shop_now() end, shop_now()
          from part cross join lateral (
            select coalesce(sum(x.gross_cents), 0)::bigint as gross,
              coalesce(sum(x.discount_cents) filter (where x.funded_by = 'shop'), 0)::bigint as discount
            from merchant_sales x where x.merchant_id = part.id and x.state <> 'refunded'
              and x.sold_at > shop_now() - make_interval(days => ${DISCOUNT_DAYS})) s
          on conflict (merchant_id) do update set gross_cents = excluded.gross_cents, discount_cents = excluded.discount_cents,
            high_since = case when excluded.high_since is not null then
              case when ${IS_BACK} then excluded.high_since else coalesce(d.high_since, excluded.high_since) end end,
            looked_at = case when not (${IS_BACK}) then d.looked_at end,
            counted_at = excluded.counted_at)
      select max(id) as last, count(*)::int as merchants from part`);
    const { last, merchants } = counted[0]!;
    if (last === null || merchants < MERCHANTS_AT_ONCE) return;
    after = last;
  }
}

const IS_HIGH = sql`s.discount >= ${HIGH_DISCOUNT_CENTS} and s.discount >= s.gross * ${HIGH_DISCOUNT_SHARE}::numeric`;
/** What staff have looked at is before them again. A part that fell meanwhile and rose again is not new to them. */
const IS_BACK = sql`d.looked_at is not null and (shop_now() >= d.looked_at + make_interval(days => ${REVIEW_DAYS})
  or excluded.high_since is not null and excluded.discount_cents::numeric * d.looked_gross_cents * 10
    >= d.looked_discount_cents::numeric * excluded.gross_cents * ${REVIEW_GROWTH_TENTHS}::numeric)`;
