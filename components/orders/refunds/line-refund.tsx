import { useLocale, useTranslations } from "next-intl";
import { DefinitionRows } from "@/components/ui/definition-rows";
import { LocalTime } from "@/components/ui/local-time";
import type { OrderProduct } from "@/lib/orders/contract";
import { isCancellable, lineSums } from "@/lib/orders/rules";
import { VENDOR_CONFIRMATION_HOURS } from "@/lib/payments/refunds/rules";
import { formatPrice, toCents } from "@/lib/platform/money";
import { RefundRequest } from "./refund-request";

type LineRefundProps = { line: OrderProduct; orderId: string; className?: string };

/** The button that opens a refund request for a line. Its dialog shows the amount, the deadline and the procedure. */
export function LineRefund({ line, orderId, className }: LineRefundProps) {
  const t = useTranslations("orders.refund");
  const locale = useLocale();
  const deductions = useDeductionRows(line);
  const { order_product_id } = line;
  const amount = formatPrice(toCents(line.refund.amount), locale);
  const hours = { hours: VENDOR_CONFIRMATION_HOURS };
  const cancels = isCancellable(line);
  const cancelLabels = {
    button: t(line.pre_order ? "cancel.ask_pre_order" : "cancel.ask"),
    title: t("cancel.title", { amount }),
    keep: t("cancel.keep"),
    confirm: t("cancel.confirm"),
    failed: t("cancel.failed"),
    approved: t("cancel.done", { amount }),
    sent: t("sent", hours),
  };
  const refundLabels = {
    button: t("ask"),
    title: t("title", { amount }),
    keep: t("keep"),
    confirm: t("confirm"),
    failed: t("failed"),
    approved: t("approved", { amount }),
    sent: t("sent", hours),
  };
  const rows = [
    ...deductions,
    { term: t("amount"), value: amount, strong: true },
    line.refund.until !== null && { term: t("until"), value: <LocalTime at={line.refund.until} /> },
  ];
  return (
    <RefundRequest
      line={{ order_id: orderId, order_product_id }}
      labels={cancels ? cancelLabels : refundLabels}
      className={className}
    >
      <DefinitionRows rows={rows} />
      <p>{cancels ? t("cancel.text") : line.refund_at_once ? t("at_once") : t("asks_vendor", hours)}</p>
    </RefundRequest>
  );
}

/** Explains why the refund differs from the price of the passes. Empty where it is not. */
function useDeductionRows(line: OrderProduct) {
  const t = useTranslations("orders.refund");
  const locale = useLocale();
  const tax = useTranslations("orders.tax")("added_unknown");
  const sums = lineSums(line);
  const deductions = [
    { term: t("discount"), cents: -sums.discount },
    { term: tax, cents: sums.tax },
    { term: t("before"), cents: -sums.refunded },
  ].filter(({ cents }) => cents !== 0);
  if (deductions.length === 0) return [];
  return [
    { term: t("price", { count: line.quantity }), value: formatPrice(sums.price, locale) },
    ...deductions.map(({ term, cents }) => ({
      term,
      value: `${cents < 0 ? "−" : ""}${formatPrice(Math.abs(cents), locale)}`,
    })),
  ];
}
