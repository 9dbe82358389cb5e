import { passNameKey } from "@/lib/catalog/pricing/rules";
import type { PassType } from "@/lib/catalog/rules";
import { REFUND_DAYS, REFUNDABLE_FROM_DAYS, type RefundDecision } from "@/lib/payments/refunds/rules";
import { durationSpan, formatDate } from "@/lib/platform/format";
import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice } from "@/lib/platform/money";
import { LIGHT } from "./colours";
import { Quiet } from "./parts";
import type { MailContext } from "./template";
import { TicketHead } from "./ticket";
import { shopTranslator } from "./translator";

/** A line of an order, as emails show it. */
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

/** The sums of an order: its lines, the discount, and what is to be paid. */
export type OrderSums = { subtotalCents: number; discountCents: number; totalCents: number };

/** The rows below the lines of an order. */
export function orderSums({ subtotalCents, discountCents, totalCents }: OrderSums, { t }: MailContext) {
  const total = [t("order.total"), totalCents] as const;
  if (discountCents === 0) return [total];
  return [
    [t("order.subtotal"), subtotalCents] as const,
    [t("order.discount"), -discountCents] as const,
    total,
  ];
}

/** "Month pass", as the shop calls it. */
function passName({ vipType, durationDays }: PassLine, locale: Locale): string {
  const { key, values } = passNameKey({ vip_type: vipType, duration_days: durationDays });
  return shopTranslator(locale)(key, values);
}

/** "Quillon Draft and 2 more": a summary of order lines for subjects. */
export function summarizeLines(lines: readonly { productName: string }[], { t }: MailContext): string {
  return t("pass.summary", { product: lines[0]?.productName ?? "", more: Math.max(0, lines.length - 1) });
}

export const formatAmount = (cents: number, { t, locale }: MailContext) =>
  cents === 0 ? t("order.free") : formatPrice(cents, locale);

/** The head of a ticket: product, vendor, kind of pass and duration. */
export function PassHead({ line, context }: { line: PassLine; context: MailContext }) {
  const { t, locale } = context;
  const span = durationSpan(line.durationDays, locale);
  const name = passName(line, context.locale);
  const kind = line.quantity > 1 ? t("pass.quantity", { name, quantity: line.quantity }) : name;
  return (
    <TicketHead
      name={line.productName}
      lang={line.language === locale ? undefined : line.language}
      detail={`${line.vendor} · ${kind}`}
      hero={span.value}
      unit={line.durationDays === null ? t("pass.no_end") : span.unit}
    />
  );
}

/** The refund decision as one sentence. */
export function refundLine({ reason, until }: RefundDecision, { t, locale }: MailContext): string {
  const date = until ? formatDate(until, locale) : "";
  if (reason === "refundable")
    return until
      ? t("refund_line.refundable", { date })
      : t("refund_line.refundable_days", { days: REFUND_DAYS });
  if (reason === "window_over") return t("refund_line.window_over", { date });
  if (reason === "short_pass") return t("refund_line.short_pass", { days: REFUNDABLE_FROM_DAYS });
  return t(`refund_line.${reason}`);
}

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

/** A table of order lines and sums. */
export function Receipt({ lines, sums, context }: ReceiptProps) {
  return (
    <table
      role="presentation"
      cellPadding={0}
      cellSpacing={0}
      border={0}
      style={{ width: "100%", borderCollapse: "collapse", marginTop: 20 }}
    >
      <tbody>
        {lines.map((line) => {
          const name = passName(line, context.locale);
          const kind =
            line.quantity > 1 ? context.t("pass.quantity", { name, quantity: line.quantity }) : name;
          return (
            <Row
              key={line.lineId}
              label={line.productName}
              lang={line.language === context.locale ? undefined : line.language}
              detail={`${line.vendor} · ${kind}`}
              value={formatAmount(line.totalCents, context)}
            />
          );
        })}
        {sums.map(([label, cents], index) => (
          <Row
            key={label}
            label={label}
            value={cents < 0 ? `−${formatPrice(-cents, context.locale)}` : formatAmount(cents, context)}
            bold={index === sums.length - 1}
          />
        ))}
      </tbody>
    </table>
  );
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

/** "Order ord_…". */
export function OrderNumber({ orderId, context }: { orderId: string; context: MailContext }) {
  return <Quiet>{context.t("order.number", { orderId })}</Quiet>;
}

export const orderPath = (orderId: string) => `/order-history?order_id=${encodeURIComponent(orderId)}`;
