import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { ofVendorAndCategory, productNameSql } from "@/lib/catalog/console/list-console-products";
import { COUNTED_STOCK } from "@/lib/catalog/console/rules";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { type PassType, SELLABLE_KEY } from "@/lib/catalog/rules";
import type { ConsoleStock, ConsoleStockInput, ConsoleStockList } from "@/lib/delivery/console/contract";
import { ID_PATTERN, NUMBER_PATTERN } from "@/lib/platform/console/cursor";
import { WALKED_ROWS_WITH_PARTS } from "@/lib/platform/console/list";
import {
  type ConsoleListQuery,
  isValue,
  type ListSize,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  rowCount,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";

const RATE_DAYS = 28;
/** Plans of a product that the list shows. */
const MAX_PLANS = 100;
/** Codes and people that one statement counts, so that it reads few rows. */
const COUNTED_AT_ONCE = 1_800;

const SORT: readonly SortKey[] = [
  { value: sql`p.id`, type: "int", pattern: NUMBER_PATTERN },
  { value: sql`x.id`, type: "int", pattern: NUMBER_PATTERN },
];

const MERCHANT_KEY: SortKey = { value: sql`p.merchant_id`, type: "text", pattern: ID_PATTERN };

/** Reads plans by id, or those of products by merchant, by vendor, by category, or the newest. */
export function stockListQuery(input: ConsoleStockInput, merchantId?: string): ConsoleListQuery {
  const {
    vip_id,
    product_id,
    vendor,
    category,
    vip_type,
    pass_type = vip_type,
    listed,
    no_stock,
    waiting,
  } = input;
  const isLed = vip_id !== undefined || product_id !== undefined || merchantId !== undefined;
  const { indexed, filters, lead } = ofVendorAndCategory({ vendor, category }, isLed);
  if (merchantId !== undefined) {
    indexed.push(isValue(MERCHANT_KEY, merchantId));
    lead.push(MERCHANT_KEY);
  }
  // A limit keeps the planner from reading all plans: it follows the products' index and takes the plans of each.
  const from =
    vip_id === undefined
      ? sql`products p cross join lateral (select * from plans y where y.product_id = p.id order by y.id desc limit ${rowCount(MAX_PLANS)}) x`
      : sql`(select * from plans where id = ${vip_id}) x
          cross join lateral (select * from products o where o.id = x.product_id limit 1) p`;
  if (product_id !== undefined) (vip_id === undefined ? indexed : filters).push(sql`p.id = ${product_id}`);
  if (pass_type) filters.push(sql`p.type = ${pass_type}`);
  if (listed !== undefined) filters.push(sql`(p.plan_listed and p.listed) = ${listed}`);
  if (no_stock !== undefined)
    filters.push(
      sql`((select k.id from keys k where k.plan_id = p.plan_id and ${sql.raw(SELLABLE_KEY)} limit 1) is null) = ${no_stock}`,
    );
  if (waiting !== undefined)
    filters.push(
      sql`((select q.id from wait_list q where q.plan_id = p.plan_id and q.outcome is null limit 1) is not null) = ${waiting}`,
    );
  return {
    from,
    alias: sql`p`,
    columns: sql.raw(
      "p.id, p.slug, p.merchant_id, p.vendor, p.vendor_slug, p.category, p.listed, p.created_at, x.id as plan_id, x.type, x.duration_days, x.listed as plan_listed",
    ),
    indexed,
    filters,
    walked: WALKED_ROWS_WITH_PARTS,
    sort: [...lead, ...SORT],
    at: sql`p.created_at`,
  };
}

type StockRow = Pick<
  ConsoleStock,
  "vip_id" | "product_id" | "product_name" | "vendor" | "vendor_slug" | "listed" | "sold_28_days"
> & {
  type: PassType;
  duration_days: number | null;
};
type Counts = {
  id: number;
  available: number;
  reserved: number;
  waiting: number;
  next_redeem_by: string | null;
};

/**
 * A page of plans with their codes, with capped total; each statement reads at most 2,100 rows.
 * @throws ShopError cursor_invalid
 */
export const listConsoleStock = (
  input: ConsoleStockInput,
  locale: Locale,
  size: ListSize = SCREEN,
): Promise<ConsoleStockList> => readStock(stockListQuery(input), input, locale, size);

/**
 * The same of the products of a merchant.
 * @throws ShopError cursor_invalid
 */
export const listStockOf = (
  merchantId: string,
  input: ConsoleStockInput,
  locale: Locale,
): Promise<ConsoleStockList> => readStock(stockListQuery(input, merchantId), input, locale);

async function readStock(
  query: ConsoleListQuery,
  input: ConsoleStockInput,
  locale: Locale,
  size: ListSize = SCREEN,
): Promise<ConsoleStockList> {
  const rows = await listDb.execute<StockRow & RowMarks>(sql`
    with ${pageSql(query, input, size)}
    select w.plan_id as vip_id, w.id as product_id, coalesce(${productNameSql("w.id", locale)}, w.slug) as product_name, w.vendor, w.vendor_slug,
      w.listed and w.plan_listed as listed, w.type, w.duration_days,
      (select coalesce(sum(s.units), 0)::int from plan_sales_daily s where s.plan_id = w.plan_id
        and s.day > (shop_now() at time zone 'UTC')::date - ${RATE_DAYS}::int) as sold_28_days, ${ROW_MARKS}
    from page w
    order by w.place`);
  const page = await toPage(query, input, size, rows, (row) => row);
  const counts = await countCodes(page.items.map(({ vip_id }) => vip_id));
  return { ...page, items: page.items.map((row) => toStock(row, counts.get(row.vip_id)!, locale)) };
}

/** The codes of each plan, to COUNTED_STOCK. */
async function countCodes(ids: readonly number[]): Promise<Map<number, Counts>> {
  const counts = new Map<number, Counts>();
  const batch = Math.floor(COUNTED_AT_ONCE / (3 * COUNTED_STOCK));
  for (let start = 0; start < ids.length; start += batch) {
    const rows = await listDb.execute<Counts>(sql`
      select i.id,
        (select count(*)::int from (select from keys k where k.plan_id = i.id and ${sql.raw(SELLABLE_KEY)} limit ${rowCount(COUNTED_STOCK)}) a) as available,
        (select count(*)::int from (select from keys k where k.plan_id = i.id and k.state = 'reserved' limit ${rowCount(COUNTED_STOCK)}) r) as reserved,
        (select count(*)::int from (select from wait_list q where q.plan_id = i.id and q.outcome is null limit ${rowCount(COUNTED_STOCK)}) q) as waiting,
        (select k.redeem_by from keys k where k.plan_id = i.id and ${sql.raw(SELLABLE_KEY)} and k.redeem_by is not null
          order by k.redeem_by limit 1) as next_redeem_by
      from unnest(${sql.param(ids.slice(start, start + batch))}::int[]) i(id)`);
    for (const row of rows) counts.set(row.id, row);
  }
  return counts;
}

function toStock({ type, duration_days, ...row }: StockRow, counts: Counts, locale: Locale): ConsoleStock {
  const { available, reserved, waiting, next_redeem_by } = counts;
  const isCounted = available < COUNTED_STOCK && row.sold_28_days > 0;
  return {
    ...row,
    vip_type: passLabel({ pass_type: type, duration_days }, locale),
    available,
    reserved,
    waiting,
    days_of_cover: isCounted ? Math.floor((available * RATE_DAYS) / row.sold_28_days) : null,
    next_redeem_by: instant(next_redeem_by),
  };
}
