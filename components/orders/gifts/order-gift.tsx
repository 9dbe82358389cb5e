import { useLocale, useTranslations } from "next-intl";
import { DefinitionRows } from "@/components/ui/definition-rows";
import type { OrderDetail } from "@/lib/orders/contract";
import type { GiftView } from "@/lib/orders/gifts/contract";
import { isPayable } from "@/lib/orders/rules";
import { ChangeGift, KeepGift, ResendGift } from "./gift-actions";
import { formatGiftDay, GiftState } from "./gift-state";

/** The gift on its giver's order page: for whom, when, its state, and what can still be done. */
export function OrderGift({ order, gift }: { order: OrderDetail; gift: GiftView }) {
  const t = useTranslations("orders.gift");
  const locale = useLocale();
  const paid = !isPayable(order.status);
  if (order.status === "cancelled") return null;
  return (
    <section aria-labelledby="order-gift">
      <h2 id="order-gift" className="pb-1 text-21">
        {t("title")}
      </h2>
      <p className="pb-2 text-quiet">
        <GiftState gift={gift} order={order} />
      </p>
      <DefinitionRows
        rows={[
          {
            term: t("to"),
            value: <span className="break-all">{gift.recipient_email ?? t("erased")}</span>,
          },
          gift.from_name !== "" && { term: t("from_short"), value: <bdi>{gift.from_name}</bdi> },
          gift.sent_at === null && { term: t("day"), value: formatGiftDay(gift.deliver_on, locale) },
          gift.message !== "" && {
            term: t("words"),
            value: <span className="whitespace-pre-line break-words">{gift.message}</span>,
          },
        ]}
      />
      {paid && (gift.can_change || gift.can_resend) && (
        <div className="-mx-3 flex flex-wrap items-start gap-x-1 pt-1">
          {gift.can_change && (
            <ChangeGift
              orderId={order.order_id}
              gift={gift}
              now={order.server_time}
              free={order.final_amount === 0}
            />
          )}
          {gift.can_change && <KeepGift orderId={order.order_id} />}
          {gift.can_resend && <ResendGift orderId={order.order_id} />}
        </div>
      )}
    </section>
  );
}
