import { useLocale, useTranslations } from "next-intl";
import { LocalTimes } from "@/components/ui/local-times";
import type { OrderView } from "@/lib/orders/contract";
import { formatDate } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";

/**
 * The rows of an order's amounts for its refunds, and what is left after them. `withPending` also lists refunds that are
 * not paid out yet, which a receipt does not contain. `returnedCents`: the sum of the listed refunds.
 */
export function useRefundRows(
  order: Pick<OrderView, "refunds" | "final_amount">,
  { withPending = false }: { withPending?: boolean } = {},
) {
  const t = useTranslations("orders.receipt");
  const pending = useTranslations("orders.refund")("pending_row");
  const locale = useLocale();
  const refunds = order.refunds.filter(({ step }) => withPending || step === "done");
  const returnedCents = refunds.reduce((sum, { amount }) => sum + toCents(amount), 0);
  const rows = refunds.map(({ step, at, amount }) => ({
    term:
      step === "done" ? (
        <LocalTimes of={[at]}>{t("refunded", { date: formatDate(at, locale) })}</LocalTimes>
      ) : (
        pending
      ),
    value: `−${formatPrice(toCents(amount), locale)}`,
  }));
  const net = {
    term: t("net"),
    value: formatPrice(Math.max(0, toCents(order.final_amount) - returnedCents), locale),
    strong: true,
  };
  return { returnedCents, rows: returnedCents > 0 ? [...rows, net] : [] };
}
