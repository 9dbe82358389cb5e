import { sql } from "drizzle-orm";
import { db } from "@/db/client";

/** Days for which the prices of the demo catalogue count as charged before its import. */
const DEMO_DAYS = 60;

/**
 * Adds a past to the prices of the demo catalogue, so that its deals have an earlier price to be compared with
 * (docs/product.md#818-prices-and-their-history). Only for a catalogue that is invented as a whole.
 */
export async function addDemoPriceHistory(): Promise<void> {
  await db.execute(sql`
    insert into price_changes (plan_id, kind, cents, at, by)
    select id, 'price', price_cents, shop_now() - make_interval(days => ${DEMO_DAYS}), 'demo' from plans order by id`);
}
