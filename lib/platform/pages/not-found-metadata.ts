import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { DEFAULT_LOCALE, isLocale } from "@/lib/platform/i18n/locales";

/**
 * The metadata of the not-found page. Next renders it outside the layouts. Separate from its screen, because every page
 * loads the scripts of the root's `not-found` file.
 */
export async function notFoundMetadata({
  params,
}: {
  params: Promise<{ locale?: string }>;
}): Promise<Metadata> {
  const { locale } = await params;
  const t = await getTranslations({
    locale: isLocale(locale) ? locale : DEFAULT_LOCALE,
    namespace: "ui.not_found",
  });
  return { title: t("title"), robots: { index: false } };
}
