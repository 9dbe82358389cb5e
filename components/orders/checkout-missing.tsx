import { useTranslations } from "next-intl";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

/** No such order, or another's: spec §8 "order does not exist", with the ways back. */
export function CheckoutMissing() {
  const t = useTranslations("orders.checkout");
  return (
    <EmptyState
      title={t("missing_title")}
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <ButtonLink href="/order-history">{t("missing_orders")}</ButtonLink>
          <ButtonLink href="/cart">{t("missing_cart")}</ButtonLink>
        </div>
      }
    >
      {t("missing_text")}
    </EmptyState>
  );
}
