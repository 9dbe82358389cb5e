import { getTranslations } from "next-intl/server";
import type { Locale } from "@/lib/i18n";

/** The names of the pages above a post, for its markup. */
export async function blogWords(locale: Locale): Promise<{ home: string; blog: string }> {
  const t = await getTranslations({ locale, namespace: "blog" });
  return { home: t("home"), blog: t("title") };
}
