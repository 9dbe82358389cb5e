import { passNameKey } from "@/lib/catalog/pricing/rules";
import type { TaxDocumentContent, TaxDocumentLine } from "@/lib/orders/tax/rules-document";
import { isInEu } from "@/lib/payments/tax/rules";
import { taxNameKey } from "@/lib/payments/tax/rules-names";
import { formatDate } from "@/lib/platform/format";
import { HTML_LANG, type Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import { formatPrice } from "@/lib/platform/money";
import type { PdfBlock, TableCell } from "@/lib/platform/pdf";

type ShopTranslator = ReturnType<typeof shopTranslator>;

/** The parts of an invoice or credit note as it was issued, from top to bottom; of Japan in the form of a 適格請求書. */
export function taxDocumentBlocks(content: TaxDocumentContent, hash: string, locale: Locale): PdfBlock[] {
  const t = shopTranslator(locale);
  const day = (at: string) => formatDate(at, locale, content.time_zone);
  const money = (cents: number) => formatPrice(cents, locale);
  const { kind, number, corrects, treatment, country, bps, gross_cents, tax_cents } = content;
  const isTaxed = treatment === "taxed";
  const name = t(taxNameKey(country));
  const isCredit = kind === "credit_note";
  return [
    { kind: "title", text: t(titleKey(content)) },
    { kind: "columns", columns: [sellerLines(content, t), buyerLines(content, t, locale)] },
    {
      kind: "rows",
      rows: [
        { term: t(isCredit ? "orders.invoice.credit_number" : "orders.invoice.own_number"), value: number },
        ...(corrects ? [{ term: t("orders.invoice.corrects"), value: corrects }] : []),
        { term: t("orders.invoice.order"), value: content.order_number },
        { term: t("orders.invoice.issued"), value: day(content.issued_at) },
        { term: t("orders.invoice.date"), value: day(content.paid_at) },
      ],
    },
    {
      kind: "table",
      head: [
        t("orders.receipt.pass"),
        t("orders.receipt.units"),
        t("orders.receipt.price"),
        ...(isTaxed ? [t("orders.invoice.line_tax", { name })] : []),
        t("orders.receipt.sum"),
      ],
      rows: tableRows(content, t, locale).map((cells) =>
        isTaxed ? cells : cells.filter((_, at) => at !== 3),
      ),
    },
    {
      kind: "rows",
      rows: [
        ...(isTaxed
          ? [
              { term: t("orders.invoice.net"), value: money(gross_cents - tax_cents) },
              { term: t("orders.invoice.tax", { name, percent: bps / 100 }), value: money(tax_cents) },
            ]
          : []),
        { term: t("orders.invoice.gross"), value: money(gross_cents), bold: true },
      ],
    },
    ...notes(content, t, locale).map((text) => ({ kind: "note" as const, text })),
    { kind: "note", text: t("orders.receipt.note") },
    { kind: "note", text: content.seller.contact.join(" · ") },
    { kind: "note", text: t("orders.invoice.hash", { hash }) },
  ];
}

const isQualified = ({ country, treatment }: TaxDocumentContent) => country === "JP" && treatment === "taxed";

function titleKey(content: TaxDocumentContent) {
  if (content.kind === "credit_note")
    return isQualified(content) ? "orders.invoice.qualified_credit_title" : "orders.invoice.credit_title";
  return isQualified(content) ? "orders.invoice.qualified_title" : "orders.invoice.title";
}

function sellerLines({ seller }: TaxDocumentContent, t: ShopTranslator): string[] {
  return [
    t("orders.receipt.seller"),
    seller.name,
    ...seller.address,
    ...(seller.registration ? [t("orders.invoice.registration", { id: seller.registration })] : []),
    ...seller.tax_ids.map((id) => taxIdText(id, t)),
  ];
}

const taxIdText = (id: string, t: ShopTranslator) =>
  t(/^T\d{13}$/.test(id) ? "orders.invoice.jp_number" : "orders.invoice.vat_id", { id });

function buyerLines({ buyer }: TaxDocumentContent, t: ShopTranslator, locale: Locale): string[] {
  const country =
    new Intl.DisplayNames([HTML_LANG[locale]], { type: "region" }).of(buyer.country) ?? buyer.country;
  const lines = buyer.lines.map((line) => (line === buyer.country ? country : line));
  return [
    t("orders.receipt.billed_to"),
    ...(buyer.name ? [buyer.name] : []),
    ...lines,
    ...(lines.includes(country) ? [] : [country]),
    ...(buyer.vat_id ? [taxIdText(buyer.vat_id, t)] : []),
    buyer.email,
  ];
}

/** The lines; of a document without, one that says what it is about. */
function tableRows(content: TaxDocumentContent, t: ShopTranslator, locale: Locale): TableCell[][] {
  const money = (cents: number) => formatPrice(cents, locale);
  if (content.lines.length > 0) return content.lines.map((line) => lineCells(line, t, locale));
  const { corrects, kind, order_number, gross_cents, tax_cents } = content;
  const text = !corrects
    ? t("orders.invoice.rest_line", { number: order_number })
    : t(kind === "credit_note" ? "orders.invoice.refund_line" : "orders.invoice.again_line", {
        number: corrects,
      });
  return [
    [
      { text },
      { text: "1" },
      { text: money(gross_cents) },
      { text: money(tax_cents) },
      { text: money(gross_cents) },
    ],
  ];
}

function lineCells(line: TaxDocumentLine, t: ShopTranslator, locale: Locale): TableCell[] {
  const money = (cents: number) => formatPrice(cents, locale);
  const { key, values } = passNameKey(line);
  const detail = `${line.vendor} · ${t(key, values)}`;
  // A business that owes the tax itself pays less than the price.
  const taken = line.unit_cents * line.quantity - line.discount_cents - line.gross_cents;
  const less = [
    ...(line.discount_cents > 0 ? [`−${money(line.discount_cents)}`] : []),
    ...(taken > 0 ? [`${t("orders.tax.taken_off")} −${money(taken)}`] : []),
  ];
  return [
    { text: line.names[locale] ?? line.names.en ?? "", detail },
    { text: String(line.quantity) },
    {
      text: money(line.unit_cents),
      ...(less.length > 0 && { detail: less.join(" · ") }),
    },
    { text: money(line.tax_cents) },
    { text: money(line.gross_cents) },
  ];
}

function notes(content: TaxDocumentContent, t: ShopTranslator, locale: Locale): string[] {
  const { treatment, local, country } = content;
  if (treatment === "reverse_charge")
    return [t(isInEu(country) ? "orders.invoice.reverse" : "orders.tax.reverse")];
  if (treatment === "outside") return [t("orders.invoice.outside")];
  if (!local) return [];
  const amount = local.tax_minor / (local.currency === "JPY" ? 1 : 100);
  const format = new Intl.NumberFormat(HTML_LANG[locale], { style: "currency", currency: local.currency });
  return [
    t("orders.invoice.local", {
      name: t(taxNameKey(country)),
      currency: local.currency,
      amount: format.format(amount),
      rate: local.rate,
      day: formatDate(`${local.day}T12:00:00Z`, locale, "UTC"),
    }),
  ];
}
