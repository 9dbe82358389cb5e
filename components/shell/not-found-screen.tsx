import type { Metadata } from "next";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { NotFoundSuggestions } from "@/components/shell/error-screen";
import { useSearchLabels } from "@/components/shell/search/search-labels";
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

/** The not-found page, served with status 404: a search, products that the address may have meant, and places to start. */
export function NotFoundScreen() {
  const t = useTranslations("ui.not_found");
  const links = useTranslations("ui.links");
  return (
    <Page narrow title={t("title")} lead={t("text")}>
      <NotFoundSuggestions search={useSearchLabels()} title={t("suggestions")} />
      <nav aria-label={t("explore")} className="pt-8">
        <h2 className="pb-3 text-21">{t("explore")}</h2>
        <ul className="flex flex-wrap gap-2">
          {EXPLORE.map(({ href, text }) => (
            <li key={href}>
              <ButtonLink href={href} look={href === "/" ? "primary" : "secondary"}>
                {text === "home" ? t("home") : links(text)}
              </ButtonLink>
            </li>
          ))}
        </ul>
      </nav>
    </Page>
  );
}

const EXPLORE = [
  { href: "/", text: "home" },
  { href: "/categories", text: "categories" },
  { href: "/top-trending", text: "trending" },
  { href: "/limited-offer", text: "offers" },
] as const;
