import type postgres from "postgres";
import { COUNTED_MATCHES, LISTED_MATCHES, type PassType, type ProductSort } from "@/lib/catalog/rules";

type Piece = postgres.Fragment;
type Sql = postgres.Sql;

/** Text that Postgres takes. */
export const plain = (text: string) => text.replaceAll("\0", "").toWellFormed();

/** Which offers are wanted; of each product, the best of those is shown (migration offers). Prices in cents. */
export type Wanted = {
  category?: string;
  type?: PassType;
  inStock?: boolean;
  buyable?: boolean;
  from?: number;
  to?: number;
  perDayTo?: number;
  /** with a deal that runs */
  onDeal?: boolean;
  /** the kinds of pass that a search names: such an offer is shown rather than a cheaper one */
  named?: { types: PassType[]; days: number[] };
  /** more about the product of an offer `o` */
  products?: Piece;
};

/** The orders of lists. An index of plan_offers stands for each, alone and behind a category or type. */
const ORDERS = {
  recommend: "",
  price_asc: "o.cents,",
  price_desc: "o.cents desc,",
  price_per_day: "o.per_day,",
  first_ending: "o.deal_ends_at,",
};
export type OfferOrder = ProductSort | "first_ending";

export const orderOf = (sql: Sql, order: OfferOrder): Piece =>
  sql`${sql.unsafe(ORDERS[order])} o.sort_num desc, o.product_id`;

/** Do conditions on price or deal choose among the offers of a product? Then the marked best one may be another. */
const chooses = ({ from, to, perDayTo, onDeal, named }: Wanted) =>
  from !== undefined || to !== undefined || perDayTo !== undefined || onDeal || named !== undefined;

/** Conditions on one offer `a`. */
function conditions(
  sql: Sql,
  { type, inStock, buyable, from, to, perDayTo, onDeal }: Wanted,
  a: Piece,
): Piece {
  return [
    type === undefined ? null : sql`and ${a}.type = ${type}`,
    inStock ? sql`and ${a}.in_stock` : null,
    buyable ? sql`and ${a}.buyable` : null,
    from === undefined ? null : sql`and ${a}.cents >= ${from}`,
    to === undefined ? null : to === 0 ? sql`and ${a}.cents = 0` : sql`and ${a}.cents <= ${to}`,
    perDayTo === undefined ? null : sql`and ${a}.per_day <= ${perDayTo}`,
    onDeal ? sql`and ${a}.deal_ends_at is not null` : null,
  ].reduce<Piece>((all, part) => (part ? sql`${all} ${part}` : all), sql``);
}

/** What makes one offer of a product better than another: less of it, in this order. */
function rank(sql: Sql, { named, onDeal }: Wanted, a: Piece): Piece {
  const naming = named
    ? sql`not coalesce(${a}.type = any(${named.types}::text[]) or ${a}.duration_days = any(${named.days}::int[]), false),`
    : sql``;
  const ending = onDeal ? sql`${a}.deal_ends_at,` : sql``;
  return sql`not ${a}.in_stock, not ${a}.buyable, ${naming} ${ending} ${a}.cents, ${a}.position, ${a}.plan_id`;
}

/** Conditions that leave one offer `o` of each product: its best of those that are wanted. */
function bestOffers(sql: Sql, wanted: Wanted): Piece {
  const [o, r] = [sql`o`, sql`r`];
  const shared = sql`${wanted.category === undefined ? sql`` : sql`and o.category = ${plain(wanted.category)}`}
    ${wanted.products ?? sql``} ${conditions(sql, wanted, o)}`;
  if (!chooses(wanted)) return sql`${sql.unsafe(wanted.type ? "o.best_of_type" : "o.best")} ${shared}`;
  return sql`true ${shared} and not exists (select from plan_offers r where r.product_id = o.product_id
    ${conditions(sql, wanted, r)} and (${rank(sql, wanted, r)}) < (${rank(sql, wanted, o)}))`;
}

/** The best offer of the product `s.id`, as a subquery. */
export const bestOffer = (sql: Sql, wanted: Wanted): Piece =>
  sql`(select o.* from plan_offers o where o.product_id = s.id ${conditions(sql, wanted, sql`o`)}
    order by ${rank(sql, wanted, sql`o`)} limit 1)`;

export type Window = { order: OfferOrder; limit: number; offset?: number };

/**
 * The numbers (`id`) of the products that have an offer that is wanted, the most wanted product first. `offset 0` has the
 * offers of each product looked at as it comes: else the planner gathers all offers that are wanted before the first.
 */
const walked = (sql: Sql, wanted: Wanted): Piece => sql`(select b.product_id as id from plan_offers b
  where b.best ${wanted.category === undefined ? sql`` : sql`and b.category = ${plain(wanted.category)}`}
    and ((true ${conditions(sql, wanted, sql`b`)}) or exists (select from plan_offers o
      where o.product_id = b.product_id ${conditions(sql, wanted, sql`o`)} offset 0))
  order by b.sort_num desc, b.product_id`;

const direct = (sql: Sql, wanted: Wanted, order: OfferOrder): Piece =>
  sql`(select o.* from plan_offers o where ${bestOffers(sql, wanted)} order by ${orderOf(sql, order)}`;

/** What is read at most, as a plain number: the planner knows how little it is, and few texts of statements arise. */
const bound = (most: number) => [32, 128, 512].find((each) => most <= each) ?? LISTED_MATCHES;

/**
 * A page of the best offers, each with its `place`. An index gives the order, and reading ends with the page; where a
 * price chooses the offer of a product, the order of the most wanted is that of the products.
 */
export function offerPage(sql: Sql, wanted: Wanted, { order, limit, offset = 0 }: Window): Piece {
  const most = sql.unsafe(String(bound(limit + offset)));
  const page = sql`limit ${limit} offset ${offset}`;
  if (walks(wanted, order))
    return sql`(select o.*, row_number() over (order by o.sort_num desc, o.product_id) as place
      from (select s.id from ${walked(sql, wanted)} limit ${most}) s ${page}) s
      cross join lateral ${bestOffer(sql, wanted)} o)`;
  return sql`(select o.*, row_number() over (order by ${orderOf(sql, order)}) as place from (
    select o.* from ${direct(sql, wanted, order)} limit ${most}) o order by ${orderOf(sql, order)} ${page}) o)`;
}

/** Free offers have an index of their own. */
const walks = (wanted: Wanted, order: OfferOrder) =>
  order === "recommend" && chooses(wanted) && wanted.to !== 0;

const MOST = String(COUNTED_MATCHES + 1);

/** How many there are, counted up to COUNTED_MATCHES and one. */
export const offerCount = (sql: Sql, wanted: Wanted): Piece => sql`(select count(*)::int from (
  select from ${walks(wanted, "recommend") ? walked(sql, wanted) : direct(sql, wanted, "recommend")} limit ${sql.unsafe(MOST)}) o) counted)`;
