import { sql } from "drizzle-orm";
import { reportDb } from "@/db/client";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import type { DemandInput, PlanDemand, PlanDemandList } from "@/lib/merchants/insight/contract";
import { FORECAST_WEEKS, forecast } from "@/lib/merchants/insight/rules";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { rowCount } from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { readPlans, toPlanName } from "./list-plan-figures";

export const HISTORY_DAYS = 7 * FORECAST_WEEKS;
/** Codes and people are counted to this number. */
const COUNTED = 1_000;
/** Codes and people, counted for all plans of a page in one statement. */
const FEW = 50;
/** Plans whose days one statement reads: 30 × 56 days. */
const DAYS_BATCH = 30;

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
  const items = page.items.map((row) => ({
    ...toPlanName(row, locale),
    ...toDemand(facts.get(row.vip_id)!),
  }));
  return { ...page, items };
}

export const toTenths = (value: number) => Math.round(value * 10) / 10;

export function toDemand(
  row: DemandRow,
): Omit<PlanDemand, "product_id" | "product_name" | "vip_id" | "vip_type"> {
  const { available, waiting } = row;
  const plan = forecast(row);
  return {
    available,
    waiting,
    rate: Math.round(plan.rate * 100) / 100,
    cover: available < COUNTED ? plan.cover : null,
    expected: toTenths(plan.expected),
    low: toTenths(plan.low),
    high: toTenths(plan.high),
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

export async function readDemand(ids: readonly number[]): Promise<Map<number, DemandRow>> {
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
