import { useTranslations } from "next-intl";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";

/** Links from the cart to the order that is still unpaid. */
export function OpenOrderNotice({
  order,
  serverTime,
}: {
  order: { order_id: string; hold_ends_at: string };
  serverTime: string;
}) {
  const t = useTranslations("cart.open_order");
  const minutes = Math.max(0, Math.floor((Date.parse(order.hold_ends_at) - Date.parse(serverTime)) / 60_000));
  return (
    <Notice
      kind="warn"
      title={t("title")}
      className="mb-6"
      action={<ButtonLink href={`/checkout?order_id=${order.order_id}`}>{t("action")}</ButtonLink>}
    >
      {t("text", { minutes })}
    </Notice>
  );
}
