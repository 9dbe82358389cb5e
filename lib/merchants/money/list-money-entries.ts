import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import type { MoneyEntriesInput, MoneyEntry, MoneyEntryList } from "@/lib/merchants/money/contract";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { cellsOf, csvStream, toCells } from "@/lib/platform/console/csv";
import { ID_PATTERN, TIME_PATTERN } from "@/lib/platform/console/cursor";
import type { ListPage } from "@/lib/platform/console/list";
import {
  type ConsoleListQuery,
  daysSql,
  EXPORT,
  isValue,
  type ListSize,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  SCREEN,
  type SortKey,
  toPage,
} from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";

type AccountViewer = Pick<MerchantViewer, "merchant">;

const MERCHANT: SortKey = { value: sql`e.merchant_id`, type: "text", pattern: ID_PATTERN };
const BY_TIME: readonly SortKey[] = [
  { value: sql`e.created_at`, type: "timestamptz", pattern: TIME_PATTERN },
  { value: sql`e.id`, type: "bigint", pattern: /^\d{1,15}$/ },
];

function entriesQuery(
  { merchant }: AccountViewer,
  days: Omit<MoneyEntriesInput, "cursor">,
): ConsoleListQuery {
  const indexed = [
    sql`e.account = 'merchant_payable'`,
    isValue(MERCHANT, merchant.id),
    ...daysSql(sql`e.created_at`, days),
  ];
  return {
    from: sql`ledger_entries e`,
    alias: sql`e`,
    columns: sql`e.id, e.merchant_id, e.transfer_id, e.amount_cents, e.line_id, e.created_at`,
    indexed,
    filters: [],
    walked: null,
    sort: [MERCHANT, ...BY_TIME],
    at: sql`e.created_at`,
  };
}

type Row = Pick<
  MoneyEntry,
  "entry_id" | "at" | "kind" | "sale_id" | "product_id" | "product_name" | "vip_id" | "pass_type" | "units"
> & { cents: number; days: number | null };

async function readEntries(
  viewer: AccountViewer,
  input: MoneyEntriesInput,
  locale: Locale,
  size: ListSize,
): Promise<ListPage<MoneyEntry>> {
  const query = entriesQuery(viewer, input);
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(query, input, size)}
    select w.id::text as entry_id, w.created_at as at, -w.amount_cents as cents, s.line_id as sale_id, s.product_id,
      case when w.amount_cents > 0 then 'return' when w.transfer_id = 'settle:' || w.line_id then 'sale' else 'correction' end as kind,
      coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name, s.plan_id as vip_id, v.type as pass_type,
      v.duration_days as days, s.units, ${ROW_MARKS}
    from page w join merchant_sales s on s.line_id = w.line_id join plans v on v.id = s.plan_id
    left join product_texts t on t.product_id = s.product_id and t.locale = ${locale}
    left join product_texts e on e.product_id = s.product_id and e.locale = 'en'
    order by w.place`);
  return toPage(query, input, size, rows, ({ cents, days, ...row }) => ({
    ...row,
    at: instant(row.at),
    amount: toDecimal(cents),
    vip_type: passLabel({ pass_type: row.pass_type, duration_days: days }, locale),
  }));
}

/**
 * A page of the entries of a merchant's account, the newest first.
 * @throws ShopError cursor_invalid
 */
export const listMoneyEntries = (
  viewer: AccountViewer,
  input: MoneyEntriesInput,
  locale: Locale,
): Promise<MoneyEntryList> => readEntries(viewer, input, locale, SCREEN);

/** The columns of the file, in the order of the screen. */
const ENTRY_COLUMNS = [
  "entry_id",
  "at",
  "kind",
  "amount",
  "sale_id",
  "product_id",
  "product_name",
  "vip_id",
  "vip_type",
  "units",
] as const satisfies readonly (keyof MoneyEntry)[];

/** The same entries as CSV, read part by part while they are sent. */
export const moneyEntriesFile = (
  viewer: AccountViewer,
  input: Omit<MoneyEntriesInput, "cursor">,
  locale: Locale,
): ReadableStream<Uint8Array> =>
  csvStream(
    {
      columns: ENTRY_COLUMNS,
      read: async (cursor) =>
        toCells(await readEntries(viewer, { ...input, cursor }, locale, EXPORT), cellsOf(ENTRY_COLUMNS)),
    },
    input.time_zone,
  );
