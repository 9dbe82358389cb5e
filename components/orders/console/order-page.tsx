"use client";

import { useTranslations } from "next-intl";
import { Pill } from "@/components/console/pill";
import { RecordBar, RecordCard, RecordPage } from "@/components/console/record-page";
import { OrderActions, type OrderRights } from "@/components/orders/console/order-actions";
import { OrderAsks } from "@/components/orders/console/order-asks";
import { ORDER_TONES } from "@/components/orders/console/order-list";
import { OrderPasses } from "@/components/orders/console/order-passes";
import { OrderSide } from "@/components/orders/console/order-side";
import { Timeline } from "@/components/orders/console/timeline";
import { NoteForm } from "@/components/staff/note-form";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleOrderDetail } from "@/lib/orders/console/contract-detail";
import { isGivenAway, staysInLibrary } from "@/lib/orders/rules";
import { formatPrice, toCents } from "@/lib/platform/money";
import type { Mentionable } from "@/lib/staff/notes/rules";

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

/**
 * One order for staff: beside each other its story (what the buyer asks, passes with their codes, what happened) and what
 * surrounds it (buyer, money, emails, custody).
 */
export function OrderRecord({
  order,
  people,
  mayWrite,
  mayAudit,
  hasSignals,
  may,
}: {
  order: ConsoleOrderDetail;
  /** whom notes may name */
  people: readonly Mentionable[];
  /** notes */
  mayWrite: boolean;
  mayAudit: boolean;
  hasSignals: boolean;
  may: OrderRights;
}) {
  const t = useTranslations("console.order");
  const list = useTranslations("console.orders");
  const statusName = useTranslations("console.order_status");
  const { locale } = useSurface();
  const delivery = awaitedDelivery(order);
  return (
    <>
      <RecordBar
        title={order.order_number}
        sum={formatPrice(toCents(order.final_amount), locale)}
        states={
          <>
            <Pill tone={ORDER_TONES[order.status]}>{statusName(order.status)}</Pill>
            {order.cancel_requested && <Pill tone="warn">{t("cancel_requested")}</Pill>}
            {delivery && <Pill>{t(`delivery.${delivery}`)}</Pill>}
            {order.disputed && <Pill tone="bad">{list("disputed")}</Pill>}
            {order.payment_reviews.some(({ is_open }) => is_open) && (
              <Pill tone="warn">{t("review_open")}</Pill>
            )}
            {order.gift && <Pill>{t(`gift_state.${order.gift.state}`)}</Pill>}
          </>
        }
      >
        <OrderActions order={order} may={may} />
      </RecordBar>
      <RecordPage side={<OrderSide order={order} mayAudit={mayAudit} hasSignals={hasSignals} />}>
        <OrderAsks order={order} may={may} />
        <RecordCard title={t("lines")}>
          <OrderPasses order={order} may={may} />
        </RecordCard>
        <RecordCard title={t("timeline")}>
          <Timeline entries={order.timeline} people={people}>
            {mayWrite && <NoteForm path={`/admin/orders/${order.order_id}/note`} people={people} />}
          </Timeline>
        </RecordCard>
      </RecordPage>
    </>
  );
}
