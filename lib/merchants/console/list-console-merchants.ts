import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { DISCOUNTS_VERSION, NEEDS_REVIEW } from "@/lib/merchants/discounts/mark-discounts-reviewed";
import {
  beginsWith,
  declareQuery,
  equals,
  idKey,
  textKey,
  timeKey,
} from "@/lib/platform/console/declare-query";
import { WALKED_ROWS } from "@/lib/platform/console/list";
import {
  type ListSize,
  markColumns,
  pageSql,
  type RowMarks,
  rowCount,
  SCREEN,
  toPage,
} from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type {
  ConsoleMerchant,
  ConsoleMerchantList,
  ConsoleMerchantsInput,
  Discounts,
} from "./contract-merchants";

/** Members, products and sales of a merchant that the list counts. */
const COUNTED = 20;
export const SALES_DAYS = 30;

/** SQL: a subquery with a limit is read for each merchant; with `not exists` Postgres would read all members. */
const UNOWNED = sql`m.state <> 'ended'
  and (select x.id from merchant_members x where x.merchant_id = m.id and x.ended_at is null limit 1) is null`;

/** SQL: the shop's coupons paid a high share of the merchant's sales, which no one has reviewed. */
const DISCOUNTED = sql`exists (
  select from merchant_discounts d where d.merchant_id = m.id and ${NEEDS_REVIEW})`;

const isGiven = (column: string, given: boolean) => sql.raw(`${column} is ${given ? "not null" : "null"}`);

/** Reads merchants by name, by state, or by time. */
const merchantListQuery = declareQuery<ConsoleMerchantsInput>({
  table: "merchants m",
  columns: "id, handle, name, state, trust, created_at, keys_stopped_at, proposed_name_at",
  order: [timeKey("m.created_at"), idKey("m.id")],
  indexes: { name: beginsWith("lower(m.name)"), state: equals(textKey("m.state")) },
  checks: {
    keys_stopped: (stopped) => isGiven("m.keys_stopped_at", stopped),
    renamed: (renamed) => isGiven("m.proposed_name_at", renamed),
    high_discounts: (high) => (high ? DISCOUNTED : sql`not (${DISCOUNTED})`),
    unowned: (unowned) => (unowned ? UNOWNED : sql`not (${UNOWNED})`),
  },
  walked: ({ unowned }) => (unowned === undefined ? WALKED_ROWS : WALKED_ROWS / 2),
});

type Row = Pick<ConsoleMerchant, "merchant_id" | "handle" | "name" | "state" | "trust" | "renamed"> & {
  created_at: string;
};
type Counts = { id: string; count: number };

/**
 * A page of merchants, with capped total; each statement reads at most 2,100 rows.
 * @throws ShopError cursor_invalid
 */
export async function listConsoleMerchants(
  input: ConsoleMerchantsInput,
  size: ListSize = SCREEN,
): Promise<ConsoleMerchantList> {
  const query = merchantListQuery(input);
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(query, input, size)}
    select m.id as merchant_id, m.handle, m.name, m.state, m.trust, m.created_at,
      m.proposed_name_at is not null as renamed, ${markColumns("m")}
    from page m order by m.place`);
  const page = await toPage(query, input, size, rows, (row) => row);
  const ids = page.items.map(({ merchant_id }) => merchant_id);
  const members = await countOf(
    ids,
    sql`select 1 from merchant_members x where x.merchant_id = i.id and x.ended_at is null`,
  );
  const products = await countOf(ids, sql`select 1 from products x where x.merchant_id = i.id`);
  const sales = await countOf(
    ids,
    sql`select 1 from merchant_sales x where x.merchant_id = i.id
      and x.sold_at > shop_now() - make_interval(days => ${rowCount(SALES_DAYS)}) order by x.sold_at desc`,
  );
  const discounts = await findDiscounts(ids);
  const items = page.items.map((row) => {
    const count = (of: Map<string, number>) => of.get(row.merchant_id) ?? 0;
    return {
      ...row,
      created_at: instant(row.created_at),
      members: Math.min(COUNTED, count(members)),
      products: Math.min(COUNTED, count(products)),
      products_exact: count(products) <= COUNTED,
      sales: Math.min(COUNTED, count(sales)),
      sales_exact: count(sales) <= COUNTED,
      discounts: discounts.get(row.merchant_id) ?? null,
    };
  });
  return { ...page, items };
}

type DiscountRow = {
  id: string;
  gross: string;
  paid: string;
  since: string | null;
  looked: string | null;
  version: string;
};

/** The shares of merchants' sales that the shop's coupons paid, by the last count. `from`: the database to read. */
export async function findDiscounts(
  ids: readonly string[],
  from: typeof listDb = listDb,
): Promise<Map<string, NonNullable<Discounts>>> {
  const rows = await from.execute<DiscountRow>(sql`
    select d.merchant_id as id, d.gross_cents as gross, d.discount_cents as paid, d.high_since as since, d.looked_at as looked,
      ${DISCOUNTS_VERSION} as version
    from merchant_discounts d where d.merchant_id = any(${sql.param([...ids])}::text[])`);
  return new Map(
    rows.map(({ id, since, looked, version, ...cents }) => {
      const [gross, paid] = [Number(cents.gross), Number(cents.paid)];
      const share = gross === 0 ? null : Math.round((paid / gross) * 10_000) / 10_000;
      return [
        id,
        {
          gross: toDecimal(gross),
          shop_paid: toDecimal(paid),
          share,
          high_since: instant(since),
          looked_at: instant(looked),
          version,
        },
      ];
    }),
  );
}

/** Counts the rows of each merchant `i.id`, to one more than COUNTED. */
async function countOf(ids: readonly string[], rows: ReturnType<typeof sql>): Promise<Map<string, number>> {
  const counted = await listDb.execute<Counts>(sql`
    select i.id, (select count(*)::int from (${rows} limit ${rowCount(COUNTED + 1)}) c) as count
    from unnest(${sql.param([...ids])}::text[]) i(id)`);
  return new Map(counted.map(({ id, count }) => [id, count]));
}
