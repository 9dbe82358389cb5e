import { type SQL, sql } from "drizzle-orm";
import { ShownFields } from "@/lib/catalog/import/contract-fields";
import { PRICE_HISTORY } from "@/lib/catalog/pricing/rules-history";
import { AVAILABILITY_NOW, SELLABLE_KEY, STOCK_COUNTED } from "@/lib/catalog/rules";
import type { Locale } from "@/lib/platform/i18n/locales";

/** The number of keys of a plan that can be sold, counted up to STOCK_COUNTED. */
export const stockCountSql = (planId: SQL): SQL =>
  sql`(select count(*)::int from (select from keys k where k.plan_id = ${planId} and ${sql.raw(SELLABLE_KEY)} limit ${STOCK_COUNTED}) counted)`;

const SHOWN_FIELDS = Object.keys(ShownFields)
  .map((name) => `'${name}', p.${name}`)
  .join(", ");

/** The fields of a product `p` and its image for a JSON object; needs `joinTextsSql`. Missing translations are in English. */
export const productJsonSql = (locale: Locale): SQL =>
  sql`'product', json_build_object('product_id', p.id, ${sql.raw(SHOWN_FIELDS)}, 'maker', p.vendor,
    'vendor_slug', p.vendor_slug, 'category_name', coalesce(c.names ->> ${locale}, c.names ->> 'en'),
    'sort_num', p.sort_num, 'language', coalesce(t.locale, 'en'), 'product_name', coalesce(t.name, translate_product_text(e.name, ${locale})),
    'product_tagline', coalesce(t.tagline, translate_product_text(e.tagline, ${locale})),
    'product_description', coalesce(t.description, e.description)), 'image', p.image,
    'ratings', (select json_build_object('count', count(*), 'sum', sum(r.rating)) from reviews r
      where r.product_id = p.id and r.state = 'published')`;

/** Joins the category `c` of a product `p`, its English texts `e`, and its texts `t` in the reader's language. */
export const joinTextsSql = (locale: Locale): SQL =>
  sql`join categories c on c.slug = p.category
    join product_texts e on e.product_id = p.id and e.locale = 'en'
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}`;

/** The price of a plan `pl` for a JSON object, with its deal; needs `JOIN_DEALS`. */
export const PLAN_JSON = sql`'id', pl.id, 'availability', ${sql.raw(AVAILABILITY_NOW)}, 'type', pl.type, 'durationDays', pl.duration_days,
    'priceCents', pl.price_cents, 'listPriceCents', pl.list_price_cents,
    'deal', case when d.id is not null then json_build_object('id', d.id, 'priceCents', d.price_cents, 'endsAt', d.ends_at,
      'quantity', d.quantity, 'claimed', d.claimed) end,
    'history', ${sql.raw(PRICE_HISTORY)}`;

/** Joins the deal `d` of each plan `pl`. A subquery per plan would scan the small table of deals each time. */
export const JOIN_DEALS = sql`left join deals d on d.plan_id = pl.id and d.ended_at is null`;
