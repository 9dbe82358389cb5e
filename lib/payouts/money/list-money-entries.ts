import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import type { MoneyEntriesInput, MoneyEntry, MoneyEntryList } from "@/lib/payouts/money/contract";
import { entryKindSql } from "@/lib/payouts/money/entry-kind-sql";
import {
  type EntryPayoutRow,
  entriesOfPayoutSql,
  entryPayoutSql,
  toEntryPayout,
} from "@/lib/payouts/money/entry-payout-sql";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { cellsOf, csvStream, toCells } from "@/lib/platform/console/csv";
import { bigKey, declareQuery, idKey, timeKey } from "@/lib/platform/console/declare-query";
import type { ListPage } from "@/lib/platform/console/list";
import {
  EXPORT,
  type ListSize,
  pageSql,
  ROW_MARKS,
  type RowMarks,
  SCREEN,
  toPage,
} from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";

type AccountViewer = Pick<MerchantViewer, "merchant">;

const entryListQuery = declareQuery<MoneyEntriesInput>({
  table: "ledger_entries e",
  columns: "id, merchant_id, transfer_id, amount_cents, line_id, created_at",
  order: [timeKey("e.created_at"), bigKey("e.id")],
  days: true,
  always: sql`e.account = 'merchant_payable'`,
});

type Row = Pick<
  MoneyEntry,
  | "entry_id"
  | "at"
  | "kind"
  | "sale_id"
  | "payout_id"
  | "product_id"
  | "product_name"
  | "vip_id"
  | "pass_type"
  | "units"
> & { cents: number; days: number | null; payout: EntryPayoutRow };

async function readEntries(
  viewer: AccountViewer,
  input: MoneyEntriesInput,
  locale: Locale,
  size: ListSize,
): Promise<ListPage<MoneyEntry>> {
  const query = {
    ...entryListQuery(input, { key: idKey("e.merchant_id"), value: viewer.merchant.id }),
    ...(input.payout_id !== undefined && { from: entriesOfPayoutSql(input.payout_id) }),
  };
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(query, input, size)}
    select w.id::text as entry_id, w.created_at as at, -w.amount_cents as cents, s.line_id as sale_id, s.product_id,
      ${entryKindSql(sql`w`)} as kind, case when w.transfer_id like 'payout:%' then split_part(w.transfer_id, ':', 2) end as payout_id,
      ${entryPayoutSql} as payout,
      coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name, s.plan_id as vip_id, v.type as pass_type,
      v.duration_days as days, s.units, ${ROW_MARKS}
    from page w left join merchant_sales s on s.line_id = w.line_id left join plans v on v.id = s.plan_id
    left join product_texts t on t.product_id = s.product_id and t.locale = ${locale}
    left join product_texts e on e.product_id = s.product_id and e.locale = 'en'
    order by w.place`);
  return toPage(query, input, size, rows, ({ cents, days, payout, ...row }) => ({
    ...row,
    payout_id: row.payout_id ?? payout?.payout_id ?? null,
    payout: toEntryPayout(payout),
    at: instant(row.at),
    amount: toDecimal(cents),
    vip_type: row.pass_type && passLabel({ pass_type: row.pass_type, duration_days: days }, locale),
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
  "payout_id",
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
