import { useLocale, useTranslations } from "next-intl";
import { OrderPoller } from "@/components/orders/result/order-poller";
import { orderVersion } from "@/components/orders/result/order-version";
import { LocalTimes } from "@/components/ui/local-times";
import { Notice } from "@/components/ui/notice";
import type { OrderDetail } from "@/lib/orders/contract";
import { awaitsEmail, isGivenAway, orderBadge } from "@/lib/orders/rules";
import { formatDate, formatMoment } from "@/lib/platform/format";

/** Explains an order's state to its owner where the status alone is not enough. */
export function OrderNotice({ order }: { order: OrderDetail }) {
  const t = useTranslations("orders.detail");
  const dispute = useTranslations("payments.dispute");
  const failed = order.refunds.some((refund) => refund.step === "failed");
  return (
    <>
      {order.dispute_open && <Notice kind="warn">{t("disputed")}</Notice>}
      {order.dispute_lost && <Notice kind="warn">{t("dispute_lost")}</Notice>}
      {order.payment_checked && <Notice kind="warn">{t("payment_checked")}</Notice>}
      {failed && <Notice kind="bad">{t("refund_failed")}</Notice>}
      {order.email_failed && <Notice kind="bad">{t("email_failed", { email: order.send_email })}</Notice>}
      <StatusNotice order={order} />
      {order.dispute_open && (
        <Notice kind="warn" title={dispute("title")}>
          {dispute("text")}
        </Notice>
      )}
    </>
  );
}

function StatusNotice({ order }: { order: OrderDetail }) {
  const t = useTranslations("orders.detail");
  const { status } = order;
  if (status === "pending" && !order.can_pay) return <Notice>{t("ending")}</Notice>;
  if (order.open_payment && !order.cancel_requested)
    return <OpenPayment order={order} open={order.open_payment} />;
  if (status === "pending" && order.payment_error) return <Notice kind="bad">{t("declined")}</Notice>;
  if (status === "processingPayment" && order.cancel_requested)
    return <Notice>{t("cancel_requested")}</Notice>;
  if (status === "processingPayment") return <Notice>{t("payment_running")}</Notice>;
  if (status === "cancelled") return <Notice>{t(wasExpired(order) ? "expired" : "cancelled")}</Notice>;
  if (status === "refunded" && order.dispute_lost) return null;
  if (status === "refunded" && paidAfterExpiry(order) && !order.cancel_requested)
    return <Notice>{t("late_refunded")}</Notice>;
  if (status === "refunded")
    return <Notice>{t(orderBadge(order) === "refunding" ? "refunding" : "refunded")}</Notice>;
  if (status === "processing") return <Waiting order={order} />;
  if (paidAfterExpiry(order)) return <Notice kind="good">{t("late_served")}</Notice>;
  if (status === "paid")
    return <Notice kind="good">{t(order.final_amount === 0 ? "preparing_free" : "preparing")}</Notice>;
  if (isGivenAway(order)) return null; // The gift's own section shows its state.
  if (awaitsEmail(order)) return <Notice kind="good">{t("on_the_way", { email: order.send_email })}</Notice>;
  if (status === "shipped" && !order.email_failed)
    return <Notice kind="good">{t(order.withdrawal_applies ? "in_library" : "in_library_plain")}</Notice>;
  return null;
}

/** A payment on the page of another provider: what is awaited there, and until when the passes are held. */
function OpenPayment({
  order,
  open,
}: {
  order: OrderDetail;
  open: NonNullable<OrderDetail["open_payment"]>;
}) {
  const t = useTranslations("orders.detail");
  const method = useTranslations("payments.method.redirect")(open.method);
  const locale = useLocale();
  const isRunning = open.state === "processing";
  return (
    <>
      <OrderPoller orderId={order.order_id} version={orderVersion(order)} soon />
      {isRunning ? (
        <Notice title={t("paying_later_title", { method })}>{t("paying_later", { method })}</Notice>
      ) : (
        <Notice title={t("paying_there_title", { method })}>
          <LocalTimes of={[order.hold_ends_at]}>
            {t("paying_there", { method, moment: formatMoment(order.hold_ends_at, locale) })}
          </LocalTimes>
        </Notice>
      )}
    </>
  );
}

const wasExpired = (order: OrderDetail) => order.history.some((step) => step.event === "expired");

function paidAfterExpiry({ history }: OrderDetail): boolean {
  const end = history.findIndex((step) => step.status === "cancelled");
  return end >= 0 && history.length > end + 1;
}

/** The amount received, the amount still expected and its deadline. */
function Waiting({ order }: { order: OrderDetail }) {
  const t = useTranslations("orders.detail");
  const locale = useLocale();
  const units = order.order_products.reduce((sum, line) => sum + line.quantity - line.refunded_quantity, 0);
  const delivered = order.order_products.reduce((sum, line) => sum + line.keys.length, 0);
  const last = lastDeliveryDate(order);
  return (
    <Notice kind="warn" title={delivered > 0 ? t("part_here", { here: delivered, units }) : undefined}>
      {last ? (
        <LocalTimes of={[last]}>
          {t(delivered > 0 ? "waiting_until" : "waiting_all_until", { date: formatDate(last, locale) })}
        </LocalTimes>
      ) : (
        t("waiting")
      )}
    </Notice>
  );
}

/** The latest delivery date of the lines that wait for codes. */
export function lastDeliveryDate(order: Pick<OrderDetail, "order_products">): string | undefined {
  const waiting = order.order_products.filter((line) => line.state === "waiting");
  return waiting
    .map((line) => line.deliver_by)
    .filter((date) => date !== null)
    .sort()
    .at(-1);
}
