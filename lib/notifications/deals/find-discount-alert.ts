import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { DealLine } from "@/emails/discount-alert";
import { comparePrice, PRICE_HISTORY, type PriceEntry } from "@/lib/catalog/pricing/rules-history";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import { DEALS_IN_MAIL } from "@/lib/notifications/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { RUNNING_DEAL_SQL } from "./announce-deals";

/** The running deals for a subscriber, soonest end first; null without deals or subscriber. */
export async function findDiscountAlert(subscriptionId: string, locale: Locale): Promise<DealLine[] | null> {
  type Row = Omit<DealLine, "endsAt" | "reduction"> & {
    endsAt: string;
    usualCents: number;
    listPriceCents: number | null;
    history: PriceEntry[] | null;
    now: string;
  };
  const rows = await db.execute<Row>(sql`
    select p.slug, pl.id as "vipId", coalesce(t.name, translate_product_text(e.name, ${locale})) as "productName", case when t.locale is null and translate_product_text(e.name, ${locale}) = e.name then 'en' else ${locale} end as language,
      p.vendor, pl.type as "vipType", pl.duration_days as "durationDays", d.price_cents as "priceCents",
      pl.price_cents as "usualCents", pl.list_price_cents as "listPriceCents", d.ends_at as "endsAt", shop_now() as now,
      ${sql.raw(PRICE_HISTORY)} as history
    from deals d join plans pl on pl.id = d.plan_id and pl.listed join products p on p.id = pl.product_id and p.listed
    join product_texts e on e.product_id = p.id and e.locale = 'en'
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    where ${RUNNING_DEAL_SQL} and exists (select from subscriptions where id = ${subscriptionId} and state = 'confirmed')
      and exists (select from keys k where k.plan_id = pl.id and ${sql.raw(SELLABLE_KEY)})
    order by d.ends_at, p.id limit ${DEALS_IN_MAIL}`);
  if (rows.length === 0) return null;
  return rows.map(({ endsAt, usualCents, listPriceCents, history, now, ...deal }) => {
    const price = { priceCents: deal.priceCents, replacedCents: usualCents, listPriceCents };
    const comparison = comparePrice(price, history ?? [], new Date(now));
    return {
      ...deal,
      reduction:
        comparison?.kind === "previous"
          ? { usualCents: comparison.cents, lowestCents: comparison.lowestCents }
          : null,
      endsAt: new Date(endsAt),
    };
  });
}
