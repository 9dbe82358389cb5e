import { useLocale, useTranslations } from "next-intl";
import { formatDate, formatMoment } from "@/lib/format";
import type { OrderProduct } from "@/lib/orders/contract";

/** Where the wish to get the money of a line back stands; nothing once it was granted: the money itself is told then. */
export function RefundState({ request }: { request: OrderProduct["refund_request"] }) {
  const t = useTranslations("orders.refund");
  const locale = useLocale();
  if (request?.state === "refused") return <p className="text-quiet">{t("refused")}</p>;
  if (request?.state !== "asked" || !request.answer_by) return null;
  return (
    <p className="text-quiet">
      {t("asked", {
        asked: formatDate(request.asked_at, locale),
        moment: formatMoment(request.answer_by, locale),
      })}
    </p>
  );
}
