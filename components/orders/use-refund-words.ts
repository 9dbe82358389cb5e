import { useLocale, useTranslations } from "next-intl";
import { formatDate } from "@/lib/format";
import { formatPrice, toCents } from "@/lib/money";
import type { OrderProduct } from "@/lib/orders/contract";
import { MERCHANT_HOURS } from "@/lib/payments/rules-refund";

/** The finished words of the question whether a line is to be given back. */
export function useRefundWords(line: Pick<OrderProduct, "refund" | "refund_at_once">) {
  const t = useTranslations("orders.refund");
  const actions = useTranslations("orders.actions");
  const errors = useTranslations("errors");
  const locale = useLocale();
  const amount = formatPrice(toCents(line.refund.amount), locale);
  const hours = { hours: MERCHANT_HOURS };
  return {
    ask: t("ask"),
    title: t("title", { amount }),
    rows: [
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

export type RefundQuestionWords = ReturnType<typeof useRefundWords>;
