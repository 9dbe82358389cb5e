import { useLocale, useTranslations } from "next-intl";
import type { OrderProduct } from "@/lib/orders/contract";
import { formatDate, formatMoment } from "@/lib/platform/format";

/**
 * The state of a line's refund request. Renders nothing once it is approved, because the refund itself is shown then.
 */
export function RefundState({
  request,
  name,
}: {
  request: OrderProduct["refund_request"];
  /** The name of the pass, where several could be meant. */
  name?: string;
}) {
  const t = useTranslations("orders.refund");
  const locale = useLocale();
  if (!request || request.state === "approved") return null;
  const text =
    request.state === "asked" && request.answer_by
      ? t("asked", {
          asked: formatDate(request.asked_at, locale),
          moment: formatMoment(request.answer_by, locale),
        })
      : t("refused");
  return (
    <div className="text-quiet">
      {name && <p className="font-medium text-ink">{name}</p>}
      <p>{text}</p>
    </div>
  );
}
