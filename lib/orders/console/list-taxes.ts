import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { findRatesOn } from "@/lib/payments/exchange-rates/get-exchange-rates";
import { EU_SCHEME, isInEu, type TaxTreatment } from "@/lib/payments/tax/rules";
import { taxSettings } from "@/lib/payments/tax/tax-settings";
import { csvLine } from "@/lib/platform/console/csv";
import { rowCount } from "@/lib/platform/console/query";
import { ShopError } from "@/lib/platform/errors";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { TaxDocumentRow, TaxesInput, TaxLedger, TaxReportRow, TaxScheme } from "./contract-taxes";

const MAX_LISTED = 200;

/** The days of a quarter such as `2026-Q4`, in UTC: the first, and the first after it. */
function daysOf(quarter: string): { from: string; until: string } {
  const [year, number] = [Number(quarter.slice(0, 4)), Number(quarter.slice(6))];
  const first = (month: number) => new Date(Date.UTC(year, month, 1)).toISOString();
  return { from: first(number * 3 - 3), until: first(number * 3) };
}

const QUARTER = (at: ReturnType<typeof sql>) => sql`to_char(${at} at time zone 'UTC', 'YYYY-"Q"Q')`;

type ReportRow = {
  country: string;
  treatment: TaxTreatment;
  bps: number;
  period: string;
  grossCents: number;
  taxCents: number;
};
type DocumentRow = Omit<TaxDocumentRow, "percent" | "gross" | "tax"> & {
  bps: number;
  grossCents: number;
  taxCents: number;
};
type Sums = {
  quarter: string;
  invoices: number;
  creditNotes: number;
  documentsCents: number;
  ledgerCents: number;
  conflicts: number;
  unchecked: number;
};

/** The taxes of a quarter: what is declared by country and rate, the documents, and the ledger (docs/product.md#821-tax). */
export async function listTaxes(input: TaxesInput): Promise<TaxLedger> {
  const present = await currentQuarter();
  const quarter = input.quarter ?? present;
  const { from, until } = daysOf(quarter);
  const isWithin = (at: ReturnType<typeof sql>) =>
    sql`${at} >= ${from}::timestamptz and ${at} < ${until}::timestamptz`;
  const [sums] = await listDb.execute<Sums>(sql`
    select ${quarter}::text as quarter, count(*) filter (where d.kind = 'invoice')::int as invoices,
      count(*) filter (where d.kind = 'credit_note')::int as "creditNotes",
      coalesce(sum(case d.kind when 'invoice' then d.tax_cents else -d.tax_cents end), 0)::float8 as "documentsCents",
      (select coalesce(-sum(e.amount_cents), 0)::float8 from ledger_entries e
        where e.account = 'tax_payable' and ${isWithin(sql`e.created_at`)}) as "ledgerCents",
      (select count(*)::int from order_taxes where evidence = 'conflict') as conflicts,
      (select count(*)::int from order_taxes where vat_check = 'unchecked' and decided_at is not null) as unchecked
    from tax_documents d where ${isWithin(sql`d.created_at`)}`);
  const report = await listDb.execute<ReportRow>(sql`
    select d.country, d.treatment, d.bps, ${QUARTER(sql`coalesce(i.created_at, d.created_at)`)} as period,
      sum(s.sign * d.gross_cents)::float8 as "grossCents", sum(s.sign * d.tax_cents)::float8 as "taxCents"
    from tax_documents d left join tax_documents i on i.id = d.invoice_id
    cross join lateral (select case d.kind when 'invoice' then 1 else -1 end as sign) s
    where ${isWithin(sql`d.created_at`)} group by 1, 2, 3, 4 order by d.treatment desc, d.country, d.bps, period desc`);
  const items = await listDb.execute<DocumentRow>(sql`
    select d.id as document_id, d.content->>'number' as number, d.kind, d.order_id, d.content->>'order_number' as order_number,
      d.country, d.treatment, d.bps, d.gross_cents as "grossCents", d.tax_cents as "taxCents", d.created_at as at
    from tax_documents d where ${isWithin(sql`d.created_at`)}
    order by d.created_at desc, d.id desc limit ${rowCount(MAX_LISTED)}`);
  const eurDay = new Date(Date.parse(until) - 1).toISOString().slice(0, 10);
  const known = await findRatesOn(eurDay, listDb);
  const eur = known?.rates.EUR ? { rate: known.rates.EUR, day: known.day } : null;
  return {
    quarter,
    present,
    country: taxSettings()?.country ?? null,
    documents_tax: toDecimal(sums!.documentsCents),
    ledger_tax: toDecimal(sums!.ledgerCents),
    invoices: sums!.invoices,
    credit_notes: sums!.creditNotes,
    conflicts: sums!.conflicts,
    unchecked: sums!.unchecked,
    eur_day: eurDay,
    eur,
    report: report.map((row) => toReportRow(row, eur)),
    items: items.map(({ bps, grossCents, taxCents, ...item }) => ({
      ...item,
      percent: bps / 100,
      gross: toDecimal(grossCents),
      tax: toDecimal(taxCents),
      at: instant(item.at)!,
    })),
  };
}

async function currentQuarter(): Promise<string> {
  const [row] = await listDb.execute<{ quarter: string }>(sql`select ${QUARTER(sql`shop_now()`)} as quarter`);
  return row!.quarter;
}

function toReportRow(
  { country, treatment, bps, period, grossCents, taxCents }: ReportRow,
  eur: TaxLedger["eur"],
): TaxReportRow {
  const scheme = schemeOf(country, treatment);
  return {
    scheme,
    country,
    percent: bps / 100,
    period,
    net: toDecimal(grossCents - taxCents),
    tax: toDecimal(taxCents),
    tax_eur: scheme === "oss" && eur ? Math.round(taxCents * eur.rate) / 100 : null,
  };
}

function schemeOf(country: string, treatment: TaxTreatment): TaxScheme {
  if (treatment !== "taxed") return treatment;
  const settings = taxSettings();
  if (country === settings?.country) return "domestic";
  const hasOss = !settings || isInEu(settings.country) || EU_SCHEME in settings.ids;
  return isInEu(country) && hasOss ? "oss" : "national";
}

const COLUMNS = ["scheme", "country", "percent", "period", "net", "tax", "tax_eur"] as const;

/**
 * The report of a quarter as CSV, with the rate of its euros; the last line is the sum of all.
 * @throws ShopError tax_rate_missing: something is declared in euros, and the rate of the quarter's end is not known
 */
export async function taxReportCsv(input: TaxesInput): Promise<{ quarter: string; text: string }> {
  const { quarter, report, eur, eur_day: day } = await listTaxes(input);
  if (!eur && report.some(({ scheme }) => scheme === "oss"))
    throw new ShopError("tax_rate_missing", { params: { day } });
  const cents = (pick: (row: TaxReportRow) => number) =>
    toDecimal(report.reduce((sum, row) => sum + Math.round(pick(row) * 100), 0));
  const lines = report.map((row) =>
    csvLine([
      ...COLUMNS.map((name) => row[name]),
      row.tax_eur === null ? null : (eur?.rate ?? null),
      row.tax_eur === null ? null : (eur?.day ?? null),
    ]),
  );
  const sum = csvLine([
    "sum",
    null,
    null,
    quarter,
    cents(({ net }) => net),
    cents(({ tax }) => tax),
    null,
    null,
    null,
  ]);
  const text = `\ufeff${csvLine([...COLUMNS, "eur_rate", "eur_day"])}${lines.join("")}${sum}`;
  return { quarter, text };
}
