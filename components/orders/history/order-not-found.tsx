import { getTranslations } from "next-intl/server";
import { ButtonLink } from "@/components/ui/button";
import { Page } from "@/components/ui/page";
import type { Locale } from "@/lib/platform/i18n/locales";

/** Shown with status 404 when the order does not exist or belongs to another user (docs/product.md#92-messages). */
export async function OrderNotFound({ locale }: { locale: Locale }) {
  const t = await getTranslations({ locale, namespace: "orders.checkout" });
  return (
    <Page narrow title={t("missing_title")} lead={t("missing_text")}>
      <div className="flex flex-wrap gap-3">
        <ButtonLink look="primary" href="/order-history">
          {t("missing_orders")}
        </ButtonLink>
        <ButtonLink href="/cart">{t("missing_cart")}</ButtonLink>
      </div>
    </Page>
  );
}
