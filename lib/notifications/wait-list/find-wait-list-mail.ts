import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { WaitListProps } from "@/emails/wait-list";
import { AVAILABILITY_NOW, SELLABLE_KEY } from "@/lib/catalog/rules";
import { RUNNING_DEAL_SQL } from "@/lib/notifications/deals/announce-deals";
import type { Locale } from "@/lib/platform/i18n/locales";

/** The data of a wait-list email; null when the plan is sold out again. */
export async function findWaitListMail(waitListId: string, locale: Locale): Promise<WaitListProps | null> {
  const [row] = await db.execute<WaitListProps>(sql`
    select p.slug, pl.id as "vipId", coalesce(t.name, translate_product_text(e.name, ${locale})) as "productName", case when t.locale is null and translate_product_text(e.name, ${locale}) = e.name then 'en' else ${locale} end as language,
      p.vendor, pl.type as "vipType", pl.duration_days as "durationDays",
      coalesce((select d.price_cents from deals d where d.plan_id = pl.id and ${RUNNING_DEAL_SQL}), pl.price_cents) as "priceCents"
    from wait_list w join plans pl on pl.id = w.plan_id and pl.listed join products p on p.id = pl.product_id and p.listed
    join product_texts e on e.product_id = p.id and e.locale = 'en'
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    where w.id = ${waitListId} and w.outcome = 'notified' and ${sql.raw(AVAILABILITY_NOW)} = 'in_stock'
      and exists (select from keys k where k.plan_id = pl.id and ${sql.raw(SELLABLE_KEY)})`);
  return row ?? null;
}
