import { type SQL, sql } from "drizzle-orm";
import { listDb, reportDb } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import type {
  MerchantSale,
  MerchantSaleList,
  MerchantSalesInput,
  SaleTotals,
} from "@/lib/merchants/sales/contract";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import { type ListPage, WALKED_ROWS } from "@/lib/platform/console/list";
import {
  allOf,
  type ConsoleListQuery,
  daysSql,
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
import { toDecimal } from "@/lib/platform/money";

/** Whose sales are read: those of a member's merchant, or of the one that staff view. */
export type SalesViewer = { merchant: Pick<MerchantViewer["merchant"], "id"> };

/** Sales that the totals add up at most. */
const SUMMED_ROWS = 2_000;

const BY_TIME: readonly SortKey[] = [
  { value: sql`s.sold_at`, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`s.line_id`, type: "text", pattern: ID_PATTERN },
];
const MERCHANT: SortKey = { value: sql`s.merchant_id`, type: "text", pattern: ID_PATTERN };
const STATE: SortKey = { value: sql`s.state`, type: "text", pattern: ID_PATTERN };
const PRODUCT: SortKey = { value: sql`s.product_id`, type: "int", pattern: /^\d{1,10}$/ };
const PLAN: SortKey = { value: sql`s.plan_id`, type: "int", pattern: /^\d{1,10}$/ };

const COLUMNS = sql.raw(
  `s.line_id, s.sold_at, s.product_id, s.plan_id, s.units, s.gross_cents, s.discount_cents, s.funded_by, s.commission_cents,
    s.net_cents, s.tax_cents, s.refunded_cents, s.refunded_units, s.commission_back_cents, s.net_back_cents, s.state, s.available_at, s.buyer`,
);

/** Reads a merchant's sales by plan, by product, by state, or by time. */
function saleListQuery(
  { merchant }: SalesViewer,
  { product_id: product, vip_id: plan, state, ...days }: Omit<MerchantSalesInput, "cursor">,
): ConsoleListQuery {
  const filters: SQL[] = [];
  const indexed: SQL[] = [];
  let lead: readonly SortKey[];
  if (plan !== undefined || product !== undefined) {
    const isPlan = plan !== undefined;
    lead = [isPlan ? PLAN : PRODUCT];
    indexed.push(isValue(lead[0]!, String(plan ?? product)));
    // Of another merchant's pass nothing is read.
    indexed.push(
      isPlan
        ? sql`(select p.merchant_id from plans v join products p on p.id = v.product_id where v.id = ${plan}) = ${merchant.id}`
        : sql`(select p.merchant_id from products p where p.id = ${product}) = ${merchant.id}`,
    );
    indexed.push(sql`s.merchant_id = ${merchant.id}`);
    if (isPlan && product !== undefined) filters.push(sql`s.product_id = ${product}`);
    if (state) filters.push(sql`s.state = ${state}`);
  } else {
    lead = state ? [MERCHANT, STATE] : [MERCHANT];
    indexed.push(isValue(MERCHANT, merchant.id));
    if (state) indexed.push(isValue(STATE, state));
  }
  indexed.push(...daysSql(sql`s.sold_at`, days));
  return {
    from: sql`merchant_sales s`,
    alias: sql`s`,
    columns: COLUMNS,
    indexed,
    filters,
    walked: WALKED_ROWS,
    sort: [...lead, ...BY_TIME],
    at: sql`s.sold_at`,
  };
}

type Row = Pick<
  MerchantSale,
  | "sale_id"
  | "sold_at"
  | "product_id"
  | "product_name"
  | "vip_id"
  | "pass_type"
  | "units"
  | "refunded_units"
  | "payable_on"
  | "state"
  | "buyer"
> & {
  days: number | null;
  gross: number;
  discount: number;
  funded_by: "shop" | "merchant";
  tax: number;
  commission: number;
  net: number;
  refunded: number;
  commission_back: number;
  net_back: number;
};

export async function readSales(
  viewer: SalesViewer,
  input: MerchantSalesInput,
  locale: Locale,
  size: ListSize,
): Promise<ListPage<MerchantSale>> {
  const query = saleListQuery(viewer, input);
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(query, input, size)}
    select w.line_id as sale_id, w.sold_at, w.product_id, coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name, w.plan_id as vip_id,
      v.type as pass_type, v.duration_days as days, w.units, w.gross_cents as gross, w.discount_cents as discount, w.funded_by,
      w.commission_cents as commission, w.net_cents as net, w.tax_cents as tax, w.refunded_cents as refunded, w.refunded_units,
      w.commission_back_cents as commission_back, w.net_back_cents as net_back, w.available_at as payable_on, w.state, w.buyer,
      ${ROW_MARKS}
    from page w join plans v on v.id = w.plan_id
    left join product_texts t on t.product_id = w.product_id and t.locale = ${locale}
    left join product_texts e on e.product_id = w.product_id and e.locale = 'en'
    order by w.place`);
  return toPage(query, input, size, rows, (row) => toMerchantSale(row, locale));
}

function toMerchantSale({ days, gross, funded_by, ...row }: Row, locale: Locale): MerchantSale {
  return {
    ...row,
    sold_at: instant(row.sold_at),
    vip_type: passLabel({ pass_type: row.pass_type, duration_days: days }, locale),
    price: toDecimal(gross),
    discount: toDecimal(row.discount),
    discount_by: row.discount > 0 ? funded_by : null,
    tax: toDecimal(row.tax),
    commission: toDecimal(row.commission),
    net: toDecimal(row.net),
    refunded: toDecimal(row.refunded),
    commission_back: toDecimal(row.commission_back),
    net_back: toDecimal(row.net_back),
    payable: toDecimal(row.net - row.net_back),
    payable_on: instant(row.payable_on),
  };
}

/**
 * A page of the merchant's sales, newest first, with the sums of what the filters show; each statement reads at most 2,100
 * rows.
 * @throws ShopError cursor_invalid
 */
export async function listMerchantSales(
  viewer: SalesViewer,
  input: MerchantSalesInput,
  locale: Locale,
): Promise<MerchantSaleList> {
  const page = await readSales(viewer, input, locale, SCREEN);
  return { ...page, totals: await sumSales(saleListQuery(viewer, input)) };
}

type Sums = Omit<SaleTotals, "exact"> & { walked: number };

/** The sums of the newest sales that the filters show. */
async function sumSales({
  from,
  alias,
  columns,
  indexed,
  filters,
  sort,
}: ConsoleListQuery): Promise<SaleTotals> {
  const order = sql.join(
    sort.map(({ value }) => sql`${value} desc`),
    sql`, `,
  );
  const sums = (column: string) => sql.raw(`coalesce(sum(${column}) filter (where hit), 0)::float8`);
  const [row] = await reportDb.execute<Sums>(sql`
    select count(*) filter (where hit)::int as sales, ${sums("units")} as units, ${sums("gross_cents")} as price,
      ${sums("discount_cents")} as discount, ${sums("commission_cents")} as commission, ${sums("net_cents")} as net,
      ${sums("refunded_cents")} as refunded, ${sums("net_cents - net_back_cents")} as payable, count(*)::int as walked
    from (select ${alias}.*, ${allOf(filters)} as hit
      from (select ${columns} from ${from} where ${allOf(indexed)} order by ${order} limit ${rowCount(SUMMED_ROWS)}) ${alias}) summed`);
  const { sales, units, walked, ...cents } = row!;
  const amounts = Object.fromEntries(
    Object.entries(cents).map(([name, value]) => [name, toDecimal(value)]),
  ) as Omit<Sums, "sales" | "units" | "walked">;
  return { sales, units, ...amounts, exact: walked < SUMMED_ROWS };
}
