import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ButtonLink } from "@/components/ui/button";
import { Page } from "@/components/ui/page";
import { DEFAULT_LOCALE, isLocale } from "@/lib/platform/i18n/locales";
import { respondNotFound } from "@/lib/platform/request-scope";

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

/**
 * Renders the not-found page with status 404, with its language and text in the first HTML. Next's `notFound()` sends an
 * empty document without a language, which a script fills; it remains where the server entry is absent.
 */
export function renderNotFound() {
  if (!respondNotFound()) notFound();
  return <NotFoundScreen />;
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
