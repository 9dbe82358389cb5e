import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { MobileSearchScreen } from "@/components/catalog/search/search-screen.mobile";
import { parseSearchQuery } from "@/lib/catalog/listing/contract";
import { getSearchPage } from "@/lib/catalog/search/queries";
import { type PageProps, pageLocale } from "@/lib/platform/pages/page";

export async function generateMetadata({ params, searchParams }: PageProps): Promise<Metadata> {
  const t = await getTranslations({ locale: await pageLocale(params), namespace: "catalog.search" });
  const query = parseSearchQuery(await searchParams).search.keyword;
  return {
    title: query ? t("title_query", { query }) : t("page_results"),
    robots: { index: false, follow: true },
  };
}

export default async function SearchResultsPage({ params, searchParams }: PageProps) {
  const locale = await pageLocale(params);
  const query = parseSearchQuery(await searchParams);
  const view = await getSearchPage(query, locale, { blankIsAll: true });
  return <MobileSearchScreen path="/search-results" {...view} />;
}
