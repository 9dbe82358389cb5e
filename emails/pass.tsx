import { passNameKey } from "@/lib/catalog/pricing/rules";
import type { PassType } from "@/lib/catalog/rules";
import type { RefundView } from "@/lib/payments/refunds/contract";
import { refundSentence } from "@/lib/payments/refunds/rules-wording";
import { durationSpan, formatDate, formatMoment, spanText } from "@/lib/platform/format";
import type { Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import { formatPrice } from "@/lib/platform/money";
import { perforation, ticketUnit } from "@/lib/platform/ticket";
import { holesPath } from "@/lib/platform/ticket-picture";
import { LIGHT } from "./colours";
import { Paragraph, Quiet, Table, TextLink } from "./parts";
import type { MailContext } from "./template";
import { type Holes, TicketHead } from "./ticket";
import { refundTranslator } from "./translator";

export type PassLine = {
  /** order_lines.id */
  lineId: string;
  productName: string;
  vendor: string;
  /** Language of the product's texts: English if there is no translation. */
  language: Locale;
  vipType: PassType;
  /** null: lifetime */
  durationDays: number | null;
  quantity: number;
  /** In cents: the price before the discount, or the refunded amount. */
  totalCents: number;
};

/** Who sells passes of an order, before the law. */
export type OrderSeller = { name: string; address: string; contact: string };

/** An order with its lines, their sum, the discount, and what is to be paid. */
export type OrderSummary = {
  orderId: string;
  lines: PassLine[];
  subtotalCents: number;
  /** tax beside the prices; below zero: taken off them */
  addedTaxCents: number;
  discountCents: number;
  totalCents: number;
};

/** Vendor and kind of a pass: "Quillon · Month pass × 2". */
function passDetail(line: PassLine, { t, locale }: MailContext): string {
  const { key, values } = passNameKey({ pass_type: line.vipType, duration_days: line.durationDays });
  const name = shopTranslator(locale)(key, values);
  const kind = line.quantity > 1 ? t("pass.quantity", { name, quantity: line.quantity }) : name;
  return `${line.vendor} · ${kind}`;
}

/** The `lang` of a text whose language is not the email's. */
export const foreignLang = (language: Locale, { locale }: MailContext) =>
  language === locale ? undefined : language;

/** "Quillon Draft and 2 more": a summary of order lines for subjects. */
export function summarizeLines(lines: readonly { productName: string }[], { t }: MailContext): string {
  return t("pass.summary", { product: lines[0]?.productName ?? "", more: Math.max(0, lines.length - 1) });
}

export const formatAmount = (cents: number, { t, locale }: MailContext) =>
  cents === 0 ? t("order.free") : formatPrice(cents, locale);

/** The holes of a pass's ticket: untouched ones, or where its time stands. */
export function passHoles(
  { durationDays }: Pick<PassLine, "durationDays">,
  { t, locale, timeZone, picture }: MailContext,
  running?: { end: Date; now: Date },
): Holes {
  const holes = perforation({ durationDays, end: running?.end ?? null }, running?.now ?? new Date(0));
  const src = picture(holesPath(holes));
  if (durationDays === null || holes.units === null) return { src, label: t("pass.no_end") };
  if (!running || holes.present === null)
    return { src, label: spanText(durationSpan(durationDays, locale), locale) };
  const label = shopTranslator(locale)("delivery.clock.running", {
    unit: ticketUnit(durationDays),
    now: holes.present + 1,
    all: holes.units,
    moment: formatMoment(running.end, locale, timeZone),
  });
  return { src, label };
}

export function PassHead({ line, context }: { line: PassLine; context: MailContext }) {
  const span = durationSpan(line.durationDays, context.locale);
  return (
    <TicketHead
      name={line.productName}
      lang={foreignLang(line.language, context)}
      detail={passDetail(line, context)}
      hero={span.value}
      unit={line.durationDays === null ? context.t("pass.no_end") : span.unit}
    />
  );
}

/** The sentence of the pages. The shop's last moment has its zone, because the time of day decides. */
export const refundLine = (refund: RefundView, { locale, timeZone }: MailContext): string =>
  refundSentence(refundTranslator(locale), refund, locale, (when, by) =>
    by === "rule" ? formatMoment(when, locale, timeZone) : formatDate(when, locale, timeZone),
  );

const CELL = {
  color: LIGHT.ink,
  fontSize: 15,
  lineHeight: "24px",
  padding: "8px 0",
  verticalAlign: "top",
} as const;

type ReceiptProps = {
  lines: readonly PassLine[];
  /** Rows below the lines: label and amount in cents. The last one is the total. */
  sums: readonly (readonly [label: string, cents: number])[];
  context: MailContext;
};

export function Receipt({ lines, sums, context }: ReceiptProps) {
  return (
    <Table style={{ borderCollapse: "collapse", marginTop: 20 }}>
      {lines.map((line) => (
        <Row
          key={line.lineId}
          label={line.productName}
          lang={foreignLang(line.language, context)}
          detail={passDetail(line, context)}
          value={formatAmount(line.totalCents, context)}
        />
      ))}
      {sums.map(([label, cents], index) => (
        <Row
          key={label}
          label={label}
          value={cents < 0 ? `−${formatPrice(-cents, context.locale)}` : formatAmount(cents, context)}
          bold={index === sums.length - 1}
        />
      ))}
    </Table>
  );
}

/** The line of a refund request and its amount. */
export type RequestedRefund = { orderId: string; lines: PassLine[]; amountCents: number };

export function OrderReceipt({ order, context }: { order: OrderSummary; context: MailContext }) {
  const { t } = context;
  const { lines, subtotalCents, discountCents, addedTaxCents, totalCents } = order;
  const changes = [
    [t("order.discount"), -discountCents] as const,
    [t("order.tax"), addedTaxCents] as const,
  ].filter(([, cents]) => cents !== 0);
  const subtotal = changes.length === 0 ? [] : [[t("order.subtotal"), subtotalCents] as const];
  const sums = [...subtotal, ...changes, [t("order.total"), totalCents] as const];
  return <Receipt lines={lines} sums={sums} context={context} />;
}

type RowProps = { label: string; detail?: string; value: string; bold?: boolean; lang?: string };

function Row({ label, detail, value, bold, lang }: RowProps) {
  const style = { ...CELL, borderTop: `1px solid ${LIGHT.hairline}`, fontWeight: bold ? 600 : 400 };
  return (
    <tr data-row="true">
      <td className="ink edge" data-cell="label" style={{ ...style, paddingRight: 16 }}>
        <span lang={lang}>{label}</span>
        {detail && (
          <span className="quiet" style={{ color: LIGHT.quiet, fontSize: 13, lineHeight: "20px" }}>
            <br />
            {detail}
          </span>
        )}
      </td>
      <td
        className="ink edge"
        data-cell="value"
        style={{ ...style, textAlign: "right", whiteSpace: "nowrap", fontVariantNumeric: "tabular-nums" }}
      >
        {value}
      </td>
    </tr>
  );
}

/** Who sells the passes, with address and contact. */
export const SoldBy = ({ sellers, context }: { sellers: readonly OrderSeller[]; context: MailContext }) =>
  sellers.map((seller) => <Quiet key={seller.name}>{context.t("order.sold_by", seller)}</Quiet>);

export function OrderNumber({ orderId, context }: { orderId: string; context: MailContext }) {
  return <Quiet>{context.t("order.number", { number: context.orderNumber ?? orderId })}</Quiet>;
}

/** What the buyer paid, with a link to the receipt. */
export function Paid({
  orderId,
  totalCents,
  context: { t, locale, gap, link },
}: {
  orderId: string;
  totalCents: number;
  context: MailContext;
}) {
  return (
    <Paragraph>
      {totalCents > 0 && `${t("order.paid", { amount: formatPrice(totalCents, locale) })}${gap}`}
      <TextLink href={link(receiptPath(orderId))}>{t("order.receipt")}</TextLink>
    </Paragraph>
  );
}

export const paymentPath = (orderId: string) => `/checkout?order_id=${encodeURIComponent(orderId)}`;
const receiptPath = (orderId: string) => `/receipt?order_id=${encodeURIComponent(orderId)}`;
export const orderPath = (orderId: string) => `/order-history?order_id=${encodeURIComponent(orderId)}`;
