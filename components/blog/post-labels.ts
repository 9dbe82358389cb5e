import { getTranslations } from "next-intl/server";
import type { Locale } from "@/lib/platform/i18n/locales";

/** The names of a post's parent pages, for its structured data. */
export async function blogLabels(locale: Locale) {
  const t = await getTranslations({ locale, namespace: "blog" });
  return { home: t("home"), blog: t("title") };
}

/** The title and description of a list page. Each page has its own. */
export async function listLabels(locale: Locale, page: number) {
  const t = await getTranslations({ locale, namespace: "blog" });
  if (page === 1) return { title: t("title"), description: t("description") };
  return { title: t("title_page", { page }), description: t("description_page", { page }) };
}
