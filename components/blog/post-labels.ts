import { getTranslations } from "next-intl/server";
import type { Locale } from "@/lib/platform/i18n/locales";

/** The names of the pages above a post, for its markup. */
export async function blogLabels(locale: Locale): Promise<{ home: string; blog: string }> {
  const t = await getTranslations({ locale, namespace: "blog" });
  return { home: t("home"), blog: t("title") };
}

/** Title and description of a page of the list, each page its own. */
export async function listLabels(
  locale: Locale,
  page: number,
): Promise<{ title: string; description: string }> {
  const t = await getTranslations({ locale, namespace: "blog" });
  if (page === 1) return { title: t("title"), description: t("description") };
  return { title: t("title_page", { page }), description: t("description_page", { page }) };
}
