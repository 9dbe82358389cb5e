import type postgres from "postgres";
import { COUNTED_MATCHES, LISTED_MATCHES, type PassType, type ProductSort } from "@/lib/catalog/rules";

export type SqlFragment = postgres.Fragment;
export type Sql = postgres.ISql;

/** Removes characters that Postgres rejects. */
export const stripInvalidCharacters = (text: string) => text.replaceAll("\0", "").toWellFormed();

/** Which plans a list wants; of each product it shows the best of those. Prices in cents. */
export type PlanFilter = {
  category?: string;
  type?: PassType;
  inStock?: boolean;
  buyable?: boolean;
  minPriceCents?: number;
  maxPriceCents?: number;
  maxPerDayCents?: number;
  /** with a running deal */
  onDeal?: boolean;
  /** kinds of pass that a search names: such a plan is shown rather than a cheaper one */
  namedPasses?: { types: PassType[]; days: number[] };
  /** more about the product of a row `o` */
  productCondition?: SqlFragment;
};

/** The orders of lists. The listing index has an index for each, alone and behind a category or type. */
const ORDERS = {
  recommend: "",
  price_asc: "o.price_cents,",
  price_desc: "o.price_cents desc,",
  price_per_day: "o.price_per_day_cents,",
  first_ending: "o.deal_ends_at,",
};
export type ListOrder = ProductSort | "first_ending";

const orderOf = (sql: Sql, order: ListOrder): SqlFragment =>
  sql`${sql.unsafe(ORDERS[order])} o.sort_num desc, o.product_id`;

/** Whether conditions on price or deal choose among the plans of a product: then the row marked best may be another. */
const chooses = ({
  minPriceCents: from,
  maxPriceCents: to,
  maxPerDayCents: perDayTo,
  onDeal,
  namedPasses: named,
}: PlanFilter) =>
  from !== undefined || to !== undefined || perDayTo !== undefined || onDeal || named !== undefined;

/** Conditions on one row `a`. */
export function planConditions(
  sql: Sql,
  {
    type,
    inStock,
    buyable,
    minPriceCents: from,
    maxPriceCents: to,
    maxPerDayCents: perDayTo,
    onDeal,
  }: PlanFilter,
  a: SqlFragment,
): SqlFragment {
  return [
    type === undefined ? null : sql`and ${a}.type = ${type}`,
    inStock ? sql`and ${a}.in_stock` : null,
    buyable ? sql`and ${a}.buyable` : null,
    from === undefined ? null : sql`and ${a}.price_cents >= ${from}`,
    to === undefined ? null : to === 0 ? sql`and ${a}.price_cents = 0` : sql`and ${a}.price_cents <= ${to}`,
    perDayTo === undefined ? null : sql`and ${a}.price_per_day_cents <= ${perDayTo}`,
    onDeal ? sql`and ${a}.deal_ends_at is not null` : null,
  ].reduce<SqlFragment>((all, part) => (part ? sql`${all} ${part}` : all), sql``);
}

/** The sort key of a product's plans, the best first. */
function rank(sql: Sql, { namedPasses: named, onDeal }: PlanFilter, a: SqlFragment): SqlFragment {
  const naming = named
    ? sql`not coalesce(${a}.type = any(${named.types}::text[]) or ${a}.duration_days = any(${named.days}::int[]), false),`
    : sql``;
  const ending = onDeal ? sql`${a}.deal_ends_at,` : sql``;
  return sql`not ${a}.in_stock, not ${a}.buyable, ${naming} ${ending} ${a}.price_cents, ${a}.position, ${a}.plan_id`;
}

/** Conditions that leave one row `o` of each product: its best of those that are wanted. */
function bestPlans(sql: Sql, filter: PlanFilter): SqlFragment {
  const [o, r] = [sql`o`, sql`r`];
  const shared = sql`${filter.category === undefined ? sql`` : sql`and o.category = ${stripInvalidCharacters(filter.category)}`}
    ${filter.productCondition ?? sql``} ${planConditions(sql, filter, o)}`;
  if (!chooses(filter)) return sql`${sql.unsafe(filter.type ? "o.best_of_type" : "o.best")} ${shared}`;
  return sql`true ${shared} and not exists (select from listing_index r where r.product_id = o.product_id
    ${planConditions(sql, filter, r)} and (${rank(sql, filter, r)}) < (${rank(sql, filter, o)}))`;
}

/** The best plan of the product `s.id`, as a subquery. */
export const bestPlanSql = (sql: Sql, filter: PlanFilter): SqlFragment =>
  sql`(select o.* from listing_index o where o.product_id = s.id ${planConditions(sql, filter, sql`o`)}
    order by ${rank(sql, filter, sql`o`)} limit 1)`;

export type ListWindow = { order: ListOrder; limit: number; offset?: number };

/**
 * The ids of the products that have a wanted plan, the most popular first. `offset 0` makes Postgres check the plans of
 * each product as it comes; without it the planner collects all wanted plans before the first.
 */
const byProduct = (
  sql: Sql,
  filter: PlanFilter,
): SqlFragment => sql`(select b.product_id as id from listing_index b
  where b.best ${filter.category === undefined ? sql`` : sql`and b.category = ${stripInvalidCharacters(filter.category)}`}
    and ((true ${planConditions(sql, filter, sql`b`)}) or exists (select from listing_index o
      where o.product_id = b.product_id ${planConditions(sql, filter, sql`o`)} offset 0))
  order by b.sort_num desc, b.product_id`;

const byPlan = (sql: Sql, filter: PlanFilter, order: ListOrder): SqlFragment =>
  sql`(select o.* from listing_index o where ${bestPlans(sql, filter)} order by ${orderOf(sql, order)}`;

/** The most rows that are read, as a plain number: the planner knows how few they are, and few statement texts arise. */
const bound = (most: number) => [32, 128, 512].find((each) => most <= each) ?? LISTED_MATCHES;

/**
 * A page of the best plans, each with its `place`. An index gives the order, and reading ends with the page; where a
 * price chooses the plan of a product, the order of popularity is that of the products.
 */
export function listingPageSql(
  sql: Sql,
  filter: PlanFilter,
  { order, limit, offset = 0 }: ListWindow,
): SqlFragment {
  const most = sql.unsafe(String(bound(limit + offset)));
  const page = sql`limit ${limit} offset ${offset}`;
  if (goesByProduct(filter, order))
    return sql`(select o.*, row_number() over (order by o.sort_num desc, o.product_id) as place
      from (select s.id from ${byProduct(sql, filter)} limit ${most}) s ${page}) s
      cross join lateral ${bestPlanSql(sql, filter)} o)`;
  return sql`(select o.*, row_number() over (order by ${orderOf(sql, order)}) as place from (
    select o.* from ${byPlan(sql, filter, order)} limit ${most}) o order by ${orderOf(sql, order)} ${page}) o)`;
}

/** Free plans have an index of their own. */
const goesByProduct = (filter: PlanFilter, order: ListOrder) =>
  order === "recommend" && chooses(filter) && filter.maxPriceCents !== 0;

const MOST = String(COUNTED_MATCHES + 1);

/** How many there are, counted up to COUNTED_MATCHES and one. */
export const listingCountSql = (sql: Sql, filter: PlanFilter): SqlFragment => sql`(select count(*)::int from (
  select from ${goesByProduct(filter, "recommend") ? byProduct(sql, filter) : byPlan(sql, filter, "recommend")} limit ${sql.unsafe(MOST)}) o) counted)`;
