import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import type { OrderDetail } from "@/lib/orders/contract";

/** Explains that the codes are locked because the payment is disputed at the bank. */
export function DisputeNotice({ order }: { order: OrderDetail }) {
  const t = useTranslations("payments.dispute");
  if (!order.dispute_open) return null;
  return (
    <Notice kind="warn" title={t("title")}>
      {t("text")}
    </Notice>
  );
}
