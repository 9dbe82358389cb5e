import { useLocale, useTranslations } from "next-intl";
import type { ProductDetail } from "@/lib/catalog/contract";
import { foreignLanguage } from "@/lib/catalog/translation/rules";
import { BuyButton } from "./buy-button";
import type { PlanLabels } from "./use-plan-action";

/** The button of a product page. `brief`: for the narrow bar of phones. */
export function ProductButton({ product, brief }: { product: ProductDetail; brief: boolean }) {
  const { product_id: id, slug, product_name: name, product_image: image, language } = product;
  const lang = foreignLanguage(name, language, useLocale());
  return (
    <BuyButton
      product={{ id, slug, name, image, ...(lang && { lang }) }}
      labels={usePlanLabels()}
      brief={brief}
    />
  );
}

function usePlanLabels(): PlanLabels {
  const t = useTranslations("catalog.product");
  return {
    add: t("add"),
    added: t("added"),
    back: t("back"),
    viewCart: t("view_cart"),
    verify: t("verify_email"),
    library: t("open_library"),
    network: useTranslations("errors")("network"),
    notify: t("notify"),
    notified: t("notify_done"),
  };
}
