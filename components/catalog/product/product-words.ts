import { getTranslations } from "next-intl/server";
import { passName } from "@/lib/catalog/pricing/rules-pass-name";
import type { Locale } from "@/lib/platform/i18n/locales";

/** The words of a product's markup: the home page, and a pass's name. */
export async function productWords(locale: Locale) {
  const t = await getTranslations({ locale });
  return {
    home: t("ui.links.home"),
    title: (name: string) => t("catalog.product.page_title", { name }),
    passName: (plan: Parameters<typeof passName>[0]) => {
      const { key, values } = passName(plan);
      return t(key, values);
    },
  };
}
