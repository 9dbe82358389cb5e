import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { SearchScreen } from "@/components/catalog/search/search-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { parseSearchQuery } from "@/lib/catalog/listing/contract";
import { getSearchPage } from "@/lib/catalog/search/get-search-page";
import { notFoundMetadata } from "@/lib/platform/pages/not-found-metadata";
import { type PageProps, pageLocation, respondNotFound } from "@/lib/platform/pages/page";

/** The mobile list of results. Without a query it lists all products. It has no desktop page (lib/platform/routing/routes.ts). */
export async function generateMetadata({ params, searchParams }: PageProps): Promise<Metadata> {
  const { locale, surface } = await pageLocation(params);
  if (surface !== "mobile") return notFoundMetadata({ params });
  const t = await getTranslations({ locale, namespace: "catalog.search" });
  const query = parseSearchQuery(await searchParams).search.keyword;
  const descriptions = await getTranslations({ locale, namespace: "ui.descriptions" });
  return {
    description: descriptions("search_results"),
    title: query ? t("title_query", { query }) : t("page_results"),
    robots: { index: false, follow: true },
  };
}

export default async function SearchResultsPage({ params, searchParams }: PageProps) {
  const { locale, surface } = await pageLocation(params);
  if (surface !== "mobile") {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const view = await getSearchPage(parseSearchQuery(await searchParams), locale, { blankIsAll: true });
  return <SearchScreen path="/search-results" surface={surface} {...view} />;
}
