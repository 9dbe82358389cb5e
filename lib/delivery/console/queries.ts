import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { NUMBER_PATTERN, ofVendorAndCategory, productNameSql } from "@/lib/catalog/console/queries";
import { COUNTED_STOCK } from "@/lib/catalog/console/rules";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import type { PassType } from "@/lib/catalog/rules";
import type { ConsoleStock, ConsoleStockInput, ConsoleStockList } from "@/lib/delivery/console/contract";
import { WALKED_ROWS_WITH_PARTS } from "@/lib/platform/console/list";
import {
  type ListPlan,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  rowCount,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";

const RATE_DAYS = 28;
/** Plans of a product that the list shows. */
const MAX_PLANS = 100;
/** Plans whose codes one statement counts. */
const COUNT_BATCH = 6;

const SORT: readonly SortKey[] = [
  { value: sql`p.id`, type: "int", pattern: NUMBER_PATTERN },
  { value: sql`x.id`, type: "int", pattern: NUMBER_PATTERN },
];

/** Reads plans by id, or those of products by vendor, by category, or the newest. */
export function planStock(input: ConsoleStockInput): ListPlan {
  const { vip_id, product_id, vendor, category, vip_type, listed, no_stock, waiting } = input;
  const { indexed, filters, lead } = ofVendorAndCategory(
    { vendor, category },
    vip_id !== undefined || product_id !== undefined,
  );
  // A limit keeps the planner from reading all plans: it follows the products' index and takes the plans of each.
  const from =
    vip_id === undefined
      ? sql`products p cross join lateral (select * from plans y where y.product_id = p.id order by y.id desc limit ${rowCount(MAX_PLANS)}) x`
      : sql`(select * from plans where id = ${vip_id}) x
          cross join lateral (select * from products o where o.id = x.product_id limit 1) p`;
  if (product_id !== undefined) (vip_id === undefined ? indexed : filters).push(sql`p.id = ${product_id}`);
  if (vip_type) filters.push(sql`p.type = ${vip_type}`);
  if (listed !== undefined) filters.push(sql`(p.plan_listed and p.listed) = ${listed}`);
  if (no_stock !== undefined)
    filters.push(
      sql`((select k.id from keys k where k.plan_id = p.plan_id and k.state = 'available' limit 1) is null) = ${no_stock}`,
    );
  if (waiting !== undefined)
    filters.push(
      sql`((select q.id from wait_list q where q.plan_id = p.plan_id and q.state = 'waiting' limit 1) is not null) = ${waiting}`,
    );
  return {
    from,
    alias: sql`p`,
    columns: sql.raw(
      "p.id, p.slug, p.vendor, p.vendor_slug, p.category, p.listed, p.created_at, x.id as plan_id, x.type, x.duration_days, x.listed as plan_listed",
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
export async function listConsoleStock(input: ConsoleStockInput, locale: Locale): Promise<ConsoleStockList> {
  const plan = planStock(input);
  const rows = await listDb.execute<StockRow & RowMarks>(sql`
    with ${pageSql(plan, input, SCREEN)}
    select w.plan_id as vip_id, w.id as product_id, coalesce(${productNameSql("w.id", locale)}, w.slug) as product_name, w.vendor, w.vendor_slug,
      w.listed and w.plan_listed as listed, w.type, w.duration_days,
      (select coalesce(sum(s.units), 0)::int from plan_sales_daily s where s.plan_id = w.plan_id
        and s.day > (shop_now() at time zone 'UTC')::date - ${RATE_DAYS}::int) as sold_28_days, ${ROW_MARKS}
    from page w
    order by w.place`);
  const page = await toPage(plan, input, SCREEN, rows, (row) => row);
  const counts = await countCodes(page.items.map(({ vip_id }) => vip_id));
  return { ...page, items: page.items.map((row) => toStock(row, counts.get(row.vip_id)!, locale)) };
}

/** The codes of each plan, counted to COUNTED_STOCK in several statements, so that each reads few rows. */
async function countCodes(ids: readonly number[]): Promise<Map<number, Counts>> {
  const counts = new Map<number, Counts>();
  for (let start = 0; start < ids.length; start += COUNT_BATCH) {
    const rows = await listDb.execute<Counts>(sql`
      select i.id,
        (select count(*)::int from (select from keys k where k.plan_id = i.id and k.state = 'available' limit ${rowCount(COUNTED_STOCK)}) a) as available,
        (select count(*)::int from (select from keys k where k.plan_id = i.id and k.state = 'reserved' limit ${rowCount(COUNTED_STOCK)}) r) as reserved,
        (select count(*)::int from (select from wait_list q where q.plan_id = i.id and q.state = 'waiting' limit ${rowCount(COUNTED_STOCK)}) q) as waiting,
        (select k.redeem_by from keys k where k.plan_id = i.id and k.state = 'available' and k.redeem_by is not null
          order by k.redeem_by limit 1) as next_redeem_by
      from unnest(${sql.param(ids.slice(start, start + COUNT_BATCH))}::int[]) i(id)`);
    for (const row of rows) counts.set(row.id, row);
  }
  return counts;
}

function toStock({ type, duration_days, ...row }: StockRow, counts: Counts, locale: Locale): ConsoleStock {
  const { available, reserved, waiting, next_redeem_by } = counts;
  const isCounted = available < COUNTED_STOCK && row.sold_28_days > 0;
  return {
    ...row,
    vip_type_label: passLabel({ vip_type: type, duration_days }, locale),
    available,
    reserved,
    waiting,
    days_of_cover: isCounted ? Math.floor((available * RATE_DAYS) / row.sold_28_days) : null,
    next_redeem_by: next_redeem_by && new Date(next_redeem_by).toISOString(),
  };
}
