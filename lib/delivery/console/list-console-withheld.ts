import { type SQL, sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { productNameSql } from "@/lib/catalog/console/list-console-products";
import { COUNTED_STOCK } from "@/lib/catalog/console/rules";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { type PassType, SELLABLE_KEY } from "@/lib/catalog/rules";
import { withheldSql } from "@/lib/delivery/withheld/list-withheld-plans";
import { MAX_COUNTED } from "@/lib/platform/console/count";
import { decodeCursor, NUMBER_PATTERN } from "@/lib/platform/console/cursor";
import {
  type ConsoleListQuery,
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
import type { ConsoleWithheldInput, ConsoleWithheldList, ConsoleWithheldPlan } from "./contract-withheld";

/** Codes and units that one statement counts, so that it reads few rows. */
const COUNTED_AT_ONCE = 1_800;

const BY_PLAN: readonly SortKey[] = [{ value: sql`x.plan_id`, type: "int", pattern: NUMBER_PATTERN }];

/**
 * The plans with withheld keys after this one, at most so many. Each is found by one look into the index of withheld keys,
 * because after a restore all keys of a plan may be withheld.
 */
function withheldListQuery(after: number, limit: number): ConsoleListQuery {
  const next = (than: SQL) =>
    sql`select min(k.plan_id) as plan_id from keys k where k.state = 'withheld' and k.plan_id > ${than}`;
  return {
    from: sql`(with recursive found as (${next(sql`${after}::int`)}
        union all select n.plan_id from found f cross join lateral (${next(sql`f.plan_id`)}) n where f.plan_id is not null)
      select plan_id from found where plan_id is not null limit ${rowCount(limit)}) x`,
    alias: sql`x`,
    columns: sql`x.plan_id`,
    indexed: [],
    filters: [],
    walked: null,
    sort: BY_PLAN,
    ascending: true,
    at: sql`shop_now()`,
  };
}

type PlanRow = Pick<ConsoleWithheldPlan, "vip_id" | "product_id" | "product_name"> & {
  type: PassType;
  duration_days: number | null;
};
type Counts = Pick<ConsoleWithheldPlan, "withheld" | "available" | "waiting" | "version"> & { id: number };

/**
 * A page of plans with withheld keys, by number, in the reader's language.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleWithheld(
  input: ConsoleWithheldInput,
  locale: Locale,
  size: ListSize = SCREEN,
): Promise<ConsoleWithheldList> {
  const [after = "0"] = decodeCursor(input.cursor, input, [NUMBER_PATTERN]) ?? [];
  const rows = await listDb.execute<PlanRow & RowMarks>(sql`
    with ${pageSql(withheldListQuery(Number(after), size.rows + 1), input, size)}
    select w.plan_id as vip_id, p.id as product_id, coalesce(${productNameSql("p.id", locale)}, p.slug) as product_name, pl.type,
      pl.duration_days, ${ROW_MARKS}
    from page w join plans pl on pl.id = w.plan_id join products p on p.id = pl.product_id order by w.place`);
  const page = await toPage(withheldListQuery(0, MAX_COUNTED + 1), input, size, rows, (row) => row);
  const counts = await countWithheld(page.items.map(({ vip_id }) => vip_id));
  const items = page.items.map(({ type, duration_days, ...row }) => {
    const { id, ...counted } = counts.get(row.vip_id)!;
    return { ...row, vip_type: passLabel({ pass_type: type, duration_days }, locale), ...counted };
  });
  return { ...page, items };
}

/** The keys of each plan, and the units that wait for them, to COUNTED_STOCK. */
async function countWithheld(ids: readonly number[]): Promise<Map<number, Counts>> {
  const counts = new Map<number, Counts>();
  const batch = Math.floor(COUNTED_AT_ONCE / (3 * COUNTED_STOCK));
  const limit = rowCount(COUNTED_STOCK);
  for (let start = 0; start < ids.length; start += batch) {
    const rows = await listDb.execute<Counts>(sql`
      select i.id, v.withheld, v.version,
        (select count(*)::int from (select from keys k where k.plan_id = i.id and ${sql.raw(SELLABLE_KEY)} limit ${limit}) a) as available,
        (select least(coalesce(sum(q.quantity), 0), ${limit})::int from (select l.quantity from order_lines l
          where l.plan_id = i.id and l.state = 'waiting'
            and (select o.status from orders o where o.id = l.order_id) = 'processing' limit ${limit}) q) as waiting
      from unnest(${sql.param(ids.slice(start, start + batch))}::int[]) i(id) cross join lateral ${withheldSql(sql`i.id`)} v`);
    for (const row of rows) counts.set(row.id, row);
  }
  return counts;
}
