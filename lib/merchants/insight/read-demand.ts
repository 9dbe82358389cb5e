import { sql } from "drizzle-orm";
import { reportDb } from "@/db/client";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import type { PlanDemand } from "@/lib/merchants/insight/contract";
import {
  FORECAST_WEEKS,
  type ForecastFacts,
  forecast,
  historyDays,
  type SalesHistory,
  toForecastFacts,
} from "@/lib/merchants/insight/rules";
import { COUNTED_KEYS } from "@/lib/merchants/key-files/rules";
import { rowCount } from "@/lib/platform/console/query";

export const HISTORY_DAYS = 7 * FORECAST_WEEKS;
/** Codes and people, counted for all plans of a page in one statement. */
const FEW = 50;
/** Plans whose days one statement reads: 30 × 57 days. */
const DAYS_BATCH = 30;

const TODAY = "(shop_now() at time zone 'UTC')::date";
/** SQL: the paid units of plan `x` by day of the last weeks, today included, as a `SalesHistory`. */
export const SALES_HISTORY = `json_build_object(
  'sales', coalesce((select json_agg(json_build_array(${TODAY} - s.day, s.units)) from plan_sales_daily s
    where s.plan_id = x.id and s.day >= ${TODAY} - ${HISTORY_DAYS}), '[]'::json),
  'elapsed', extract(epoch from (shop_now() at time zone 'UTC') - ${TODAY}::timestamp) / 86400,
  'weekday', extract(dow from shop_now() at time zone 'UTC'))`;

/**
 * The available codes, waiting people and past sales of a plan, from which every screen and email about its stock is
 * computed.
 */
export type PlanStock = { available: number; waiting: number; history: SalesHistory };
type Shown = Omit<PlanDemand, "product_id" | "product_name" | "vip_id" | "vip_type">;
export type Demand = {
  facts: ForecastFacts;
  /** units a day, not rounded */
  rate: number;
  shown: Shown;
};

export const toTenths = (value: number) => Math.round(value * 10) / 10;

/** Computes what a plan needs, for insight, the list of codes, the first page, emails and metrics alike. */
export function toDemand({ available, waiting, history }: PlanStock): Demand {
  const facts = { ...toForecastFacts(history), available, waiting };
  const plan = forecast(facts);
  const isCounted = available < COUNTED_KEYS;
  return {
    facts,
    rate: plan.rate,
    shown: {
      available,
      waiting,
      history_days: historyDays(history),
      rate: Math.round(plan.rate * 100) / 100,
      cover: isCounted ? plan.cover : null,
      expected: toTenths(plan.expected),
      low: toTenths(plan.low),
      high: toTenths(plan.high),
      suggestion: plan.suggestion,
      suggestion_low: plan.suggestionLow,
      suggestion_high: plan.suggestionHigh,
    },
  };
}

type StockRow = { id: number; available: number; waiting: number };

/** Codes and waiting people of plans, counted to this number; a statement reads at most 2,000 rows. */
async function readStock(ids: readonly number[], counted: number): Promise<StockRow[]> {
  const batch = Math.max(1, COUNTED_KEYS / counted);
  const stock: StockRow[] = [];
  for (let start = 0; start < ids.length; start += batch)
    stock.push(
      ...(await reportDb.execute<StockRow>(sql`
      select i.id, (select count(*)::int from (select from keys k where k.plan_id = i.id and ${sql.raw(SELLABLE_KEY)}
          limit ${rowCount(counted)}) a) as available,
        (select count(*)::int from (select from wait_list q where q.plan_id = i.id and q.outcome is null
          limit ${rowCount(counted)}) q) as waiting
      from unnest(${sql.param(ids.slice(start, start + batch))}::int[]) i(id)`)),
    );
  return stock;
}

/** The demand of plans, by their id. */
export async function readDemand(ids: readonly number[]): Promise<Map<number, Demand>> {
  const stock = new Map<number, StockRow>();
  for (const row of await readStock(ids, FEW)) stock.set(row.id, row);
  // Most plans have few codes. Only the others are counted further, in more statements.
  const full = [...stock.values()].filter(({ available, waiting }) => Math.max(available, waiting) >= FEW);
  for (const row of await readStock(
    full.map(({ id }) => id),
    COUNTED_KEYS,
  ))
    stock.set(row.id, row);
  const demand = new Map<number, Demand>();
  for (let start = 0; start < ids.length; start += DAYS_BATCH) {
    const rows = await reportDb.execute<{ id: number; history: SalesHistory }>(sql`
      select x.id, ${sql.raw(SALES_HISTORY)} as history from unnest(${sql.param(ids.slice(start, start + DAYS_BATCH))}::int[]) x(id)`);
    for (const { id, history } of rows) demand.set(id, toDemand({ ...stock.get(id)!, history }));
  }
  return demand;
}
