import { useTranslations } from "next-intl";
import { OrderHold } from "@/components/orders/history/order-hold";
import { OrderSummary } from "@/components/orders/history/order-summary";
import { declineReason } from "@/components/payments/paying/decline-notice";
import { ButtonLink } from "@/components/ui/button";
import { Page } from "@/components/ui/page";
import type { OrderDetail } from "@/lib/orders/contract";
import { OrderAgainOffer } from "./order-again-offer";

type Kind = "cancel" | "error";

/** The page for a cancelled or failed payment: what was kept and the next steps (docs/product.md#21-pages). */
export function UnpaidScreen({ order, kind }: { order: OrderDetail; kind: Kind }) {
  const t = useTranslations("payments.unpaid");
  const { title, text } = useOutcome(order, kind);
  return (
    <Page title={title} lead={text} narrow>
      <div className="flex flex-col gap-8">
        <UnpaidActions order={order} />
        <section aria-labelledby="unpaid-passes">
          <h2 id="unpaid-passes" className="sr-only">
            {t("passes")}
          </h2>
          <OrderSummary order={order} />
        </section>
      </div>
    </Page>
  );
}

function useOutcome(order: OrderDetail, kind: Kind) {
  const t = useTranslations("payments.unpaid");
  const cancelRequested = useTranslations("orders.detail")("cancel_requested");
  if (order.status === "processingPayment")
    return { title: t("running_title"), ...(order.cancel_requested && { text: cancelRequested }) };
  if (kind === "error" && !order.can_pay) return { title: t("error_title"), text: t("error_ended") };
  if (kind === "error" && order.payment_error)
    return { title: t("error_title"), text: <Declined code={order.payment_error} /> };
  if (kind === "error") return { title: t("error_title"), text: t("open_text") };
  if (order.can_pay) return { title: t("open_title"), text: t("open_text") };
  const paidMeanwhile = order.history.some(({ event }) => event === "payment_started");
  const text = paidMeanwhile ? `${t("cancel_text")} ${t("cancel_running")}` : t("cancel_text");
  return { title: t("cancel_title"), text };
}

function Declined({ code }: { code: string }) {
  const t = useTranslations("payments.decline");
  return (
    <>
      <span className="block">{t(`reason.${declineReason(code)}`)}</span>
      {t("kept")}
    </>
  );
}

function UnpaidActions({ order }: { order: OrderDetail }) {
  const t = useTranslations("payments.unpaid");
  if (order.can_pay || order.status === "processingPayment")
    return (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <ButtonLink look="primary" href={`/checkout?order_id=${order.order_id}`}>
          {t("continue")}
        </ButtonLink>
        <ButtonLink href={`/order-history?order_id=${order.order_id}`}>{t("order")}</ButtonLink>
        {order.can_pay && <OrderHold order={order} />}
      </div>
    );
  return (
    <div className="flex flex-wrap items-center gap-3">
      <OrderAgainOffer order={order} />
      <ButtonLink href="/cart">{t("cart")}</ButtonLink>
      <ButtonLink look="quiet" href="/top-trending">
        {t("browse")}
      </ButtonLink>
    </div>
  );
}
