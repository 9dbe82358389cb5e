import { sql } from "drizzle-orm";
import { reportDb } from "@/db/client";
import type { DayFigures } from "./contract";

/**
 * The figures of the last days, the running one included, oldest first; days without a row are zero. They come from the
 * replica when it keeps up.
 */
export async function listDayFigures(days: number): Promise<DayFigures[]> {
  const rows = await reportDb.execute<Omit<DayFigures, "refundShare">>(sql`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(s.orders, 0) as orders,
      coalesce(s.revenue_cents, 0)::float8 as "revenueCents", coalesce(s.refunded_cents, 0)::float8 as "refundedCents",
      s.delivery_seconds as "deliverySeconds",
      (select count(*)::int from stock_daily k where k.day = d.day::date and k.ran_out > 0) as "stockOuts"
    from generate_series(((shop_now() at time zone 'UTC')::date - ${days - 1}::int)::timestamp,
      (shop_now() at time zone 'UTC')::date::timestamp, interval '1 day') d(day)
    left join sales_daily s on s.day = d.day::date order by d.day`);
  return rows.map((row) => ({
    ...row,
    refundShare: row.revenueCents > 0 ? row.refundedCents / row.revenueCents : null,
  }));
}
