import { sql } from "drizzle-orm";
import { reportDb } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { type PassType, SELLABLE_KEY } from "@/lib/catalog/rules";
import type {
  DemandInput,
  InsightPageInput,
  PlanDays,
  PlanDemand,
  PlanDemandList,
  PlanFiguresInput,
  PlanFiguresList,
  ProductSearches,
} from "@/lib/merchants/insight/contract";
import { FORECAST_WEEKS, type Forecast, forecast } from "@/lib/merchants/insight/rules";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { NUMBER_PATTERN } from "@/lib/platform/console/cursor";
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
import { isShopError, ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";

const HISTORY_DAYS = 7 * FORECAST_WEEKS;
/** Codes and people are counted to this number. */
const COUNTED = 1_000;
/** Codes and people that are counted for all plans of a page at once. */
const FEW = 50;
/** Plans whose days one statement reads: 30 × 56 days. */
const DAYS_BATCH = 30;
const MAX_SEARCHES = 50;
/** Plans of a product that a list shows. */
const MAX_PLANS = 100;

const SORT: readonly SortKey[] = [
  { value: sql`p.id`, type: "int", pattern: NUMBER_PATTERN },
  { value: sql`x.id`, type: "int", pattern: NUMBER_PATTERN },
];

/** The merchant's plans, those of the newest product first. */
function planPlans(
  { merchant }: MerchantViewer,
  { product_id }: { product_id?: number | undefined },
): ListPlan {
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

type PlanRow = {
  product_id: number;
  product_name: string;
  vip_id: number;
  type: PassType;
  duration_days: number | null;
};

const toPlan = ({ type, duration_days, ...plan }: PlanRow, locale: Locale) => ({
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
    ...toPlan(row, locale),
    views: views.get(row.product_id) ?? 0,
    carts: carts.get(row.vip_id) ?? 0,
    paid: paid.get(row.vip_id) ?? 0,
  }));
  return { ...page, items };
}

async function readPlans(viewer: MerchantViewer, input: DemandInput, locale: Locale) {
  const plan = planPlans(viewer, input);
  const rows = await reportDb.execute<PlanRow & RowMarks>(sql`
    with ${pageSql(plan, input, SCREEN)}
    select w.id as product_id, coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name, w.plan_id as vip_id, w.type, w.duration_days, ${ROW_MARKS}
    from page w left join product_texts t on t.product_id = w.id and t.locale = ${locale}
    left join product_texts e on e.product_id = w.id and e.locale = 'en' order by w.place`);
  return toPage(plan, input, SCREEN, rows, (row) => row);
}

type DemandRow = { id: number; available: number; waiting: number; units: number[]; weekday: number };

/**
 * What is available of each plan, who waits for it, and what it will sell; each statement reads at most 2,100 rows.
 * @throws ShopError cursor_invalid
 */
export async function listPlanDemand(
  viewer: MerchantViewer,
  input: DemandInput,
  locale: Locale,
): Promise<PlanDemandList> {
  const page = await readPlans(viewer, input, locale);
  const facts = await readDemand(page.items.map(({ vip_id }) => vip_id));
  const items = page.items.map((row) => ({ ...toPlan(row, locale), ...toDemand(facts.get(row.vip_id)!) }));
  return { ...page, items };
}

const round = (value: number) => Math.round(value * 10) / 10;

function toDemand(row: DemandRow): Omit<PlanDemand, "product_id" | "product_name" | "vip_id" | "vip_type"> {
  const { available, waiting } = row;
  const plan = forecast(row);
  return {
    available,
    waiting,
    rate: Math.round(plan.rate * 100) / 100,
    cover: available < COUNTED ? plan.cover : null,
    expected: round(plan.expected),
    low: round(plan.low),
    high: round(plan.high),
    suggestion: plan.suggestion,
    suggestion_low: plan.suggestionLow,
    suggestion_high: plan.suggestionHigh,
  };
}

/** The days of a plan's history begin with its first sale of the last weeks, but a week ago at the latest. */
function toHistory(sold: { day: number; units: number }[]): number[] {
  const first = Math.max(7, ...sold.map(({ day }) => day));
  const history = Array.from({ length: first }, () => 0);
  for (const { day, units } of sold) history[first - day] = units;
  return history;
}

type StockRow = Pick<DemandRow, "id" | "available" | "waiting" | "weekday">;

/** Codes and waiting people of plans, counted to this number; a statement reads at most 2,000 rows. */
async function readStock(ids: readonly number[], counted: number): Promise<StockRow[]> {
  const batch = Math.max(1, COUNTED / counted);
  const stock: StockRow[] = [];
  for (let start = 0; start < ids.length; start += batch)
    stock.push(
      ...(await reportDb.execute<StockRow>(sql`
      select i.id, (select count(*)::int from (select from keys k where k.plan_id = i.id and ${sql.raw(SELLABLE_KEY)}
          limit ${rowCount(counted)}) a) as available,
        (select count(*)::int from (select from wait_list q where q.plan_id = i.id and q.state = 'waiting'
          limit ${rowCount(counted)}) q) as waiting,
        extract(dow from shop_now() at time zone 'UTC')::int as weekday
      from unnest(${sql.param(ids.slice(start, start + batch))}::int[]) i(id)`)),
    );
  return stock;
}

async function readDemand(ids: readonly number[]): Promise<Map<number, DemandRow>> {
  const demand = new Map<number, DemandRow>();
  const note = (row: StockRow) => void demand.set(row.id, { ...row, units: [] });
  const stock = await readStock(ids, FEW);
  for (const row of stock) note(row);
  // Most plans have few codes and few waiting people: only the others are counted on, in a statement each.
  const full = stock.filter(({ available, waiting }) => available >= FEW || waiting >= FEW);
  for (const row of await readStock(
    full.map(({ id }) => id),
    COUNTED,
  ))
    note(row);
  for (let start = 0; start < ids.length; start += DAYS_BATCH) {
    const rows = await reportDb.execute<{ id: number; day: number; units: number }>(sql`
      select d.plan_id as id, (shop_now() at time zone 'UTC')::date - d.day as day, d.units from plan_sales_daily d
      where d.plan_id = any(${sql.param(ids.slice(start, start + DAYS_BATCH))}::int[])
        and d.day >= (shop_now() at time zone 'UTC')::date - ${HISTORY_DAYS}::int
        and d.day < (shop_now() at time zone 'UTC')::date`);
    for (const id of ids.slice(start, start + DAYS_BATCH))
      demand.get(id)!.units = toHistory(rows.filter((row) => row.id === id));
  }
  return demand;
}

type DayRow = { day: string; views: number; carts: number; paid: number };

/**
 * One plan of the merchant in the last weeks, with its forecast.
 * @throws ShopError product_unknown: not a plan of the merchant
 */
export async function getPlanDays(viewer: MerchantViewer, planId: number, locale: Locale): Promise<PlanDays> {
  const [plan] = await reportDb.execute<PlanRow>(sql`
    select p.id as product_id, coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name, x.id as vip_id, x.type, x.duration_days
    from plans x join products p on p.id = x.product_id
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    left join product_texts e on e.product_id = p.id and e.locale = 'en'
    where x.id = ${planId} and p.merchant_id = ${viewer.merchant.id}`);
  if (!plan) throw new ShopError("product_unknown");
  const days = await reportDb.execute<DayRow>(sql`
    select to_char(g.day, 'YYYY-MM-DD') as day, coalesce(v.views, 0) as views, coalesce(c.carts, 0) as carts, coalesce(s.units, 0) as paid
    from (select d::date as day from generate_series((shop_now() at time zone 'UTC')::date::timestamp - make_interval(days => ${HISTORY_DAYS - 1}),
      (shop_now() at time zone 'UTC')::date::timestamp, interval '1 day') d) g
    left join product_views_daily v on v.product_id = ${plan.product_id} and v.day = g.day
    left join plan_carts_daily c on c.plan_id = ${planId} and c.day = g.day
    left join plan_sales_daily s on s.plan_id = ${planId} and s.day = g.day
    order by g.day`);
  const facts = (await readDemand([planId])).get(planId)!;
  return { ...toPlan(plan, locale), days: [...days], forecast: toDays(days.at(-1)!.day, forecast(facts)) };
}

/** The expected units of each day, beginning with today. */
const toDays = (today: string, { days }: Forecast): PlanDays["forecast"] =>
  days.map((expected, i) => ({
    day: new Date(Date.parse(`${today}T00:00:00Z`) + i * 86_400_000).toISOString().slice(0, 10),
    expected: round(expected),
  }));

/**
 * What the page of insight shows; without a chosen plan the days of the one that sold most.
 * @throws ShopError cursor_invalid
 */
export async function getInsight(
  viewer: MerchantViewer,
  { vip_id, ...input }: InsightPageInput,
  locale: Locale,
) {
  const figures = await listPlanFigures(viewer, input, locale);
  const facts = await readDemand(figures.items.map((row) => row.vip_id));
  const items = figures.items.map(({ views, carts, paid, ...row }) => ({
    ...row,
    ...toDemand(facts.get(row.vip_id)!),
  }));
  const [best] = [...figures.items].sort((a, b) => b.paid - a.paid || b.views - a.views);
  const planId = vip_id ?? best?.vip_id;
  const plan =
    planId === undefined
      ? null
      : await getPlanDays(viewer, planId, locale).catch((error: unknown) => {
          if (isShopError(error, "product_unknown")) return null;
          throw error;
        });
  const demand: PlanDemandList = { ...figures, items };
  return { days: input.days, figures, demand, searches: await listProductSearches(viewer, locale), plan };
}

/** Searches that show the merchant's products among the first results, the most frequent first. */
export async function listProductSearches(viewer: MerchantViewer, locale: Locale): Promise<ProductSearches> {
  const rows = await reportDb.execute<ProductSearches["items"][number]>(sql`
    select s.product_id, coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name, s.content, s.searches, s.place
    from (select * from product_searches where merchant_id = ${viewer.merchant.id}
      order by searches desc, product_id desc limit ${rowCount(MAX_SEARCHES)}) s
    left join product_texts t on t.product_id = s.product_id and t.locale = ${locale}
    left join product_texts e on e.product_id = s.product_id and e.locale = 'en'
    order by s.searches desc, s.product_id desc, s.content`);
  return { items: [...rows], total: rows.length };
}
