import type postgres from "postgres";
import { client } from "@/db/client";
import { noteTags } from "@/lib/cache-tags";
import type { Locale } from "@/lib/i18n";
import type { ListProductsInput, ProductItem, ProductList } from "./contract";
import { type Found, plain } from "./queries-documents";
import { AVAILABILITY_NOW, COUNTED_MATCHES, SELLABLE_KEY, STOCK_COUNTED } from "./rules";
import { type CardRow, productItem } from "./rules-view";

/**
 * Lists of products, one statement each. postgres.js prepares and names every text it sends; the number of texts is
 * bounded, because they are put together from the few pieces below.
 */

type Piece = postgres.Fragment;
type Sql = postgres.Sql;

/** The number of keys of a plan that can be sold, counted up to STOCK_COUNTED. */
export const stockOf = (sql: Sql, planId: Piece): Piece =>
  sql`(select count(*)::int from (select from keys k where k.plan_id = ${planId} and ${sql.unsafe(SELLABLE_KEY)} limit ${STOCK_COUNTED}) counted)`;

/** The deal that runs on a plan, as JSON or null. */
export const dealOf = (sql: Sql, planId: Piece): Piece =>
  sql`(select json_build_object('id', d.id, 'price_cents', d.price_cents, 'ends_at', d.ends_at,
    'quantity', d.quantity, 'claimed', d.claimed) from deals d where d.plan_id = ${planId} and d.ended_at is null)`;

export type Selection = {
  locale: Locale;
  /** conditions on a product `p` */
  products?: Piece;
  /** conditions on an offer `o`: product_id, id, type, duration_days, cents, per_day, deal_ends_at, buyable, in_stock */
  offers?: Piece;
  /** order of the offers of a product, before the price: which one it is shown with */
  prefer?: Piece;
  /** what a search found: only that is wanted */
  found?: Found;
  category?: string;
  order: Piece;
  limit: number;
  offset?: number;
  /** Order and conditions look at the product only, so that the page is cut before any offer is worked out. */
  cutFirst?: boolean;
};

/** A subquery of one JSON object `{ total, cards }`. It needs nothing around it. */
export function cardsOf(sql: Sql, selection: Selection): Piece {
  const { products = sql``, order, limit, offset = 0, cutFirst } = selection;
  const cut = sql`limit ${limit} offset ${offset}`;
  const { scope, total, hits } = scopeOf(sql, selection, cut);
  return sql`(
    with clock as materialized (select shop_now() as now),
    hits as materialized ${hits},
    scope as ${scope},
    offers as ${offersOf(sql)},
    chosen as (
      select distinct on (o.product_id) o.* from offers o where true ${selection.offers ?? sql``}
      order by o.product_id, o.in_stock desc, o.buyable desc, ${selection.prefer ?? sql``} o.cents, o.position),
    page as (
      select o.*, row_number() over (order by ${order}) as place
      from chosen o join products p on p.id = o.product_id join scope s on s.id = o.product_id
      where p.listed ${products} order by place ${cutFirst ? sql`` : cut})
    select json_build_object('total', ${total}, 'cards', ${pageCards(sql, selection.locale)}))`;
}

/** Which products are wanted (`scope`: id and name_hits), how many there are, and the `hits` of a search behind both. */
function scopeOf(sql: Sql, { found, cutFirst, category, products = sql`` }: Selection, cut: Piece) {
  const counted = sql`(select count(*) from chosen o join products p on p.id = o.product_id where p.listed ${products})`;
  if (found && cutFirst)
    return {
      hits: found.hits({ category }),
      scope: sql`(select h.product_id as id, ${found.score} as name_hits from hits h
        order by name_hits desc, h.sort_num desc, h.product_id ${cut})`,
      total: sql`(select count(*) from hits)`,
    };
  if (found)
    return {
      hits: found.hits("whole"),
      scope: sql`(select h.product_id as id, ${found.score} as name_hits from hits h)`,
      total: counted,
    };
  const hits = sql`(select)`;
  if (!cutFirst)
    return {
      hits,
      scope: sql`(select p.id, 0 as name_hits from products p where p.listed ${products})`,
      total: counted,
    };
  const sellable = sql`p.listed ${products} and exists (select from plans l where l.product_id = p.id and l.listed)`;
  return {
    hits,
    scope: sql`(select p.id, 0 as name_hits from products p where ${sellable} order by p.sort_num desc, p.id ${cut})`,
    total: sql`(select count(*) from products p where ${sellable})`,
  };
}

/** The plans on the list of the products in `scope`, with what they cost now and whether they can be had. */
const offersOf = (sql: Sql): Piece => sql`(
  select pl.product_id, pl.id, pl.type, pl.duration_days, pl.position, price.cents, d.ends_at as deal_ends_at,
    case when pl.duration_days is null then null when price.cents = 0 then 0
      else greatest(1, (2 * price.cents + pl.duration_days) / (2 * pl.duration_days)) end as per_day,
    stock.in_stock, (stock.in_stock or ${sql.unsafe(AVAILABILITY_NOW)} = 'pre_order') as buyable
  from scope join plans pl on pl.product_id = scope.id and pl.listed
  left join deals d on d.plan_id = pl.id and d.ended_at is null and d.ends_at > (select now from clock)
    and d.claimed < d.quantity
  cross join lateral (select coalesce(d.price_cents, pl.price_cents) as cents) price
  cross join lateral (select ${sql.unsafe(AVAILABILITY_NOW)} = 'in_stock'
    and exists (select from keys k where k.plan_id = pl.id and ${sql.unsafe(SELLABLE_KEY)}) as in_stock) stock)`;

/** The products of `page` as a JSON list of card rows. */
const pageCards = (sql: Sql, locale: Locale, now = sql.unsafe(AVAILABILITY_NOW)): Piece => sql`(
  select coalesce(json_agg(json_build_object('product_id', p.id, 'slug', p.slug, 'maker', p.maker,
    'category', p.category, 'category_name', coalesce(c.names ->> ${locale}, c.names ->> 'en'), 'image', p.image,
    'sort_num', p.sort_num, 'language', coalesce(t.locale, 'en'), 'name', coalesce(t.name, e.name),
    'tagline', coalesce(t.tagline, e.tagline), 'stock', whole.stock, 'in_stock', page.in_stock,
    'plan', json_build_object('id', pl.id, 'availability', ${now}, 'type', pl.type,
      'duration_days', pl.duration_days, 'price_cents', pl.price_cents, 'list_price_cents', pl.list_price_cents,
      'deal', ${dealOf(sql, sql`pl.id`)})) order by page.place), '[]')
  from page
  join plans pl on pl.id = page.id
  join products p on p.id = pl.product_id
  join categories c on c.slug = p.category
  join product_texts e on e.product_id = p.id and e.locale = 'en'
  left join product_texts t on t.product_id = p.id and t.locale = ${locale}
  cross join lateral (
    select coalesce(sum(case when ${now} = 'in_stock' then ${stockOf(sql, sql`pl.id`)} else 0 end), 0) as stock
    from plans pl where pl.product_id = p.id and pl.listed) whole)`;

export type Cards = { total: number; cards: CardRow[] };

/** The cards of a list; a page that shows them is told of each, and that it is a list. */
export function itemsOf({ cards }: Cards, now: Date): ProductItem[] {
  noteTags("list", ...cards.map((card) => `product:${card.product_id}`));
  return cards.map((card) => productItem(card, now));
}

/** Runs one selection. Matches beyond COUNTED_MATCHES are not counted: `total_exact` is false then. */
export async function listCards(select: (sql: Sql) => Selection): Promise<ProductList> {
  const sql = client();
  const selection = select(sql);
  const [row] = await sql<{ now: string; found: Cards }[]>`
    select to_json(shop_now()) as now, ${cardsOf(sql, selection)} as found`;
  const { now, found } = row!;
  const exact = !(selection.found && selection.cutFirst) || found.total <= COUNTED_MATCHES;
  return {
    items: itemsOf(found, new Date(now)),
    total: exact ? found.total : COUNTED_MATCHES,
    total_exact: exact,
  };
}

const cents = (usd: number, round: (n: number) => number) =>
  Math.min(round(Number((usd * 100).toFixed(4))), 2_000_000_000);

/** Conditions of the contract's filters. Those on plans hold for the very plan that the product is shown with. */
function filters(sql: Sql, input: ListProductsInput) {
  const parts = [
    input.vip_type ? sql`and o.type = ${input.vip_type}` : null,
    input.in_stock ? sql`and o.in_stock` : null,
    input.price_from !== undefined ? sql`and o.cents >= ${cents(input.price_from, Math.ceil)}` : null,
    input.price_to !== undefined ? sql`and o.cents <= ${cents(input.price_to, Math.floor)}` : null,
    input.price_per_day_to !== undefined
      ? sql`and o.per_day <= ${cents(input.price_per_day_to, Math.floor)}`
      : null,
  ].filter((part) => part !== null);
  return {
    narrowed: parts.length > 0,
    offers: parts.reduce((all, part) => sql`${all} ${part}`, sql``),
    products: input.category === undefined ? sql`` : sql`and p.category = ${plain(input.category)}`,
  };
}

function orderOf(sql: Sql, { sort }: ListProductsInput): Piece {
  const usual = sql`p.sort_num desc, p.id`;
  if (sort === "price_asc") return sql`o.cents, ${usual}`;
  if (sort === "price_desc") return sql`o.cents desc, ${usual}`;
  if (sort === "price_per_day") return sql`o.per_day nulls last, ${usual}`;
  return sql`s.name_hits desc, ${usual}`;
}

/** A page of the catalogue; with `found`, of what a search found. */
export function pageOf(sql: Sql, input: ListProductsInput, locale: Locale, found?: Found): Selection {
  const { narrowed, offers, products } = filters(sql, input);
  const cutFirst = !narrowed && input.sort === "recommend";
  return {
    locale,
    offers,
    products: found && cutFirst ? sql`` : products,
    prefer: found?.prefer,
    found,
    category: input.category,
    order: orderOf(sql, input),
    limit: input.size,
    offset: (input.page - 1) * input.size,
    cutFirst,
  };
}
