import type postgres from "postgres";
import { COUNTED_MATCHES, LISTED_MATCHES, type PassType, type ProductSort } from "@/lib/catalog/rules";

export type SqlFragment = postgres.Fragment;
export type Sql = postgres.ISql;

/** Removes characters that Postgres rejects. */
export const stripInvalidCharacters = (text: string) => text.replaceAll("\0", "").toWellFormed();

/** The plans that a list contains; it shows the best of them for each product. Prices in cents. */
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
  /** pass types and lengths named in a search: such a plan ranks above a cheaper one */
  namedPasses?: { types: PassType[]; days: number[] };
  /** a further condition on the product of a row `o` */
  productCondition?: SqlFragment;
};

/** The sort orders of lists. The listing index has a database index for each, alone and after a category or type. */
const ORDERS = {
  recommend: "",
  price_asc: "o.price_cents,",
  price_desc: "o.price_cents desc,",
  price_per_day: "o.price_per_day_cents,",
  first_ending: "o.deal_ends_at,",
};
export type ListOrder = ProductSort | "first_ending";

export const orderSql = (sql: Sql, order: ListOrder): SqlFragment =>
  sql`${sql.unsafe(ORDERS[order])} o.sort_num desc, o.product_id`;

/** Whether the filter selects among the plans of a product, so that the row marked `best` may not match. */
const filtersPlans = (filter: PlanFilter): boolean =>
  filter.minPriceCents !== undefined ||
  filter.maxPriceCents !== undefined ||
  filter.maxPerDayCents !== undefined ||
  filter.namedPasses !== undefined ||
  filter.onDeal === true;

export function planConditions(sql: Sql, filter: PlanFilter, row: SqlFragment): SqlFragment {
  const { type, minPriceCents, maxPriceCents, maxPerDayCents } = filter;
  const conditions: SqlFragment[] = [];
  if (type !== undefined) conditions.push(sql`and ${row}.type = ${type}`);
  if (filter.inStock) conditions.push(sql`and ${row}.in_stock`);
  if (filter.buyable) conditions.push(sql`and ${row}.buyable`);
  if (minPriceCents !== undefined) conditions.push(sql`and ${row}.price_cents >= ${minPriceCents}`);
  // A literal 0 lets Postgres use the index of free plans.
  if (maxPriceCents === 0) conditions.push(sql`and ${row}.price_cents = 0`);
  else if (maxPriceCents !== undefined) conditions.push(sql`and ${row}.price_cents <= ${maxPriceCents}`);
  if (maxPerDayCents !== undefined) conditions.push(sql`and ${row}.price_per_day_cents <= ${maxPerDayCents}`);
  if (filter.onDeal) conditions.push(sql`and ${row}.deal_ends_at > (select shop_now())`);
  return conditions.reduce((all, condition) => sql`${all} ${condition}`, sql``);
}

const categoryCondition = (sql: Sql, { category }: PlanFilter, row: SqlFragment): SqlFragment =>
  category === undefined ? sql`` : sql`and ${row}.category = ${stripInvalidCharacters(category)}`;

/** The sort key that ranks the plans of a product, the best first. */
function planRank(sql: Sql, { namedPasses, onDeal }: PlanFilter, row: SqlFragment): SqlFragment {
  const namedFirst = namedPasses
    ? sql`not coalesce(${row}.type = any(${namedPasses.types}::text[]) or ${row}.duration_days = any(${namedPasses.days}::int[]), false),`
    : sql``;
  const endingFirst = onDeal ? sql`${row}.deal_ends_at,` : sql``;
  return sql`not ${row}.in_stock, not ${row}.buyable, ${namedFirst} ${endingFirst} ${row}.price_cents, ${row}.position, ${row}.plan_id`;
}

/** The condition that leaves one row `o` per product: the best plan that matches the filter. */
function bestPlansCondition(sql: Sql, filter: PlanFilter): SqlFragment {
  const [o, r] = [sql`o`, sql`r`];
  const shared = sql`${categoryCondition(sql, filter, o)}
    ${filter.productCondition ?? sql``} ${planConditions(sql, filter, o)}`;
  if (!filtersPlans(filter)) return sql`${sql.unsafe(filter.type ? "o.best_of_type" : "o.best")} ${shared}`;
  return sql`true ${shared} and not exists (select from listing_index r where r.product_id = o.product_id
    ${planConditions(sql, filter, r)} and (${planRank(sql, filter, r)}) < (${planRank(sql, filter, o)}))`;
}

/** A subquery of the best matching plan of the product `s.id`. */
export const bestPlanSql = (sql: Sql, filter: PlanFilter): SqlFragment =>
  sql`(select o.* from listing_index o where o.product_id = s.id ${planConditions(sql, filter, sql`o`)}
    order by ${planRank(sql, filter, sql`o`)} limit 1)`;

export type ListWindow = { order: ListOrder; limit: number; offset?: number };

/** Products with a matching plan, most popular first. `offset 0`: Postgres checks the plans product by product. */
function matchingProductsSql(sql: Sql, filter: PlanFilter): SqlFragment {
  const [o, b] = [sql`o`, sql`b`];
  return sql`(select b.product_id as id from listing_index b
    where b.best ${categoryCondition(sql, filter, b)}
      and ((true ${planConditions(sql, filter, b)}) or exists (select from listing_index o
        where o.product_id = b.product_id ${planConditions(sql, filter, o)} offset 0))
    order by b.sort_num desc, b.product_id`;
}

const bestPlansSql = (sql: Sql, filter: PlanFilter, order: ListOrder): SqlFragment =>
  sql`(select o.* from listing_index o where ${bestPlansCondition(sql, filter)} order by ${orderSql(sql, order)}`;

/** A literal that tells the planner how few rows are needed; few values keep the prepared statements few. */
const rowLimit = (rows: number) => [32, 128, 512].find((limit) => rows <= limit) ?? LISTED_MATCHES;

/**
 * A page of the best plans, each with its `place`. A database index gives the order, and reading stops at the end of the
 * page. When the filter selects among the plans of a product, the list is ordered by product first.
 */
export function listingPageSql(sql: Sql, filter: PlanFilter, { order, limit, offset = 0 }: ListWindow) {
  const maxRows = sql.unsafe(String(rowLimit(limit + offset)));
  const page = sql`limit ${limit} offset ${offset}`;
  if (listsByProduct(filter, order))
    return sql`(select o.*, row_number() over (order by o.sort_num desc, o.product_id) as place
      from (select s.id from ${matchingProductsSql(sql, filter)} limit ${maxRows}) s ${page}) s
      cross join lateral ${bestPlanSql(sql, filter)} o)`;
  return sql`(select o.*, row_number() over (order by ${orderSql(sql, order)}) as place from (
    select o.* from ${bestPlansSql(sql, filter, order)} limit ${maxRows}) o order by ${orderSql(sql, order)} ${page}) o)`;
}

/** Whether a list is read product by product. Free plans are not, because they have an index of their own. */
const listsByProduct = (filter: PlanFilter, order: ListOrder): boolean =>
  order === "recommend" && filtersPlans(filter) && filter.maxPriceCents !== 0;

const COUNT_LIMIT = String(COUNTED_MATCHES + 1);

/** The number of matching products, counted up to COUNTED_MATCHES + 1. */
export function listingCountSql(sql: Sql, filter: PlanFilter): SqlFragment {
  const rows = listsByProduct(filter, "recommend")
    ? matchingProductsSql(sql, filter)
    : bestPlansSql(sql, filter, "recommend");
  return sql`(select count(*)::int from (select from ${rows} limit ${sql.unsafe(COUNT_LIMIT)}) o) counted)`;
}
