import { type SQL, sql } from "drizzle-orm";
import { reportDb } from "@/db/client";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { type Cell, csvStream } from "@/lib/platform/console/csv";
import type { ListPage } from "@/lib/platform/console/list";
import { rowCount } from "@/lib/platform/console/query";
import { toDecimal } from "@/lib/platform/money";
import type { TradeExportInput } from "./contract-trade-files";

/** The number of merchants that each part of a report reads. */
const MERCHANTS_AT_ONCE = 200;

const IDENTITY = [
  "merchant_id",
  "handle",
  "name",
  "legal_name",
  "form",
  "register",
  "register_number",
  "vat_id",
  "tax_id",
  "address",
  "postal_code",
  "city",
  "region",
  "country",
] as const;

/** SQL: the values of a merchant's file as one object, `v`. */
const VALUES = sql`lateral (select coalesce(jsonb_object_agg(x.field, x.value), '{}') as v
  from merchant_trade_fields x where x.merchant_id = m.id and x.value is not null) file`;
const IDENTITY_SQL = sql`
  m.id as merchant_id, m.handle, m.name, v->>'legal_name' as legal_name, v->>'form' as form,
  v->'register'->>'name' as register, v->'register'->>'number' as register_number, v->'tax'->>'vat_id' as vat_id, v->'tax'->>'tax_id' as tax_id,
  concat_ws(', ', nullif(v->'address'->>'line1', ''), nullif(v->'address'->>'line2', '')) as address,
  v->'address'->>'postal_code' as postal_code, v->'address'->>'city' as city, v->'address'->>'region' as region,
  v->'address'->>'country' as country`;

type Report = { columns: readonly string[]; statement: (page: SQL) => SQL; money?: readonly string[] };

/** DAC7: the sales without refunds, the seller's share and the shop's commission, by seller and quarter of the sale. */
const dac7 = (year: number): Report => ({
  columns: [...IDENTITY, "quarter", "sales", "currency", "amount", "fees"],
  money: ["amount", "fees"],
  statement: (page) => sql`
    select ${IDENTITY_SQL}, q.quarter, q.sales, 'USD' as currency, q.amount, q.fees
    from (${page}) m cross join ${VALUES} cross join lateral (
      select to_char(s.sold_at at time zone 'UTC', 'YYYY"-Q"Q') as quarter, sum(s.units - s.refunded_units)::int as sales,
        sum(s.net_cents - s.net_back_cents)::float8 as amount, sum(s.commission_cents - s.commission_back_cents)::float8 as fees
      from merchant_sales s where s.merchant_id = m.id
        and s.sold_at >= make_timestamptz(${rowCount(year)}, 1, 1, 0, 0, 0, 'UTC')
        and s.sold_at < make_timestamptz(${rowCount(year + 1)}, 1, 1, 0, 0, 0, 'UTC')
      group by 1) q
    order by m.id, q.quarter`,
});

/** DSA: the identity, contact, declarations and file state of each trader. */
const DSA: Report = {
  columns: [
    ...IDENTITY,
    "phone",
    "contact",
    "contact_email",
    "representative",
    "certified_at",
    "terms_version",
    "terms_accepted_at",
    "documents",
    "state",
    "missing",
    "unchecked",
    "held_at",
  ],
  statement: (page) => sql`
    select ${IDENTITY_SQL}, v->>'phone' as phone, v->'contact'->>'name' as contact, v->'contact'->>'email' as contact_email,
      v->>'representative' as representative,
      (select c.given_at from merchant_trade_fields c where c.merchant_id = m.id and c.field = 'certification')::text as certified_at,
      v->'terms'->>'version' as terms_version,
      (select c.given_at from merchant_trade_fields c where c.merchant_id = m.id and c.field = 'terms')::text as terms_accepted_at,
      (select count(*)::int from merchant_documents d where d.merchant_id = m.id and d.state <> 'refused') as documents,
      coalesce(f.state, 'incomplete') as state, array_to_string(f.missing, ' ') as missing,
      array_to_string(f.unchecked, ' ') as unchecked, m.trade_held_at::text as held_at
    from (${page}) m cross join ${VALUES} left join merchant_trade_files f on f.merchant_id = m.id order by m.id`,
};

/**
 * A report for authorities as CSV, read in parts while it is sent: `dac7` has each seller's sales of a year by quarter,
 * `dsa` identifies the traders. Neither contains documents. The audit log records who exported it.
 */
export async function exportTradeFiles(
  { userId: actor }: StaffViewer,
  { report, year = new Date().getUTCFullYear() }: TradeExportInput,
): Promise<ReadableStream<Uint8Array>> {
  await audit({
    actor,
    action: "trade_files.exported",
    subject: report,
    detail: report === "dac7" ? { year } : {},
  });
  const { columns, statement, money = [] } = report === "dac7" ? dac7(year) : DSA;
  const toCell = (row: Record<string, unknown>, name: string): Cell => {
    const value = (row[name] ?? null) as Cell;
    return money.includes(name) ? toDecimal(Number(value)) : value;
  };
  async function read(after = ""): Promise<ListPage<Cell[]>> {
    const page = sql`select * from merchants where id > ${after} and state <> 'invited' order by id limit ${rowCount(MERCHANTS_AT_ONCE)}`;
    const [last] = await reportDb.execute<{ id: string | null; count: number }>(
      sql`select max(id) as id, count(*)::int as count from (${page}) m`,
    );
    const rows = await reportDb.execute(statement(page));
    const items = rows.map((row) => columns.map((name) => toCell(row, name)));
    const isEnd = last!.count < MERCHANTS_AT_ONCE;
    return { items, next_cursor: isEnd ? null : last!.id, total: 0, total_exact: true, looked_back_to: null };
  }
  return csvStream({ columns, read });
}
