"use client";

import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { Pill } from "@/components/console/pill";
import { FactRows, MoreFacts, RecordCard } from "@/components/console/record-page";
import { ShortDate, ShortTime, TimeLeft } from "@/components/console/time";
import { MailCards } from "@/components/notifications/console/mail-cards";
import { useDisputeTexts } from "@/components/orders/console/dispute-texts";
import { ORDER_TONES, PAYMENT_WORDS } from "@/components/orders/console/order-list";
import { usePaymentMethod } from "@/components/orders/console/payment-method";
import { SandboxSignals } from "@/components/orders/console/sandbox-signals";
import { useRefundReason } from "@/components/orders/console/timeline";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleOrderDetail } from "@/lib/orders/console/contract-detail";
import { isPayable } from "@/lib/orders/rules";
import { LANGUAGE_NAMES, type Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toCents } from "@/lib/platform/money";

const useUsd = () => {
  const { locale } = useSurface();
  return (amount: number) => formatPrice(toCents(amount), locale);
};

/** What surrounds an order: its buyer, its money, its emails, the custody of its codes, and the way to the audit log. */
export function OrderSide({
  order,
  mayAudit,
  hasSignals,
}: {
  order: ConsoleOrderDetail;
  mayAudit: boolean;
  /** the demo, where the provider's stand-in can be told to send something */
  hasSignals: boolean;
}) {
  const t = useTranslations("console.order");
  return (
    <>
      <Customer order={order} />
      <Money order={order} />
      {hasSignals && order.paid_at !== null && <SandboxSignals orderId={order.order_id} />}
      <RecordCard title={t("mails")}>
        <MailCards mails={order.mails} />
      </RecordCard>
      <RecordCard title={t("custody")}>
        {order.keys.length === 0 ? (
          <p className="text-13 text-quiet">{t("no_keys")}</p>
        ) : (
          <ul className="text-13">
            {order.keys.map(({ key_id, events, sealed }) => (
              <li key={key_id} className="flex gap-3">
                <code className="min-w-0 truncate font-mono text-quiet" title={key_id}>
                  {key_id}
                </code>
                <span className="ml-auto flex-none">{t("custody_events", { events, sealed })}</span>
              </li>
            ))}
          </ul>
        )}
        {mayAudit && (
          <ConsoleLink
            href={`/console/audit?subject=${order.order_number}`}
            className="text-link inline-flex min-h-9 items-center text-13"
          >
            {t("audit")}
          </ConsoleLink>
        )}
      </RecordCard>
    </>
  );
}

function Customer({ order }: { order: ConsoleOrderDetail }) {
  const t = useTranslations("console.order");
  const list = useTranslations("console.orders");
  const statusName = useTranslations("console.order_status");
  const usd = useUsd();
  const { customer, gift } = order;
  const time = (at: string | null) => (at ? <ShortTime at={at} /> : "–");
  return (
    <RecordCard title={t("customer")}>
      <ConsoleLink href={`/console/customers/${customer.customer_id}`} className="text-link wrap-anywhere">
        {customer.email}
      </ConsoleLink>
      <FactRows
        rows={[
          [t("name"), customer.username],
          order.send_email !== customer.email && [t("send_email"), order.send_email],
          [
            t("language"),
            [LANGUAGE_NAMES[order.locale as Locale], order.country].filter(Boolean).join(" · "),
          ],
          order.came_from !== null && [list("source"), order.came_from],
          gift !== null && [t("gift_to"), gift.claimed_by ?? gift.recipient_email ?? "–"],
          gift !== null && [t("gift_at"), time(gift.claimed_at ?? gift.send_at)],
        ]}
      />
      <h3 className="pt-2 text-13 font-medium text-quiet">{t("other_orders")}</h3>
      {customer.other_orders.length === 0 && <p className="text-13 text-quiet">{t("no_other_orders")}</p>}
      <ul>
        {customer.other_orders.map(({ order_number, status, created_at, final_amount, refunded }) => (
          <li key={order_number} className="flex min-h-7 flex-wrap items-center gap-x-2 text-13">
            <ConsoleLink href={`/console/orders/${order_number}`} className="text-link whitespace-nowrap">
              {order_number}
            </ConsoleLink>
            <span className="text-quiet">
              <ShortDate at={created_at} />
            </span>
            <span className="ml-auto flex flex-none items-center gap-2">
              {refunded > 0 ? (
                <Pill tone="bad">{t("other_refunded", { amount: usd(refunded) })}</Pill>
              ) : (
                <Pill tone={ORDER_TONES[status]}>{statusName(status)}</Pill>
              )}
              <span className="figures">{usd(final_amount)}</span>
            </span>
          </li>
        ))}
      </ul>
    </RecordCard>
  );
}

/** What was received, what went back or is on its way, and what is left. */
function sumsOf({ payments, refunds, disputes }: ConsoleOrderDetail) {
  const sum = (rows: readonly { amount: number }[]) =>
    rows.reduce((cents, { amount }) => cents + toCents(amount), 0);
  const paid = sum(payments.filter(({ state }) => state === "succeeded"));
  const refunded = sum(refunds.filter(({ state }) => state !== "failed" && state !== "cancelled"));
  const lost = sum(disputes.filter(({ status }) => status === "lost"));
  return { paid, refunded, lost, left: Math.max(0, paid - refunded - lost) };
}

function Money({ order }: { order: ConsoleOrderDetail }) {
  const t = useTranslations("console.order");
  const list = useTranslations("console.orders");
  const methodName = usePaymentMethod();
  const refundReason = useRefundReason();
  const dispute = useDisputeTexts();
  const { locale } = useSurface();
  const usd = useUsd();
  const { paid, refunded, lost, left } = sumsOf(order);
  const cents = (amount: number) => formatPrice(amount, locale);
  return (
    <RecordCard title={t("money")}>
      <FactRows
        rows={[
          [
            list("total"),
            order.discount_amount > 0
              ? t("total_discounted", {
                  total: usd(order.final_amount),
                  discount: usd(order.discount_amount),
                })
              : usd(order.final_amount),
          ],
          order.coupon_code !== null && [list("coupon"), order.coupon_code],
          [t("paid_sum"), cents(paid)],
          [t("refunded"), cents(refunded)],
          lost > 0 && [t("lost"), cents(lost)],
          [t("left"), <strong key="left">{cents(left)}</strong>],
          isPayable(order.status) && [
            t("held_until"),
            <span key="held" className="flex flex-wrap justify-end gap-2">
              <ShortTime at={order.hold_ends_at} />
              <TimeLeft until={order.hold_ends_at} late={t("hold_over")} />
            </span>,
          ],
        ]}
      />
      <ul className="pt-1 text-13">
        {order.payments.map(
          ({ payment_id, transaction_id, provider_url, state, amount, method, last_error, created_at }) => (
            <li
              key={payment_id}
              className="flex flex-wrap items-center gap-x-2 border-t border-hairline py-1"
            >
              <Pill tone={state === "succeeded" ? "good" : "plain"}>
                {list(`payment_state.${PAYMENT_WORDS[state] ?? "open"}`)}
              </Pill>
              {methodName(method)}
              <span className="text-quiet">
                <ShortTime at={created_at} />
              </span>
              <span className="figures ml-auto">{usd(amount)}</span>
              <span className="w-full min-w-0 truncate" title={transaction_id ?? payment_id}>
                {provider_url ? (
                  <a href={provider_url} target="_blank" rel="noreferrer" className="text-link">
                    {t("at_provider", { id: transaction_id ?? "" })}
                  </a>
                ) : (
                  <code className="font-mono text-quiet">{transaction_id ?? payment_id}</code>
                )}
              </span>
              {last_error && <span className="w-full text-bad">{last_error}</span>}
            </li>
          ),
        )}
        {order.payments.length === 0 && <li className="text-quiet">{t("no_payments")}</li>}
        {order.refunds.map(({ refund_id, provider_id, state, amount, reason, created_at }) => (
          <li key={refund_id} className="flex flex-wrap items-center gap-x-2 border-t border-hairline py-1">
            <Pill tone={state === "succeeded" ? "good" : state === "failed" ? "bad" : "plain"}>
              {t(`refund_state.${state}`)}
            </Pill>
            <span title={provider_id ?? refund_id}>{refundReason(reason)}</span>
            <span className="text-quiet">
              <ShortTime at={created_at} />
            </span>
            <span className="figures ml-auto">−{usd(amount)}</span>
          </li>
        ))}
        {order.disputes.map(({ dispute_id, status, amount, reason, created_at }) => (
          <li key={dispute_id} className="flex flex-wrap items-center gap-x-2 border-t border-hairline py-1">
            <Pill tone={dispute.tone(status)}>{dispute.status(status)}</Pill>
            <ConsoleLink href={`/console/disputes/${dispute_id}`} className="text-link">
              {dispute.reason(reason)}
            </ConsoleLink>
            <span className="text-quiet">
              <ShortTime at={created_at} />
            </span>
            <span className="figures ml-auto">{usd(amount)}</span>
          </li>
        ))}
        {order.payment_reviews.map(({ review_id, is_open, reason, closed_reason, created_at }) => (
          <li key={review_id} className="flex flex-wrap items-center gap-x-2 border-t border-hairline py-1">
            <Pill tone={is_open ? "warn" : "plain"}>{t(is_open ? "review_open" : "review_closed")}</Pill>
            <span title={review_id}>{closed_reason ?? reason}</span>
            <span className="text-quiet">
              <ShortTime at={created_at} />
            </span>
          </li>
        ))}
      </ul>
      {order.ledger.length > 0 && (
        <MoreFacts title={t("ledger")}>
          <ul className="text-13">
            {order.ledger.map(({ transfer_id, account, amount }) => (
              <li key={`${transfer_id} ${account}`} className="flex gap-2" title={transfer_id}>
                {t(`accounts.${account}`)}
                <span className="ml-auto text-quiet">{t(amount > 0 ? "debit" : "credit")}</span>
                <span className="figures w-20 text-right">{usd(Math.abs(amount))}</span>
              </li>
            ))}
          </ul>
        </MoreFacts>
      )}
    </RecordCard>
  );
}
