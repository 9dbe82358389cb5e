import { client } from "@/db/client";
import type { ListProductsInput, ProductItem, ProductList } from "@/lib/catalog/contract";
import { type CardRow, productItem } from "@/lib/catalog/product/rules";
import { AVAILABILITY_NOW, COUNTED_MATCHES, SELLABLE_KEY, STOCK_COUNTED } from "@/lib/catalog/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { noteTags, noteUnsettled } from "@/lib/platform/page-cache/tags";
import {
  type ListWindow,
  listingCount,
  listingPage,
  type Piece,
  type PlanFilter,
  type Sql,
} from "./queries-index";

/**
 * Lists of products, one statement each. postgres.js prepares and names every text it sends; the number of texts is
 * bounded, because they are put together from the few pieces below.
 */

/** The number of keys of a plan that can be sold, counted up to STOCK_COUNTED. */
export const stockOf = (sql: Sql, planId: Piece): Piece =>
  sql`(select count(*)::int from (select from keys k where k.plan_id = ${planId} and ${sql.unsafe(SELLABLE_KEY)} limit ${STOCK_COUNTED}) counted)`;

/**
 * The deal that runs on each plan `pl`, joined: asked for plan by plan, a small table of deals is read whole each time.
 * `dealJson` is that deal, or null.
 */
export const joinDeals = (sql: Sql): Piece =>
  sql`left join deals d on d.plan_id = pl.id and d.ended_at is null`;
export const dealJson = (sql: Sql): Piece =>
  sql`case when d.id is not null then json_build_object('id', d.id, 'price_cents', d.price_cents, 'ends_at', d.ends_at,
    'quantity', d.quantity, 'claimed', d.claimed) end`;

/** A page of plans, each with its `place`, and their number. Both may read `candidates`, which are computed once. */
export type Source = { candidates?: Piece; page: Piece; count: Piece };

export type Selection = PlanFilter &
  ListWindow & {
    locale: Locale;
    /** where the list comes from, if not from the listing index alone */
    source?: Source;
    /** Its total is the number of its items. */
    short?: boolean;
  };

/** A subquery of one JSON object `{ total, cards }`. It needs nothing around it. */
export function cardsOf(sql: Sql, selection: Selection): Piece {
  const { locale, short, source } = selection;
  const page = source?.page ?? listingPage(sql, selection, selection);
  const count = source?.count ?? listingCount(sql, selection);
  return sql`(
    with candidates as materialized ${source?.candidates ?? sql`(select)`}, page as ${page}
    select json_build_object('total', ${short ? sql`0` : count}, 'cards', ${pageCards(sql, locale)}))`;
}

/** The products of `page` as a JSON list of card rows. */
const pageCards = (sql: Sql, locale: Locale, now = sql.unsafe(AVAILABILITY_NOW)): Piece => sql`(
  select coalesce(json_agg(json_build_object('product_id', p.id, 'slug', p.slug, 'maker', p.vendor,
    'category', p.category, 'category_name', coalesce(c.names ->> ${locale}, c.names ->> 'en'), 'image', p.image,
    'sort_num', p.sort_num, 'language', coalesce(t.locale, 'en'), 'name', coalesce(t.name, e.name),
    'tagline', coalesce(t.tagline, e.tagline), 'stock', whole.stock, 'in_stock', page.in_stock,
    'plan', json_build_object('id', pl.id, 'availability', ${now}, 'type', pl.type,
      'duration_days', pl.duration_days, 'price_cents', pl.price_cents, 'list_price_cents', pl.list_price_cents,
      'deal', ${dealJson(sql)})) order by page.place), '[]')
  from page
  join plans pl on pl.id = page.plan_id
  ${joinDeals(sql)}
  join products p on p.id = pl.product_id
  join categories c on c.slug = p.category
  join product_texts e on e.product_id = p.id and e.locale = 'en'
  left join product_texts t on t.product_id = p.id and t.locale = ${locale}
  cross join lateral (
    select coalesce(sum(case when ${now} = 'in_stock' then ${stockOf(sql, sql`pl.id`)} else 0 end), 0) as stock
    from plans pl where pl.product_id = p.id and pl.listed) whole)`;

export type Cards = { total: number; cards: CardRow[] };

/** The cards of a list; a page that shows them is told of each, and that it is a list, of a category or of all. */
export function itemsOf({ cards }: Cards, now: Date, category?: string): ProductItem[] {
  noteTags(
    category === undefined ? "list" : `list:${category}`,
    ...cards.map((card) => `product:${card.product_id}`),
  );
  return cards.map((card) => productItem(card, now));
}

type Answer<Row> = Row & { now: string; stale: boolean };
type Asking = {
  /** Searches: the best plan for a rare word is the worst for a common one, so none is kept. */
  planEachTime?: boolean;
};

/**
 * Reads lists. The statement itself says whether the listing index is stale, which is rare; then the index is refreshed
 * and the lists are read again.
 */
export async function askLists<Row extends object>(
  ask: (sql: Sql) => Piece,
  { planEachTime = false }: Asking = {},
): Promise<Answer<Row>> {
  const sql = client();
  const statement = (on: Sql) =>
    on<Answer<Row>[]>`select to_json(shop_now()) as now, listing_index_is_stale() as stale, ${ask(on)}`;
  const answer = async () => (await (planEachTime ? planned(statement) : statement(sql)))[0]!;
  const first = await answer();
  if (!first.stale) return first;
  await refreshListingIndex(sql);
  const refreshed = await answer();
  if (refreshed.stale) noteUnsettled();
  return refreshed;
}

/** Runs a statement with a plan made for the values of this call. */
export async function planned<Rows>(statement: (sql: Sql) => PromiseLike<Rows>): Promise<Rows> {
  const [, rows] = await client().begin("read only", (tx) => [
    tx`set local plan_cache_mode = force_custom_plan`,
    statement(tx),
  ]);
  return rows as Rows;
}

/**
 * One reader refreshes at a time: a second one would find the rows locked, skip them, and read the lists as they were,
 * though the change is committed.
 */
export const refreshListingIndex = (sql: Sql) =>
  sql`with turn as materialized (select pg_advisory_xact_lock(hashtext('refresh_listing_index'))) select refresh_listing_index() from turn`;

/** Runs one selection. Matches beyond COUNTED_MATCHES are not counted: `total_exact` is false then. */
export async function listCards(select: (sql: Sql) => Selection, asking?: Asking): Promise<ProductList> {
  let category: string | undefined;
  const { now, found } = await askLists<{ found: Cards }>((sql) => {
    const selection = select(sql);
    category = selection.category;
    return sql`${cardsOf(sql, selection)} as found`;
  }, asking);
  return {
    items: itemsOf(found, new Date(now), category),
    total: Math.min(found.total, COUNTED_MATCHES),
    total_exact: found.total <= COUNTED_MATCHES,
  };
}

const cents = (usd: number | undefined, round: (n: number) => number) =>
  usd === undefined ? undefined : Math.min(round(Number((usd * 100).toFixed(4))), 2_000_000_000);

/** A page of the catalogue. Filters hold for the very plan that is shown. */
export function pageOf(input: ListProductsInput, locale: Locale): Selection {
  return {
    locale,
    category: input.category,
    type: input.vip_type,
    inStock: input.in_stock,
    from: cents(input.price_from, Math.ceil),
    to: cents(input.price_to, Math.floor),
    perDayTo: cents(input.price_per_day_to, Math.floor),
    order: input.sort,
    limit: input.size,
    offset: (input.page - 1) * input.size,
  };
}
