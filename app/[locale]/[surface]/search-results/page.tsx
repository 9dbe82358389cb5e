import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { MobileSearchScreen } from "@/components/catalog/search-screen.mobile";
import { readSearchQuery } from "@/lib/catalog/contract-page";
import { getSearchPage } from "@/lib/catalog/queries-search";
import { type PageProps, pageLocale } from "@/lib/page";

export async function generateMetadata({ params, searchParams }: PageProps): Promise<Metadata> {
  const t = await getTranslations({ locale: await pageLocale(params), namespace: "catalog.search" });
  const query = readSearchQuery(await searchParams).search.keyword;
  return {
    title: query ? t("title_query", { query }) : t("page_results"),
    robots: { index: false, follow: true },
  };
}

export default async function SearchResultsPage({ params, searchParams }: PageProps) {
  const locale = await pageLocale(params);
  const query = readSearchQuery(await searchParams);
  const view = await getSearchPage(query, locale, { blankIsAll: true });
  return <MobileSearchScreen path="/search-results" {...view} />;
}
