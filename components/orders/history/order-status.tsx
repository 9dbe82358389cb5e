import { useTranslations } from "next-intl";
import { classNames } from "@/components/ui/class-names";
import type { OrderStatus } from "@/lib/orders/rules";

const TONES: Record<OrderStatus, string> = {
  pending: "text-warn",
  processingPayment: "text-warn",
  paid: "text-good",
  processing: "text-warn",
  shipped: "text-good",
  completed: "text-good",
  cancelled: "text-quiet",
  refunded: "text-quiet",
};

/** An order's status as text. The dot repeats it visually. */
export function OrderStatusBadge({ status }: { status: OrderStatus }) {
  const t = useTranslations("orders.status");
  return (
    <span className={classNames("inline-flex items-center gap-2 font-medium", TONES[status])}>
      <span aria-hidden="true" className="size-2 flex-none rounded-full bg-current" />
      {t(status)}
    </span>
  );
}
