import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import type { StatedHold } from "@/lib/payouts/money/rules";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { csvLine } from "@/lib/platform/console/csv";
import { rowCount } from "@/lib/platform/console/query";
import { ShopError } from "@/lib/platform/errors";
import { formatDate } from "@/lib/platform/format";
import type { Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import { instant } from "@/lib/platform/instant";
import { formatPrice, toDecimal, toSignedCents } from "@/lib/platform/money";
import { type PdfBlock, renderPdf } from "@/lib/platform/pdf";
import { sellerIdentity } from "@/lib/platform/seller";
import type { Statement, StatementDetail, StatementLine, StatementList } from "./contract";

type Owner = Pick<MerchantViewer, "merchant">;
const MAX_LISTED = 100;

type Row = Omit<Statement, "opening" | "closing"> & { openingCents: number; closingCents: number };
const COLUMNS = sql`id as statement_id, number, kind, from_at as "from", to_at as "to", opening_cents::float8 as "openingCents",
  closing_cents::float8 as "closingCents", lines, hash`;
const toStatement = ({ openingCents, closingCents, ...row }: Row): Statement => ({
  ...row,
  from: instant(row.from),
  to: instant(row.to),
  opening: toDecimal(openingCents),
  closing: toDecimal(closingCents),
});

/** The newest 100 statements of a merchant. */
export async function listStatements({ merchant }: Owner): Promise<StatementList> {
  const rows = await db.execute<Row>(sql`
    select ${COLUMNS} from statements where merchant_id = ${merchant.id} order by number desc limit ${rowCount(MAX_LISTED)}`);
  return { items: rows.map(toStatement), total: rows.length };
}

type LineRow = Omit<StatementLine, "amount" | "product_name" | "vip_type"> & {
  cents: number;
  days: number | null;
  names: Record<string, string> | null;
};

/**
 * A statement with every line, in its words of then.
 * @throws ShopError statement_unknown: none of this merchant
 */
export async function getStatement(
  { merchant }: Owner,
  id: string,
  locale: Locale,
): Promise<StatementDetail> {
  const [found] = await db.execute<Row & { held: StatedHold[] }>(sql`
    select ${COLUMNS}, held from statements where id = ${id} and merchant_id = ${merchant.id}`);
  if (!found) throw new ShopError("statement_unknown");
  const { held, ...row } = found;
  const rows = await db.execute<LineRow>(sql`
    select entry_id::text, at, kind, cents, line_id as sale_id, names, pass_type, duration_days as days, units
    from statement_lines where statement_id = ${id} order by position`);
  return {
    ...toStatement(row),
    held: held.map(({ cents, ...hold }) => ({ ...hold, amount: toDecimal(cents) })),
    rows: rows.map(({ cents, days, names, ...line }) => ({
      ...line,
      at: instant(line.at),
      amount: toDecimal(cents),
      product_name: names && (names[locale] ?? names.en ?? null),
      vip_type: line.pass_type && passLabel({ pass_type: line.pass_type, duration_days: days }, locale),
    })),
  };
}

const FILE_COLUMNS = [
  "entry_id",
  "at",
  "kind",
  "amount",
  "sale_id",
  "product_name",
  "vip_type",
  "units",
] as const satisfies readonly (keyof StatementLine)[];

/** A statement as CSV: opening, every line, closing. @throws ShopError statement_unknown */
export async function statementCsv(owner: Owner, id: string, locale: Locale): Promise<string> {
  const { from, to, opening, closing, rows } = await getStatement(owner, id, locale);
  const edge = (kind: string, at: string | null, amount: number) =>
    csvLine(FILE_COLUMNS.map((name) => ({ kind, at, amount })[name as "kind"] ?? null));
  const lines = rows.map((row) => csvLine(FILE_COLUMNS.map((name) => row[name])));
  return `\ufeff${csvLine([...FILE_COLUMNS])}${edge("opening", from, opening)}${lines.join("")}${edge("closing", to, closing)}`;
}

/** A statement as PDF. @throws ShopError statement_unknown, documents_busy */
export async function statementPdf(owner: Owner, id: string, locale: Locale): Promise<Buffer> {
  const statement = await getStatement(owner, id, locale);
  const title = shopTranslator(locale)("payouts.statement.title", { number: statement.number });
  const info = { title, author: sellerIdentity().name, createdAt: new Date(statement.to) };
  return renderPdf(statementBlocks(owner, statement, locale), info, locale);
}

/** The parts of a statement, from top to bottom. Its days are those of UTC, as its month is. */
export function statementBlocks({ merchant }: Owner, statement: StatementDetail, locale: Locale): PdfBlock[] {
  const t = shopTranslator(locale);
  const seller = sellerIdentity();
  const day = (at: string) => formatDate(at, locale, "UTC");
  const usd = (amount: number) => formatPrice(toSignedCents(amount), locale);
  const { number, from, to, opening, closing, rows, held, hash } = statement;
  return [
    { kind: "title", text: t("payouts.statement.title", { number }) },
    {
      kind: "columns",
      columns: [
        [t("payouts.statement.shop"), seller.name, ...seller.address],
        [t("payouts.statement.merchant"), merchant.name],
      ],
    },
    {
      kind: "rows",
      rows: [
        ...(from ? [{ term: t("payouts.statement.from"), value: day(from) }] : []),
        { term: t("payouts.statement.to"), value: day(to) },
        { term: t("payouts.statement.opening"), value: usd(opening), bold: true },
      ],
    },
    {
      kind: "table",
      head: [t("payouts.statement.entry"), t("payouts.statement.date"), t("payouts.statement.amount")],
      rows: rows.map(({ kind, at, amount, product_name, vip_type, units }) => [
        {
          text: t(`payouts.statement.kind.${kind}`),
          ...(product_name && { detail: `${product_name} · ${vip_type} × ${units}` }),
        },
        { text: day(at) },
        { text: usd(amount) },
      ]),
    },
    { kind: "rows", rows: [{ term: t("payouts.statement.closing"), value: usd(closing), bold: true }] },
    ...(held.length > 0 ? [{ kind: "heading" as const, text: t("payouts.statement.held") }] : []),
    {
      kind: "rows",
      rows: held.map(({ reason, until, amount }) => ({
        term: until
          ? t(`payouts.statement.until.${reason}`, { date: day(`${until}T12:00:00Z`) })
          : t(`payouts.statement.until.${reason}`, { date: "" }),
        value: usd(amount),
      })),
    },
    { kind: "note", text: t("payouts.statement.hash", { hash }) },
  ];
}
