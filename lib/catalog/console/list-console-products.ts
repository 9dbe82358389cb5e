import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import type {
  ConsoleProduct,
  ConsoleProductList,
  ConsoleProductsInput,
} from "@/lib/catalog/console/contract";
import { COUNTED_STOCK } from "@/lib/catalog/console/rules";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import { findTranslatedTexts } from "@/lib/catalog/translation/rules-products";
import { ID_PATTERN, NUMBER_PATTERN, TEXT_PATTERN } from "@/lib/platform/console/cursor";
import { WALKED_ROWS, WALKED_ROWS_WITH_PARTS } from "@/lib/platform/console/list";
import {
  type ConsoleListQuery,
  isValue,
  type ListSize,
  pageSql,
  prefixSql,
  ROW_MARKS,
  type RowMarks,
  rowCount,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";

/** Products that a request walks where a filter reads their plans: each has several, and codes or sales for each. */
const WALKED_PRODUCTS = 200;
/** Plans of a product that filters read. */
const PLANS_READ = 4;
const UNSOLD_DAYS = 90;
/** Products whose stock one statement counts. */
const STOCK_BATCH = 20;

const NAME_KEY = sql`lower(t.name) collate "C"`;
const BY_ID: readonly SortKey[] = [{ value: sql`p.id`, type: "int", pattern: NUMBER_PATTERN }];
const BY_NAME: readonly SortKey[] = [{ value: NAME_KEY, type: "text", pattern: TEXT_PATTERN }, ...BY_ID];

/** The language whose names begin with this text: Latin names are those in English, which every product has. */
const languageOf = (name: string, locale: Locale): Locale =>
  [...name].some((letter) => letter > "\u024f") ? locale : "en";

/** SQL: the name `t`, under which a product is shown, begins with this text; for one without a translation that is the dictionary's. */
function nameBeginsSql(name: string, locale: Locale): SQL {
  const beginning = name.toLowerCase();
  const own = sql`t.locale = ${languageOf(name, locale)} and ${prefixSql(NAME_KEY, beginning)}`;
  const english = findTranslatedTexts(beginning, locale);
  if (english.length === 0 || languageOf(name, locale) === "en") return own;
  return sql`(${own} or t.locale = 'en' and ${NAME_KEY} = any(${sql.param(english)}::text[])
    and not exists (select from product_texts o where o.product_id = t.product_id and o.locale = ${locale}))`;
}

const VENDOR_KEY: SortKey = { value: sql`p.vendor_slug collate "C"`, type: "text", pattern: TEXT_PATTERN };
const MERCHANT_KEY: SortKey = { value: sql`p.merchant_id`, type: "text", pattern: ID_PATTERN };
const CATEGORY_KEY: SortKey = { value: sql`p.category`, type: "text", pattern: TEXT_PATTERN };

/**
 * The conditions on products `p` by vendor and category, and the first sort key: the list is read by the vendor's index, else by the
 * category's, because the order of ids alone would lead through all products. `isLed`: another index leads to the rows.
 */
export function ofVendorAndCategory(
  { vendor, category }: { vendor?: string | undefined; category?: string | undefined },
  isLed: boolean,
): { indexed: SQL[]; filters: SQL[]; lead: SortKey[] } {
  const wanted = [
    ...(vendor === undefined ? [] : [{ key: VENDOR_KEY, value: vendor }]),
    ...(category === undefined ? [] : [{ key: CATEGORY_KEY, value: category }]),
  ];
  const [first] = isLed ? [] : wanted;
  return {
    indexed: first ? [isValue(first.key, first.value)] : [],
    filters: wanted.filter((one) => one !== first).map(({ key, value }) => sql`${key.value} = ${value}`),
    lead: first ? [first.key] : [],
  };
}

/** SQL: the first plan `x` of the product `p` for which a condition holds. A limit keeps the planner from reading all plans. */
const planWhere = (condition: SQL) => sql`(select x.id from
  (select id from plans where product_id = p.id order by type limit ${rowCount(PLANS_READ)}) x where ${condition} limit 1)`;
/** SQL: a code of the plan `x` can be sold. */
const HAS_STOCK = sql.raw(
  `(select k.id from keys k where k.plan_id = x.id and ${SELLABLE_KEY} limit 1) is not null`,
);
const IS_SOLD = sql`(select s.day from plan_sales_daily s where s.plan_id = x.id
  and s.day >= (shop_now() at time zone 'UTC')::date - ${UNSOLD_DAYS}::int order by s.day desc limit 1) is not null`;

/** SQL: a product's name as it is shown. One row each, so that the planner reads no other texts. */
export const productNameSql = (productId: string, locale: Locale): SQL =>
  sql`(select case when n.locale = ${locale} then n.name else translate_product_text(n.name, ${locale}) end from product_texts n where n.product_id = ${sql.raw(productId)} and n.locale in (${locale}, 'en')
    order by n.locale = ${locale} desc limit 1)`;

/** Reads a merchant's products, the newest first. */
function merchantProductListQuery(
  merchantId: string,
  input: ConsoleProductsInput,
  locale: Locale,
): ConsoleListQuery {
  const { name, ...others } = input;
  const { filters, indexed, walked, ...plan } = productListQuery(others, locale);
  const named =
    name === undefined
      ? []
      : [sql`starts_with(lower(coalesce(${productNameSql("p.id", locale)}, p.slug)), ${name.toLowerCase()})`];
  return {
    ...plan,
    indexed: [isValue(MERCHANT_KEY, merchantId)],
    filters: [...indexed, ...filters, ...named],
    walked: Math.min(walked ?? WALKED_ROWS, name === undefined ? WALKED_ROWS : WALKED_ROWS_WITH_PARTS),
    columns: sql`${plan.columns}, p.merchant_id`,
    sort: [MERCHANT_KEY, ...BY_ID],
  };
}

/** Reads products by name, by vendor, by category, or the newest. */
export function productListQuery(input: ConsoleProductsInput, locale: Locale): ConsoleListQuery {
  const { product_id, name, vendor, category, listed, untranslated, no_stock, unsold } = input;
  const { indexed, filters, lead } = ofVendorAndCategory(
    { vendor, category },
    name !== undefined || product_id !== undefined,
  );
  if (product_id !== undefined) (name === undefined ? indexed : filters).push(sql`p.id = ${product_id}`);
  if (name !== undefined) indexed.push(nameBeginsSql(name, locale));
  if (listed !== undefined) filters.push(sql`p.listed = ${listed}`);
  if (untranslated !== undefined)
    filters.push(
      sql`((select count(*) from product_texts q where q.product_id = p.id) < ${LOCALES.length}) = ${untranslated}`,
    );
  if (no_stock !== undefined) filters.push(sql`(${planWhere(HAS_STOCK)} is null) = ${no_stock}`);
  if (unsold !== undefined) filters.push(sql`(${planWhere(IS_SOLD)} is null) = ${unsold}`);
  const readsParts = untranslated !== undefined || no_stock !== undefined || unsold !== undefined;
  return {
    from:
      name === undefined
        ? sql`products p`
        : sql`product_texts t cross join lateral (select * from products o where o.id = t.product_id limit 1) p`,
    alias: sql`p`,
    columns: sql.raw(
      "p.id, p.slug, p.vendor, p.vendor_slug, p.category, p.listed, p.revision, p.created_at, p.updated_at",
    ),
    indexed,
    filters,
    walked: readsParts ? WALKED_PRODUCTS : name === undefined ? WALKED_ROWS : WALKED_ROWS / 2,
    sort: name === undefined ? [...lead, ...BY_ID] : BY_NAME,
    at: sql`p.created_at`,
  };
}

type ProductRow = Omit<ConsoleProduct, "price_from" | "stock" | "stock_exact"> & {
  price_cents: number | null;
};

/**
 * A page of products for staff, or of a merchant's products, with capped total; each statement reads at most 2,100 rows.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleProducts(
  input: ConsoleProductsInput,
  locale: Locale,
  { size = SCREEN, merchantId }: { size?: ListSize; merchantId?: string } = {},
): Promise<ConsoleProductList> {
  const query =
    merchantId === undefined
      ? productListQuery(input, locale)
      : merchantProductListQuery(merchantId, input, locale);
  const rows = await listDb.execute<ProductRow & RowMarks>(sql`
    with ${pageSql(query, input, size)}
    select w.id as product_id, w.slug, coalesce(${productNameSql("w.id", locale)}, w.slug) as product_name, w.vendor, w.vendor_slug, w.category, w.listed,
      w.revision, w.updated_at, listed_plans.plans, listed_plans.price_cents,
      array(select l.locale from unnest(${sql.param([...LOCALES])}::text[]) l(locale)
        where (select m.locale from product_texts m where m.product_id = w.id and m.locale = l.locale) is null) as untranslated, ${ROW_MARKS}
    from page w cross join lateral (select count(*)::int as plans, min(x.price_cents) as price_cents
      from plans x where x.product_id = w.id and x.listed) listed_plans
    order by w.place`);
  const page = await toPage(query, input, size, rows, (row) => row);
  const stock = await countStock(page.items.map(({ product_id }) => product_id));
  return {
    ...page,
    items: page.items.map(({ price_cents, updated_at, ...row }) => ({
      ...row,
      updated_at: instant(updated_at),
      price_from: price_cents === null ? null : toDecimal(price_cents),
      stock: Math.min(stock.get(row.product_id) ?? 0, COUNTED_STOCK),
      stock_exact: (stock.get(row.product_id) ?? 0) < COUNTED_STOCK,
    })),
  };
}

/** The codes of each product that can be sold, counted to COUNTED_STOCK in several statements, so that each reads few rows. */
async function countStock(ids: readonly number[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (let start = 0; start < ids.length; start += STOCK_BATCH) {
    const batch = ids.slice(start, start + STOCK_BATCH);
    const rows = await listDb.execute<{ id: number; available: number }>(sql`
      select i.id, (select count(*)::int from (select from plans x cross join lateral (
          select from keys k where k.plan_id = x.id and ${sql.raw(SELLABLE_KEY)} limit ${rowCount(COUNTED_STOCK)}) found
        where x.product_id = i.id limit ${rowCount(COUNTED_STOCK)}) counted) as available
      from unnest(${sql.param(batch)}::int[]) i(id)`);
    for (const { id, available } of rows) counts.set(id, available);
  }
  return counts;
}
