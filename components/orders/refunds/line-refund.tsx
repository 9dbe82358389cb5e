import { useLocale, useTranslations } from "next-intl";
import type { OrderProduct } from "@/lib/orders/contract";
import { lineSums } from "@/lib/orders/rules";
import { VENDOR_CONFIRMATION_HOURS } from "@/lib/payments/refunds/rules";
import { formatDate } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";
import { RefundRequest } from "./refund-request";

/** The button that opens a refund request for a line, with its labels. */
export function LineRefund({
  line,
  orderId,
  className,
}: {
  line: OrderProduct;
  orderId: string;
  className?: string;
}) {
  const labels = useRefundLabels(line);
  return (
    <RefundRequest orderId={orderId} lineId={line.order_product_id} labels={labels} className={className} />
  );
}

/** The labels of a line's refund request. */
function useRefundLabels(line: OrderProduct) {
  const t = useTranslations("orders.refund");
  const actions = useTranslations("orders.actions");
  const errors = useTranslations("errors");
  const locale = useLocale();
  const amount = formatPrice(toCents(line.refund.amount), locale);
  const hours = { hours: VENDOR_CONFIRMATION_HOURS };
  return {
    ask: t("ask"),
    title: t("title", { amount }),
    rows: [
      ...useDeductionRows(line),
      { term: t("amount"), value: amount, strong: true },
      ...(line.refund.until ? [{ term: t("until"), value: formatDate(line.refund.until, locale) }] : []),
    ],
    next: line.refund_at_once ? t("at_once") : t("asks_maker", hours),
    keep: t("keep"),
    confirm: t("confirm"),
    close: actions("close"),
    failed: t("failed"),
    approved: t("approved"),
    sent: t("sent", hours),
    network: errors("network"),
  };
}

/** Explains why the refund is lower than the price of the passes. Empty where it is not. */
function useDeductionRows(line: OrderProduct) {
  const t = useTranslations("orders.refund");
  const locale = useLocale();
  const { price, discount, refunded } = lineSums(line);
  const deductions = [
    { term: t("discount"), cents: discount },
    { term: t("before"), cents: refunded },
  ].filter(({ cents }) => cents > 0);
  if (deductions.length === 0) return [];
  return [
    { term: t("price", { count: line.quantity }), value: formatPrice(price, locale) },
    ...deductions.map(({ term, cents }) => ({ term, value: `−${formatPrice(cents, locale)}` })),
  ];
}

export type RefundRequestLabels = ReturnType<typeof useRefundLabels>;
