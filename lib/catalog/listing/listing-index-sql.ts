import { type SQL, sql } from "drizzle-orm";
import { COUNTED_MATCHES, LISTED_MATCHES, type PassType, type ProductSort } from "@/lib/catalog/rules";

/** Removes characters that Postgres rejects. */
export const stripInvalidCharacters = (text: string) => text.replaceAll("\0", "").toWellFormed();

/** The plans that a list contains; it shows the best of them for each product. Prices in cents. */
export type PlanFilter = {
  category?: string;
  /** the handle of the merchant */
  seller?: string;
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
  productCondition?: SQL;
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

export const orderSql = (order: ListOrder): SQL =>
  sql`${sql.raw(ORDERS[order])} o.sort_num desc, o.product_id`;

/** Whether the filter selects among the plans of a product, so that the row marked `best` may not match. */
const filtersPlans = (filter: PlanFilter): boolean =>
  filter.minPriceCents !== undefined ||
  filter.maxPriceCents !== undefined ||
  filter.maxPerDayCents !== undefined ||
  filter.namedPasses !== undefined ||
  filter.onDeal === true;

export function planConditions(filter: PlanFilter, row: SQL): SQL {
  const { type, minPriceCents, maxPriceCents, maxPerDayCents } = filter;
  const conditions: SQL[] = [];
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

const categoryCondition = ({ category }: PlanFilter, row: SQL): SQL =>
  category === undefined ? sql`` : sql`and ${row}.category = ${stripInvalidCharacters(category)}`;

export const sellerCondition = ({ seller }: PlanFilter, row: SQL): SQL =>
  seller === undefined
    ? sql``
    : sql`and ${row}.product_id in (select p.id from products p join merchants m on m.id = p.merchant_id
        where m.handle = ${stripInvalidCharacters(seller)})`;

/** The sort key that ranks the plans of a product, the best first. */
function planRank({ namedPasses, onDeal }: PlanFilter, row: SQL): SQL {
  const namedFirst = namedPasses
    ? sql`not coalesce(${row}.type = any(${sql.param(namedPasses.types)}::text[]) or ${row}.duration_days = any(${sql.param(namedPasses.days)}::int[]), false),`
    : sql``;
  const endingFirst = onDeal ? sql`${row}.deal_ends_at,` : sql``;
  return sql`not ${row}.in_stock, not ${row}.buyable, ${namedFirst} ${endingFirst} ${row}.price_cents, ${row}.position, ${row}.plan_id`;
}

/** The condition that leaves one row `o` per product: the best plan that matches the filter. */
function bestPlansCondition(filter: PlanFilter): SQL {
  const [o, r] = [sql`o`, sql`r`];
  const shared = sql`${categoryCondition(filter, o)} ${sellerCondition(filter, o)}
    ${filter.productCondition ?? sql``} ${planConditions(filter, o)}`;
  if (!filtersPlans(filter)) return sql`${sql.raw(filter.type ? "o.best_of_type" : "o.best")} ${shared}`;
  return sql`true ${shared} and not exists (select from listing_index r where r.product_id = o.product_id
    ${planConditions(filter, r)} and (${planRank(filter, r)}) < (${planRank(filter, o)}))`;
}

/** A subquery of the best matching plan of the product `s.id`. */
export const bestPlanSql = (filter: PlanFilter): SQL =>
  sql`(select o.* from listing_index o where o.product_id = s.id ${planConditions(filter, sql`o`)}
    order by ${planRank(filter, sql`o`)} limit 1)`;

export type ListWindow = { order: ListOrder; limit: number; offset?: number };

/** Products with a matching plan, most popular first. `offset 0`: Postgres checks the plans product by product. */
function matchingProductsSql(filter: PlanFilter): SQL {
  const [o, b] = [sql`o`, sql`b`];
  return sql`(select b.product_id as id from listing_index b
    where b.best ${categoryCondition(filter, b)} ${sellerCondition(filter, b)}
      and ((true ${planConditions(filter, b)}) or exists (select from listing_index o
        where o.product_id = b.product_id ${planConditions(filter, o)} offset 0))
    order by b.sort_num desc, b.product_id`;
}

const bestPlansSql = (filter: PlanFilter, order: ListOrder): SQL =>
  sql`(select o.* from listing_index o where ${bestPlansCondition(filter)} order by ${orderSql(order)}`;

/** A literal that shows the planner how few rows are needed; few values keep the prepared statements few. */
const rowLimit = (rows: number) => [32, 128, 512].find((limit) => rows <= limit) ?? LISTED_MATCHES;

/**
 * A page of the best plans, each with its `place`. A database index gives the order, and reading stops at the end of the
 * page. When the filter selects among the plans of a product, the list is ordered by product first.
 */
export function listingPageSql(filter: PlanFilter, { order, limit, offset = 0 }: ListWindow) {
  const maxRows = sql.raw(String(rowLimit(limit + offset)));
  const page = sql`limit ${limit} offset ${offset}`;
  if (listsByProduct(filter, order))
    return sql`(select o.*, row_number() over (order by o.sort_num desc, o.product_id) as place
      from (select s.id from ${matchingProductsSql(filter)} limit ${maxRows}) s ${page}) s
      cross join lateral ${bestPlanSql(filter)} o)`;
  return sql`(select o.*, row_number() over (order by ${orderSql(order)}) as place from (
    select o.* from ${bestPlansSql(filter, order)} limit ${maxRows}) o order by ${orderSql(order)} ${page}) o)`;
}

/** Whether a list is read product by product. Free plans are not, because they have an index of their own. */
const listsByProduct = (filter: PlanFilter, order: ListOrder): boolean =>
  order === "recommend" && filtersPlans(filter) && filter.maxPriceCents !== 0;

const COUNT_LIMIT = String(COUNTED_MATCHES + 1);

/** The number of matching products, counted up to COUNTED_MATCHES + 1. */
export function listingCountSql(filter: PlanFilter): SQL {
  const rows = listsByProduct(filter, "recommend")
    ? matchingProductsSql(filter)
    : bestPlansSql(filter, "recommend");
  return sql`(select count(*)::int from (select from ${rows} limit ${sql.raw(COUNT_LIMIT)}) o) counted)`;
}
