import { getTranslations } from "next-intl/server";
import { passNameKey } from "@/lib/catalog/pricing/rules";
import type { Locale } from "@/lib/platform/i18n/locales";

/** The labels of a product's structured data: the home page and the pass names. */
export async function productLabels(locale: Locale) {
  const t = await getTranslations({ locale });
  return {
    home: t("ui.links.home"),
    title: (name: string) => t("catalog.product.page_title", { name }),
    passName: (plan: Parameters<typeof passNameKey>[0]) => {
      const { key, values } = passNameKey(plan);
      return t(key, values);
    },
  };
}
