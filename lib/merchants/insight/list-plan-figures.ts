import { sql } from "drizzle-orm";
import { reportDb } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import type { PassType } from "@/lib/catalog/rules";
import type { DemandInput, PlanFiguresInput, PlanFiguresList } from "@/lib/merchants/insight/contract";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { NUMBER_PATTERN } from "@/lib/platform/console/cursor";
import { WALKED_ROWS_WITH_PARTS } from "@/lib/platform/console/list";
import {
  type ConsoleListQuery,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  rowCount,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";

/** Plans of a product that a list shows. */
const MAX_PLANS = 100;

const SORT: readonly SortKey[] = [
  { value: sql`p.id`, type: "int", pattern: NUMBER_PATTERN },
  { value: sql`x.id`, type: "int", pattern: NUMBER_PATTERN },
];

/** The merchant's plans, those of the newest product first. */
function planListQuery(
  { merchant }: MerchantViewer,
  { product_id }: { product_id?: number | undefined },
): ConsoleListQuery {
  return {
    from: sql`(select * from products where merchant_id = ${merchant.id}) p
      cross join lateral (select * from plans y where y.product_id = p.id order by y.id desc limit ${rowCount(MAX_PLANS)}) x`,
    alias: sql`p`,
    columns: sql.raw("p.id, x.id as plan_id, x.type, x.duration_days, p.created_at"),
    indexed: product_id === undefined ? [] : [sql`p.id = ${product_id}`],
    filters: [],
    walked: WALKED_ROWS_WITH_PARTS,
    sort: SORT,
    at: sql`p.created_at`,
    db: reportDb,
  };
}

export type PlanRow = {
  product_id: number;
  product_name: string;
  vip_id: number;
  type: PassType;
  duration_days: number | null;
};

export const toPlanName = ({ type, duration_days, ...plan }: PlanRow, locale: Locale) => ({
  ...plan,
  vip_type: passLabel({ pass_type: type, duration_days }, locale),
});

/** The sums of a figure of the last days, today included, by plan or product. */
async function sumDays(
  figure: "product_views_daily" | "plan_carts_daily" | "plan_sales_daily",
  ids: readonly number[],
  days: number,
): Promise<Map<number, number>> {
  const { key, value } = {
    product_views_daily: { key: "product_id", value: "views" },
    plan_carts_daily: { key: "plan_id", value: "carts" },
    plan_sales_daily: { key: "plan_id", value: "units" },
  }[figure];
  const rows = await reportDb.execute<{ id: number; n: number }>(sql`
    select d.${sql.raw(key)} as id, sum(d.${sql.raw(value)})::int as n from ${sql.raw(figure)} d
    where d.${sql.raw(key)} = any(${sql.param([...new Set(ids)])}::int[])
      and d.day > (shop_now() at time zone 'UTC')::date - ${days}::int
    group by 1`);
  return new Map(rows.map(({ id, n }) => [id, n]));
}

/**
 * Views, carts and paid units of the merchant's plans, from the figures of days; each statement reads at most 2,100 rows.
 * @throws ShopError cursor_invalid
 */
export async function listPlanFigures(
  viewer: MerchantViewer,
  input: PlanFiguresInput,
  locale: Locale,
): Promise<PlanFiguresList> {
  const page = await readPlans(viewer, input, locale);
  const planIds = page.items.map(({ vip_id }) => vip_id);
  const productIds = page.items.map(({ product_id }) => product_id);
  const views = await sumDays("product_views_daily", productIds, input.days);
  const carts = await sumDays("plan_carts_daily", planIds, input.days);
  const paid = await sumDays("plan_sales_daily", planIds, input.days);
  const items = page.items.map((row) => ({
    ...toPlanName(row, locale),
    views: views.get(row.product_id) ?? 0,
    carts: carts.get(row.vip_id) ?? 0,
    paid: paid.get(row.vip_id) ?? 0,
  }));
  return { ...page, items };
}

export async function readPlans(viewer: MerchantViewer, input: DemandInput, locale: Locale) {
  const query = planListQuery(viewer, input);
  const rows = await reportDb.execute<PlanRow & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select w.id as product_id, coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name, w.plan_id as vip_id, w.type, w.duration_days, ${ROW_MARKS}
    from page w left join product_texts t on t.product_id = w.id and t.locale = ${locale}
    left join product_texts e on e.product_id = w.id and e.locale = 'en' order by w.place`);
  return toPage(query, input, SCREEN, rows, (row) => row);
}
