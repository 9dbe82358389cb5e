"use client";

import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { Facts, RecordSection, RecordTable } from "@/components/console/record";
import { ShortTime, TimeLeft } from "@/components/console/time";
import { MailTable } from "@/components/notifications/console/mail-table";
import { useDisputeTexts } from "@/components/orders/console/dispute-texts";
import {
  KeyActions,
  LineActions,
  OrderActions,
  type OrderRights,
} from "@/components/orders/console/order-actions";
import { ORDER_TONES, PAYMENT_WORDS } from "@/components/orders/console/order-list";
import { usePaymentMethod } from "@/components/orders/console/payment-method";
import { Timeline, useRefundReason } from "@/components/orders/console/timeline";
import { Notes } from "@/components/staff/notes";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleOrderDetail } from "@/lib/orders/console/contract-detail";
import { isGivenAway, isPayable, isRefusedByStaff, staysInLibrary, whyKept } from "@/lib/orders/rules";
import { refundSentence } from "@/lib/payments/refunds/rules-wording";
import { formatPrice, toCents } from "@/lib/platform/money";

type Line = ConsoleOrderDetail["order_products"][number];
type Key = ConsoleOrderDetail["keys"][number];

const isUnrevealed = ({ state, mailed_at, revealed_at }: Key) =>
  state === "assigned" && mailed_at === null && revealed_at === null;

/** What the codes of an order that is ready wait for: their email, or that their owner shows them. */
function awaitedDelivery({ status, gift, keys, order_products }: ConsoleOrderDetail) {
  if (status !== "shipped" || isGivenAway({ gift })) return null;
  const linesOf = (lines: readonly Line[]) => lines.map(({ order_product_id }) => order_product_id);
  const mailed = linesOf(order_products.filter((line) => !staysInLibrary(line)));
  const unrevealed = keys.filter(isUnrevealed);
  if (unrevealed.some(({ order_product_id: id }) => id !== null && mailed.includes(id))) return "email";
  return unrevealed.length > 0 ? "library" : null;
}

/** One order for staff: what was bought and what can be returned, money, codes by reference, emails, notes, and its timeline. */
export function OrderRecord({
  order,
  mayWrite,
  may,
}: {
  order: ConsoleOrderDetail;
  /** notes */
  mayWrite: boolean;
  may: OrderRights;
}) {
  const t = useTranslations("console.order");
  const list = useTranslations("console.orders");
  const statusName = useTranslations("console.order_status");
  const methodName = usePaymentMethod();
  const { locale } = useSurface();
  const usd = (amount: number) => formatPrice(toCents(amount), locale);
  const time = (at: string | null) => (at ? <ShortTime at={at} /> : "–");
  const { customer, gift } = order;
  const delivery = awaitedDelivery(order);
  return (
    <>
      <ConsoleHeader title={order.order_number}>
        <span className="flex flex-wrap gap-2">
          <Pill tone={ORDER_TONES[order.status]}>{statusName(order.status)}</Pill>
          {order.cancel_requested && <Pill tone="warn">{t("cancel_requested")}</Pill>}
          {delivery && <Pill>{t(`delivery.${delivery}`)}</Pill>}
          {order.disputed && <Pill tone="bad">{list("disputed")}</Pill>}
          {gift && <Pill>{t(`gift_state.${gift.state}`)}</Pill>}
        </span>
      </ConsoleHeader>
      <div className="pb-7">
        <Facts
          rows={[
            [
              t("customer"),
              <ConsoleLink key="c" href={`/console/customers/${customer.customer_id}`} className="text-link">
                {customer.email}
              </ConsoleLink>,
            ],
            [t("send_email"), order.send_email],
            [list("when"), time(order.created_at)],
            [t("paid"), time(order.paid_at)],
            isPayable(order.status) && [
              t("held_until"),
              <span key="h" className="flex flex-wrap gap-2">
                <ShortTime at={order.hold_ends_at} />
                <TimeLeft until={order.hold_ends_at} late={t("hold_over")} />
              </span>,
            ],
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
            [t("language"), order.locale],
            [t("country"), order.country ?? "–"],
            order.came_from !== null && [list("source"), order.came_from],
            gift !== null && [t("gift_to"), gift.claimed_by ?? gift.recipient_email ?? "–"],
            gift !== null && [t("gift_at"), time(gift.claimed_at ?? gift.send_at)],
          ]}
        />
      </div>
      <OrderActions order={order} may={may} />
      <RecordSection title={t("lines")}>
        <Lines order={order} may={may} />
      </RecordSection>
      <RecordSection title={t("timeline")}>
        <Timeline entries={order.timeline} />
      </RecordSection>
      <RecordSection title={t("notes")}>
        <Notes path={`/admin/orders/${order.order_id}/note`} notes={order.notes} mayWrite={mayWrite} />
      </RecordSection>
      <RecordSection title={t("keys")}>
        <Keys order={order} may={may} />
      </RecordSection>
      <RecordSection title={t("payments")}>
        <RecordTable
          label={t("payments")}
          rows={order.payments}
          rowId={({ payment_id }) => payment_id}
          empty={t("no_payments")}
          columns={[
            { name: t("reference"), cell: ({ transaction_id, payment_id }) => transaction_id ?? payment_id },
            {
              name: list("status"),
              cell: ({ state }) => (
                <Pill tone={state === "succeeded" ? "good" : "plain"}>
                  {list(`payment_state.${PAYMENT_WORDS[state] ?? "open"}`)}
                </Pill>
              ),
            },
            { name: t("amount"), end: true, cell: ({ amount }) => usd(amount) },
            { name: t("method"), cell: ({ method }) => methodName(method) },
            { name: list("when"), cell: ({ created_at }) => time(created_at) },
            { name: t("error"), cell: ({ last_error }) => last_error ?? "–" },
          ]}
        />
      </RecordSection>
      <Refunds order={order} />
      <RecordSection title={t("mails")}>
        <MailTable mails={order.mails} />
      </RecordSection>
      <RecordSection title={t("ledger")}>
        <RecordTable
          label={t("ledger")}
          rows={order.ledger}
          rowId={({ transfer_id, account }) => `${transfer_id} ${account}`}
          empty={t("no_ledger")}
          columns={[
            { name: list("when"), cell: ({ created_at }) => time(created_at) },
            { name: t("account"), cell: ({ account }) => t(`accounts.${account}`) },
            { name: t("debit"), end: true, cell: ({ amount }) => (amount > 0 ? usd(amount) : "") },
            { name: t("credit"), end: true, cell: ({ amount }) => (amount < 0 ? usd(-amount) : "") },
            { name: t("reference"), cell: ({ transfer_id }) => transfer_id },
          ]}
        />
      </RecordSection>
    </>
  );
}

/** The lines, each with what the refund rule says about it, in the words that the shopper reads. */
function Lines({ order, may }: { order: ConsoleOrderDetail; may: OrderRights }) {
  const t = useTranslations("console.order");
  const list = useTranslations("console.orders");
  const rule = useTranslations("payments.refund");
  const { locale } = useSurface();
  const usd = (amount: number) => formatPrice(toCents(amount), locale);
  const actions = (line: Line) => <LineActions order={order} line={line} may={may} />;
  const keptText = useTranslations("console.kept_codes");
  const keptOf = (line: Line) => {
    const reason = whyKept(line);
    return reason && isGivenAway(order) ? ("gift" as const) : reason;
  };
  return (
    <RecordTable
      label={t("lines")}
      rows={order.order_products}
      rowId={({ order_product_id }) => order_product_id}
      empty="–"
      columns={[
        {
          name: list("passes"),
          cell: ({ product_name, vip_type, quantity }) =>
            `${product_name} · ${vip_type}${quantity > 1 ? ` × ${quantity}` : ""}`,
        },
        {
          name: list("status"),
          cell: (line) => (
            <span className="flex flex-wrap gap-1.5">
              <Pill tone={line.state === "assigned" ? "good" : line.state === "waiting" ? "warn" : "plain"}>
                {t(`line_state.${line.state}`)}
              </Pill>
              {keptOf(line) && <Pill>{keptText(keptOf(line)!)}</Pill>}
            </span>
          ),
        },
        { name: list("total"), end: true, cell: ({ total }) => usd(total) },
        {
          name: t("refunded"),
          end: true,
          cell: ({ refunded_amount }) => (refunded_amount > 0 ? usd(refunded_amount) : "–"),
        },
        {
          name: t("refund_rule"),
          cell: ({ refund, refund_request, refund_at_once }) => (
            <>
              {!isRefusedByStaff({ refund, refund_request }) && refundSentence(rule, refund, locale)}
              {refund.refundable && !refund_at_once && ` · ${t("vendor_first")}`}
              {refund_request && (
                <span className="block text-13 text-quiet">
                  {refund_request.refused_by
                    ? t(`refused_by.${refund_request.refused_by}`)
                    : t(`request_state.${refund_request.state}`)}
                  {refund_request.refusal_reason && <q className="block">{refund_request.refusal_reason}</q>}
                </span>
              )}
            </>
          ),
        },
        {
          name: t("deliver_by"),
          cell: ({ state, deliver_by }) =>
            state === "waiting" && deliver_by ? <ShortTime at={deliver_by} /> : "–",
        },
        ...(may.refunds ? [{ name: t("actions"), cell: actions }] : []),
      ]}
    />
  );
}

function Keys({ order, may }: { order: ConsoleOrderDetail; may: OrderRights }) {
  const t = useTranslations("console.order");
  const time = (at: string | null) => (at ? <ShortTime at={at} /> : "–");
  const lineOf = ({ order_product_id: id }: Key) =>
    order.order_products.find(({ order_product_id }) => order_product_id === id);
  const mailed = (code: Key) => {
    const line = lineOf(code);
    return code.mailed_at === null && line && staysInLibrary(line) ? t("not_mailed") : time(code.mailed_at);
  };
  return (
    <RecordTable
      label={t("keys")}
      rows={order.keys}
      rowId={({ key_id }) => key_id}
      empty={t("no_keys")}
      columns={[
        { name: t("reference"), cell: ({ key_id }) => <code className="font-mono text-13">{key_id}</code> },
        { name: t("pass"), cell: (code) => lineOf(code)?.product_name ?? "–" },
        {
          name: t("state"),
          cell: ({ state, redemption }) => (
            <span className="flex flex-wrap gap-1.5">
              <Pill tone={state === "assigned" ? "good" : "plain"}>{t(`key_state.${state}`)}</Pill>
              {redemption !== "unknown" && <Pill>{t(`redemption.${redemption}`)}</Pill>}
            </span>
          ),
        },
        { name: t("assigned"), cell: ({ assigned_at }) => time(assigned_at) },
        { name: t("mailed"), cell: mailed },
        { name: t("revealed"), cell: ({ revealed_at }) => time(revealed_at) },
        { name: t("activated"), cell: ({ activated_at }) => time(activated_at) },
        { name: t("custody"), cell: ({ events, sealed }) => t("custody_events", { events, sealed }) },
        ...(may.replacements
          ? [{ name: t("actions"), cell: (code: Key) => <KeyActions order={order} code={code} /> }]
          : []),
      ]}
    />
  );
}

function Refunds({ order }: { order: ConsoleOrderDetail }) {
  const dispute = useDisputeTexts();
  const refundReason = useRefundReason();
  const t = useTranslations("console.order");
  const list = useTranslations("console.orders");
  const { locale } = useSurface();
  const usd = (amount: number) => formatPrice(toCents(amount), locale);
  return (
    <>
      {order.refunds.length > 0 && (
        <RecordSection title={t("refunds")}>
          <RecordTable
            label={t("refunds")}
            rows={order.refunds}
            rowId={({ refund_id }) => refund_id}
            empty="–"
            columns={[
              { name: t("reference"), cell: ({ provider_id, refund_id }) => provider_id ?? refund_id },
              {
                name: list("status"),
                cell: ({ state }) => (
                  <Pill tone={state === "succeeded" ? "good" : state === "failed" ? "bad" : "plain"}>
                    {t(`refund_state.${state}`)}
                  </Pill>
                ),
              },
              { name: t("amount"), end: true, cell: ({ amount }) => usd(amount) },
              { name: t("reason"), cell: ({ reason }) => refundReason(reason) },
              { name: list("when"), cell: ({ created_at }) => <ShortTime at={created_at} /> },
            ]}
          />
        </RecordSection>
      )}
      {order.disputes.length > 0 && (
        <RecordSection title={t("disputes")}>
          <RecordTable
            label={t("disputes")}
            rows={order.disputes}
            rowId={({ dispute_id }) => dispute_id}
            empty="–"
            columns={[
              {
                name: t("reference"),
                cell: ({ dispute_id }) => (
                  <ConsoleLink href={`/console/disputes/${dispute_id}`} className="text-link">
                    {dispute_id}
                  </ConsoleLink>
                ),
              },
              {
                name: list("status"),
                cell: ({ status }) => <Pill tone={dispute.tone(status)}>{dispute.status(status)}</Pill>,
              },
              { name: t("amount"), end: true, cell: ({ amount }) => usd(amount) },
              { name: t("reason"), cell: ({ reason }) => dispute.reason(reason) },
              { name: list("when"), cell: ({ created_at }) => <ShortTime at={created_at} /> },
            ]}
          />
        </RecordSection>
      )}
    </>
  );
}
