import { useLocale, useTranslations } from "next-intl";
import { PASS_MESSAGES } from "@/components/delivery/pass-messages";
import { formatGiftDay } from "@/components/orders/gifts/gift-state";
import { OrderSummary } from "@/components/orders/history/order-summary";
import { PaymentSettling } from "@/components/payments/paying/payment-wait";
import { ScopedMessages } from "@/components/shell/scoped-messages";
import { ButtonLink } from "@/components/ui/button";
import { Page } from "@/components/ui/page";
import type { LibraryList } from "@/lib/delivery/contract";
import type { OrderDetail } from "@/lib/orders/contract";
import { awaitsEmail, isGivenAway, isPayable, staysInLibrary } from "@/lib/orders/rules";
import { formatPrice, toCents } from "@/lib/platform/money";
import { OrderPoller } from "./order-poller";
import { orderVersion } from "./order-version";
import { SuccessPass } from "./success-pass";

/** The page after payment: the ticket, its code, the delivery email and the instructions. */
export function SuccessScreen({
  order,
  library,
  support,
  paid,
}: {
  order: OrderDetail;
  library: LibraryList;
  /** the address for questions */
  support: string;
  /** The bank's page reported that the payment succeeded. */
  paid: boolean;
}) {
  const t = useTranslations("payments");
  if (isPayable(order.status))
    return (
      <Page title={t("wait.checking")} narrow>
        <ScopedMessages branches={["payments.wait", "payments.unconfirmed"]}>
          <PaymentSettling
            orderId={order.order_id}
            orderNumber={order.order_number}
            email={order.send_email}
            support={support}
            paid={paid}
          />
        </ScopedMessages>
      </Page>
    );
  return isGivenAway(order) && order.status !== "refunded" ? (
    <PaidGift order={order} />
  ) : (
    <Paid order={order} library={library} />
  );
}

/** A paid gift: its codes are not the buyer's, so the page says where they go. */
function PaidGift({ order }: { order: OrderDetail }) {
  const t = useTranslations("payments.success");
  const gift = useTranslations("orders.gift");
  return (
    <Page title={gift("success_title")} lead={<PaidGiftLead order={order} />} narrow>
      {order.gift?.state === "scheduled" && (order.gift.due || order.status === "processing") && (
        <OrderPoller orderId={order.order_id} version={orderVersion(order)} soon={!waitsForCodes(order)} />
      )}
      <OrderSummary order={order} sums="discount" />
      <div className="flex flex-wrap gap-3 pt-8">
        <ButtonLink href={`/order-history?order_id=${order.order_id}`}>{t("order")}</ButtonLink>
      </div>
    </Page>
  );
}

/** Whether a code of the order is not in stock yet. Those of a payment that was just made are allocated within seconds. */
const waitsForCodes = ({ status, order_products }: OrderDetail) =>
  status === "processing" && !order_products.some(({ state }) => state === "reserved");

function PaidGiftLead({ order }: { order: OrderDetail }) {
  const t = useTranslations("payments.success");
  const gift = useTranslations("orders.gift");
  const locale = useLocale();
  if (!order.gift) return null;
  const { recipient_email: email, deliver_on, due, state } = order.gift;
  const values = { email: email ?? "", date: formatGiftDay(deliver_on, locale) };
  const waits = waitsForCodes(order);
  const unsent = due
    ? waits
      ? "success_waiting_now"
      : "success_now"
    : waits
      ? "success_waiting"
      : "success_on";
  const amount = formatPrice(toCents(order.final_amount), locale);
  return (
    <>
      <span className="break-words">{gift(state === "scheduled" ? unsent : "success_sent", values)}</span>
      <span className="block text-15">
        {order.final_amount > 0 ? t("lead_paid", { amount }) : t("lead_free")}
      </span>
    </>
  );
}

function Paid({ order, library }: { order: OrderDetail; library: LibraryList }) {
  const t = useTranslations("payments.success");
  const passes = order.order_products.reduce((sum, line) => sum + line.quantity, 0);
  const missing = passes - order.order_products.reduce((sum, line) => sum + line.keys.length, 0);
  const refunded = order.status === "refunded";
  const title = refunded
    ? t("refunded_title")
    : missing === 0
      ? t("heading", { count: passes })
      : t("heading_paid");
  return (
    <ScopedMessages branches={PASS_MESSAGES}>
      <Page title={title} lead={refunded ? t("refunded_text") : <PaidLead order={order} />} narrow>
        {(missing > 0 || awaitsEmail(order)) && !refunded && (
          <OrderPoller
            orderId={order.order_id}
            version={orderVersion(order)}
            soon={missing === 0 || order.order_products.some((line) => line.state === "reserved")}
          />
        )}
        <ul className="flex flex-col gap-5" aria-live="polite">
          {order.order_products.map((line) => (
            <li key={line.order_product_id}>
              <SuccessPass line={line} order={order} library={library} />
            </li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-3 pt-8">
          <ButtonLink href="/library">{t("library")}</ButtonLink>
          <ButtonLink look="quiet" href={`/order-history?order_id=${order.order_id}`}>
            {t("order")}
          </ButtonLink>
        </div>
      </Page>
    </ScopedMessages>
  );
}

function PaidLead({ order }: { order: OrderDetail }) {
  const t = useTranslations("payments.success");
  const locale = useLocale();
  const amount = formatPrice(toCents(order.final_amount), locale);
  const { status, send_email: email } = order;
  const delivered = status === "completed" || status === "shipped";
  const sent = order.email_failed
    ? "not_sent"
    : awaitsEmail(order)
      ? "sending_to"
      : delivered
        ? "sent_to"
        : "will_send_to";
  const unrevealed = order.order_products.every(staysInLibrary);
  return (
    <>
      <span className="break-words">
        {unrevealed ? t(delivered ? "kept" : "will_keep") : t(sent, { email })}
      </span>
      <span className="block text-15">
        {order.final_amount > 0 ? t("lead_paid", { amount }) : t("lead_free")}
      </span>
    </>
  );
}
