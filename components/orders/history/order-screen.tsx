import { useLocale, useTranslations } from "next-intl";
import { PASS_MESSAGES } from "@/components/delivery/pass-messages";
import { ResendKeys } from "@/components/delivery/resend-keys";
import { OrderGift } from "@/components/orders/gifts/order-gift";
import { OrderInvoices } from "@/components/orders/receipt/order-invoices";
import { useRefundRows } from "@/components/orders/refunds/refund-rows";
import { RefundSteps } from "@/components/orders/refunds/refund-steps";
import { OrderAgainOffer } from "@/components/orders/result/order-again-offer";
import { TaxQuestion } from "@/components/orders/tax/tax-question";
import { useAddedTax, useTaxText } from "@/components/orders/tax/use-tax-text";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { ButtonLink } from "@/components/ui/button";
import { DefinitionRows } from "@/components/ui/definition-rows";
import { LocalTimes } from "@/components/ui/local-times";
import { Page } from "@/components/ui/page";
import { TimeLine } from "@/components/ui/time-line";
import type { OrderDetail, OrderProduct } from "@/lib/orders/contract";
import { giftHistory } from "@/lib/orders/gifts/rules";
import { isCancellable, isPaid, isPreOrder, orderBadge } from "@/lib/orders/rules";
import { formatMoment } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";
import { OrderAction } from "./order-actions";
import { OrderHold } from "./order-hold";
import { OrderNotice } from "./order-notice";
import { OrderPass } from "./order-pass";
import { OrderStatusBadge } from "./order-status";

const ORDER_MESSAGES = [
  ...PASS_MESSAGES,
  "orders.actions",
  "orders.gift",
  "orders.tax.question",
  "reviews",
  "errors.rating_missing",
  "errors.review_title_missing",
  "errors.review_content_missing",
];

export function OrderScreen({ order }: { order: OrderDetail }) {
  const t = useTranslations("orders.detail");
  const locale = useLocale();
  return (
    <ScopedMessages branches={ORDER_MESSAGES}>
      <Page
        narrow
        above={
          <Breadcrumb
            label={t("breadcrumb")}
            items={[{ text: t("orders"), href: "/order-history" }, { text: order.order_number }]}
          />
        }
        title={t("title", { number: order.order_number })}
        lead={
          <LocalTimes of={[order.created_at]}>
            {t("placed", { moment: formatMoment(order.created_at, locale) })}
          </LocalTimes>
        }
        aside={<OrderStatusBadge order={order} />}
      >
        <div className="flex flex-col gap-8">
          <OrderNotice order={order} />
          {order.tax?.question && (
            <TaxQuestion
              orderId={order.order_id}
              orderNumber={order.order_number}
              countries={order.tax.question}
            />
          )}
          {(order.can_pay || order.can_cancel) && (
            <div className="flex flex-wrap items-center gap-3">
              {order.can_pay && (
                <ButtonLink look="primary" href={`/checkout?order_id=${order.order_id}`}>
                  {t("continue")}
                </ButtonLink>
              )}
              {order.can_cancel && (
                <OrderAction
                  action="cancel"
                  orderId={order.order_id}
                  running={order.status === "processingPayment"}
                />
              )}
              {order.can_pay && <OrderHold order={order} />}
            </div>
          )}
          {order.gift && <OrderGift order={order} gift={order.gift} />}
          {isClosed(order) && (
            <div className="flex flex-wrap items-center gap-3">
              <OrderAgainOffer order={order} />
            </div>
          )}
          <ul className="flex flex-col gap-5">
            {order.order_products.map((line) => (
              <li key={line.order_product_id}>
                <OrderPass line={line} order={order} />
              </li>
            ))}
          </ul>
          <RefundSteps refunds={order.refunds.filter((refund) => refund.order_product_id === null)} />
          {canResend(order) && <ResendKeys orderId={order.order_id} className="-ml-3" />}
          <section aria-labelledby="order-sums">
            <h2 id="order-sums" className="pb-2 text-21">
              {t("sums")}
            </h2>
            <DefinitionRows rows={useSums(order)} />
          </section>
          <section aria-labelledby="order-papers">
            <h2 id="order-papers" className="pb-2 text-21">
              {t("papers")}
            </h2>
            <DefinitionRows rows={usePapers(order)} />
            <div className="flex flex-wrap items-center gap-3 pt-3 empty:hidden">
              {order.paid_at !== null && (
                <>
                  <ButtonLink href={`/receipt?order_id=${order.order_id}`}>{t("receipt")}</ButtonLink>
                  <OrderInvoices order={order} />
                </>
              )}
            </div>
          </section>
          <section aria-labelledby="order-steps">
            <h2 id="order-steps" className="pb-2 text-21">
              {t("steps")}
            </h2>
            <OrderSteps order={order} />
          </section>
          {canWithdraw(order) && order.order_products.some(asksRefund) && (
            <p className="text-13 text-quiet">{t("two_ways")}</p>
          )}
          <div className="flex flex-wrap items-center gap-3">
            <ButtonLink href={`/messages?order=${order.order_number}`}>{t("ask")}</ButtonLink>
            {canWithdraw(order) && (
              <ButtonLink look="quiet" href={`/withdraw?order_id=${order.order_id}`}>
                {t("withdraw")}
              </ButtonLink>
            )}
            {order.can_delete && (
              <OrderAction action="remove" orderId={order.order_id} leaveTo="/order-history" />
            )}
          </div>
        </div>
      </Page>
    </ScopedMessages>
  );
}

/** The passes are on sale again or about to be. The cart that the order came from is empty. */
const isClosed = (order: OrderDetail) =>
  order.status === "cancelled" || (order.status === "pending" && !order.can_pay);

/** At least one code was emailed or revealed, and not all of them are about to be refunded. */
const canResend = (order: OrderDetail) =>
  order.order_products.some(
    (line) => line.refund_request?.state !== "asked" && line.keys.some((key) => key.seen),
  );

/** The right of withdrawal concerns the buyer, and a payment was received and is not fully refunded. The withdrawal page determines what can be refunded. */
const canWithdraw = (order: OrderDetail) =>
  order.withdrawal_applies &&
  isPaid(order.status) &&
  order.order_products.some((line) => line.total > 0 && line.refunded_quantity < line.quantity);

/** The button of the line says "Ask for a refund". */
const asksRefund = (line: OrderProduct) => line.can_refund && !isCancellable(line);

function useSums(order: OrderDetail) {
  const t = useTranslations("orders.detail");
  const locale = useLocale();
  const money = (amount: number) => formatPrice(toCents(amount), locale);
  const refunds = useRefundRows(order, { withPending: true });
  const tax = useTaxText(order);
  const taxTerm = useTranslations("orders.tax")("term");
  const added = useAddedTax(order);
  return [
    { term: t("subtotal"), value: money(order.subtotal) },
    order.discount_amount > 0 && { term: t("discount"), value: `−${money(order.discount_amount)}` },
    added !== null && added,
    {
      term: t("total"),
      value: order.final_amount === 0 ? t("free") : money(order.final_amount),
      strong: true,
    },
    tax !== null && { term: taxTerm, value: tax },
    ...refunds.rows,
  ];
}

function usePapers(order: OrderDetail) {
  const t = useTranslations("orders.detail");
  const mono = (text: string) => <span className="break-all font-mono text-13">{text}</span>;
  return [
    { term: t("sent_to"), value: <span className="break-all">{order.send_email}</span> },
    { term: t("number"), value: order.order_number },
    { term: t("id"), value: mono(order.order_id) },
    order.transaction_id !== null && { term: t("transaction"), value: mono(order.transaction_id) },
  ];
}

function OrderSteps({ order }: { order: OrderDetail }) {
  const t = useTranslations("orders.event");
  const steps = [...order.history, ...(order.gift ? giftHistory(order.gift) : [])];
  const text = (event: (typeof steps)[number]["event"]) => {
    if (event === "refunded" && orderBadge(order) === "refunding") return t("refunding");
    if (event === "stock_short" && isPreOrder(order.order_products)) return t("pre_ordered");
    if (event !== "gift_sent") return t(event);
    const email = order.gift?.recipient_email ?? null;
    return email === null ? t("gift_sent_erased") : t("gift_sent", { email });
  };
  const sorted = steps.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return (
    <TimeLine
      steps={sorted.map((step) => ({ key: `${step.event} ${step.at}`, at: step.at, text: text(step.event) }))}
    />
  );
}
