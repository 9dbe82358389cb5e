import { useLocale, useTranslations } from "next-intl";
import { ResendKeys } from "@/components/delivery/resend-keys";
import { useResendWords } from "@/components/delivery/use-resend-words";
import { DisputeNotice } from "@/components/payments/dispute-notice";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { ButtonLink } from "@/components/ui/button";
import { DefinitionRows } from "@/components/ui/definition-rows";
import { Notice } from "@/components/ui/notice";
import { Page } from "@/components/ui/page";
import { formatDate, formatMoment } from "@/lib/format";
import { formatPrice, toCents } from "@/lib/money";
import type { OrderDetail } from "@/lib/orders/contract";
import { CancelOrder } from "./cancel-order";
import { DeleteOrder } from "./delete-order";
import { OrderHold } from "./order-hold";
import { OrderPass } from "./order-pass";
import { OrderStatusMark } from "./order-status";
import { useOrderActionWords } from "./use-order-words";

/** One order: where it stands, its passes with their codes, what it cost, and what happened. */
export function OrderScreen({ order }: { order: OrderDetail }) {
  const t = useTranslations("orders.detail");
  const locale = useLocale();
  const words = useOrderActionWords();
  const resend = useResendWords();
  return (
    <Page
      narrow
      above={
        <Breadcrumb
          label={t("breadcrumb")}
          items={[
            { text: t("orders"), href: "/order-history" },
            { text: formatDate(order.created_at, locale) },
          ]}
        />
      }
      title={t("title", { date: formatDate(order.created_at, locale) })}
      aside={<OrderStatusMark status={order.status} />}
    >
      <div className="flex flex-col gap-8">
        <OrderNotice order={order} />
        <DisputeNotice order={order} />
        {(order.can_pay || order.can_cancel) && (
          <div className="flex flex-wrap items-center gap-3">
            {order.can_pay && (
              <ButtonLink look="primary" href={`/checkout?order_id=${order.order_id}`}>
                {t("continue")}
              </ButtonLink>
            )}
            {order.can_cancel && <CancelOrder orderId={order.order_id} words={words} />}
            {order.can_pay && <OrderHold order={order} />}
          </div>
        )}
        <ul className="flex flex-col gap-5">
          {order.order_products.map((line) => (
            <li key={line.order_product_id}>
              <OrderPass line={line} orderId={order.order_id} paid={order.paid_at !== null} />
            </li>
          ))}
        </ul>
        {canResend(order) && <ResendKeys orderId={order.order_id} words={resend} />}
        <section aria-labelledby="order-sums">
          <h2 id="order-sums" className="pb-2 text-21">
            {t("sums")}
          </h2>
          <DefinitionRows rows={useSums(order)} />
        </section>
        <section aria-labelledby="order-steps">
          <h2 id="order-steps" className="pb-2 text-21">
            {t("steps")}
          </h2>
          <OrderSteps order={order} />
        </section>
        {order.can_delete && (
          <div>
            <DeleteOrder orderId={order.order_id} words={words} leave />
          </div>
        )}
      </div>
    </Page>
  );
}

/** Some code was delivered, and not all of them are about to be given back. */
const canResend = (order: OrderDetail) =>
  order.order_products.some((line) => line.keys.length > 0 && line.refund_request?.state !== "asked");

function OrderNotice({ order }: { order: OrderDetail }) {
  const t = useTranslations("orders.detail");
  if (order.status === "processing") return <Notice kind="warn">{t("waiting")}</Notice>;
  if (order.status === "pending" && order.payment_error) return <Notice kind="bad">{t("declined")}</Notice>;
  if (order.status === "processingPayment") return <Notice>{t("payment_running")}</Notice>;
  if (order.status === "paid") return <Notice kind="good">{t("preparing")}</Notice>;
  return null;
}

function useSums(order: OrderDetail) {
  const t = useTranslations("orders.detail");
  const locale = useLocale();
  const money = (amount: number) => formatPrice(toCents(amount), locale);
  return [
    { term: t("subtotal"), value: money(order.subtotal) },
    ...(order.discount_amount > 0
      ? [{ term: t("discount"), value: `−${money(order.discount_amount)}` }]
      : []),
    {
      term: t("total"),
      value: order.final_amount === 0 ? t("free") : money(order.final_amount),
      strong: true,
    },
    { term: t("sent_to"), value: <span className="break-all">{order.send_email}</span> },
    { term: t("number"), value: <span className="break-all font-mono text-13">{order.order_id}</span> },
    ...(order.transaction_id
      ? [
          {
            term: t("transaction"),
            value: <span className="break-all font-mono text-13">{order.transaction_id}</span>,
          },
        ]
      : []),
  ];
}

function OrderSteps({ order }: { order: OrderDetail }) {
  const t = useTranslations("orders.event");
  const locale = useLocale();
  return (
    <ol className="divide-y divide-hairline">
      {order.history.map((step) => (
        <li key={`${step.event} ${step.at}`} className="flex flex-wrap justify-between gap-x-6 py-2.5">
          <span>{t(step.event)}</span>
          <time dateTime={step.at} className="figures text-quiet">
            {formatMoment(step.at, locale)}
          </time>
        </li>
      ))}
    </ol>
  );
}
