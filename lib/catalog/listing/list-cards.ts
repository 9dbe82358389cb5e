import { type SQL, sql } from "drizzle-orm";
import { type Db, preparedDb } from "@/db/client";
import type { ListProductsInput, ProductItem, ProductList } from "@/lib/catalog/contract";
import { type CardRow, productItem } from "@/lib/catalog/product/rules";
import { AVAILABILITY_NOW, COUNTED_MATCHES } from "@/lib/catalog/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { addCacheTags, doNotCache } from "@/lib/platform/page-cache/tags";
import { type ListWindow, listingCountSql, listingPageSql, type PlanFilter } from "./listing-index-sql";
import { JOIN_DEALS, joinTextsSql, PLAN_JSON, productJsonSql, stockCountSql } from "./product-sql";

/** A page of plans, each with its `place`, and the total. Both may read `candidates`, which are computed once. */
export type ListSource = { candidates?: SQL; page: SQL; count: SQL };

export type ListSelection = PlanFilter &
  ListWindow & {
    locale: Locale;
    /** replaces the listing index as the source of the list */
    source?: ListSource;
    /** without a total */
    short?: boolean;
  };

/**
 * A self-contained subquery that returns the JSON object `{ total, cards }`. Each list of products is one prepared statement;
 * the number of texts is bounded, because they are composed of few fragments.
 */
export function cardsSql(selection: ListSelection): SQL {
  const { locale, short, source } = selection;
  const page = source?.page ?? listingPageSql(selection, selection);
  const count = source?.count ?? listingCountSql(selection);
  return sql`(
    with candidates as materialized ${source?.candidates ?? sql`(select)`}, page as ${page}
    select json_build_object('total', ${short ? sql`0` : count}, 'cards', ${cardRowsSql(locale)}))`;
}

const cardRowsSql = (locale: Locale): SQL => sql`(
  select coalesce(json_agg(json_build_object(${productJsonSql(locale)}, 'stock', total.stock,
    'in_stock', page.in_stock, 'plan', json_build_object(${PLAN_JSON})) order by page.place), '[]')
  from page
  join plans pl on pl.id = page.plan_id
  ${JOIN_DEALS}
  join products p on p.id = pl.product_id
  ${joinTextsSql(locale)}
  cross join lateral (
    select coalesce(sum(case when ${sql.raw(AVAILABILITY_NOW)} = 'in_stock' then ${stockCountSql(sql`pl.id`)} else 0 end), 0) as stock
    from plans pl where pl.product_id = p.id and pl.listed) total)`;

export type Cards = { total: number; cards: CardRow[] };

/** The items of a list. Tags the rendered page with each product and with the list (of the category, or of all). */
export function toProductItems(
  { cards }: Cards,
  locale: Locale,
  now: Date,
  category?: string,
): ProductItem[] {
  addCacheTags(
    category === undefined ? "list" : `list:${category}`,
    ...cards.map(({ product }) => `product:${product.product_id}`),
  );
  return cards.map((card) => productItem(card, locale, now));
}

type ListResponse<Row> = Row & { now: string; stale: boolean };

/**
 * Reads lists in one statement, without a write. The listing index is written with each change
 * (db/functions/settle_listing_index.sql) and by the worker when time changes it; a page that is read before is not stored.
 */
export async function queryLists<Row extends object>(
  columns: SQL,
  connection: Db = preparedDb,
): Promise<ListResponse<Row>> {
  const [row] = await connection.execute(sql`
    select to_json(shop_now()) as now, listing_index_is_stale() as stale, ${columns}`);
  const response = row as ListResponse<Row>;
  if (response.stale) doNotCache();
  return response;
}

/** Reads one selection. Above COUNTED_MATCHES matches `total` stays at that number and `total_exact` is false. */
export async function listCards(selection: ListSelection, connection?: Db): Promise<ProductList> {
  const { category, locale } = selection;
  const { now, list } = await queryLists<{ list: Cards }>(sql`${cardsSql(selection)} as list`, connection);
  return {
    items: toProductItems(list, locale, new Date(now), category),
    total: Math.min(list.total, COUNTED_MATCHES),
    total_exact: list.total <= COUNTED_MATCHES,
  };
}

const cents = (usd: number | undefined, round: (n: number) => number) =>
  usd === undefined ? undefined : Math.min(round(Number((usd * 100).toFixed(4))), 2_000_000_000);

/** The selection of a page of the catalogue. The shown plan of each product matches the filters. */
export function toListSelection(input: ListProductsInput, locale: Locale): ListSelection {
  return {
    locale,
    category: input.category,
    type: input.pass_type ?? input.vip_type,
    inStock: input.in_stock,
    minPriceCents: cents(input.price_from, Math.ceil),
    maxPriceCents: cents(input.price_to, Math.floor),
    maxPerDayCents: cents(input.price_per_day_to, Math.floor),
    order: input.sort,
    limit: input.size,
    offset: (input.page - 1) * input.size,
  };
}
