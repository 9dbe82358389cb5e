import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ButtonLink } from "@/components/ui/button";
import { Page } from "@/components/ui/page";
import { DEFAULT_LOCALE, isLocale } from "@/lib/platform/i18n/locales";

/** The metadata of the not-found page. Next renders it outside the layouts. */
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

/** The not-found page, served with status 404. */
export async function NotFoundScreen() {
  const t = await getTranslations("ui.not_found");
  return (
    <Page narrow title={t("title")} lead={t("text")}>
      <ButtonLink href="/" look="primary">
        {t("home")}
      </ButtonLink>
    </Page>
  );
}
