import { useTranslations } from "next-intl";
import { classNames } from "@/components/ui/class-names";
import type { OrderView } from "@/lib/orders/contract";
import { orderBadge } from "@/lib/orders/rules";

const TONES: Record<ReturnType<typeof orderBadge>, string> = {
  pending: "text-warn",
  processingPayment: "text-warn",
  paid: "text-good",
  processing: "text-warn",
  shipped: "text-good",
  completed: "text-good",
  cancelled: "text-quiet",
  refunded: "text-quiet",
  refunding: "text-warn",
  pre_ordered: "text-good",
  gift_scheduled: "text-good",
  gift_sent: "text-good",
  gift_failed: "text-bad",
  gift_claimed: "text-good",
};

/** An order's state as text. The dot repeats it visually. */
export function OrderStatusBadge({
  order,
}: {
  order: Pick<OrderView, "status" | "refunds" | "gift" | "order_products">;
}) {
  const t = useTranslations("orders.status");
  const badge = orderBadge(order);
  return (
    <span className={classNames("inline-flex items-center gap-2 font-medium", TONES[badge])}>
      <span aria-hidden="true" className="size-2 flex-none rounded-full bg-current" />
      {t(badge)}
    </span>
  );
}
