import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { SearchScreen } from "@/components/catalog/search/search-screen";
import { parseSearchQuery } from "@/lib/catalog/listing/contract";
import { getSearchPage } from "@/lib/catalog/search/get-search-page";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

export async function generateMetadata({ params, searchParams }: PageProps): Promise<Metadata> {
  const { locale } = await pageLocation(params);
  const t = await getTranslations({ locale, namespace: "catalog.search" });
  const query = parseSearchQuery(await searchParams).search.keyword;
  const descriptions = await getTranslations({ locale, namespace: "ui.descriptions" });
  const title = query ? t("title_query", { query }) : t("title");
  return { title, description: descriptions("search"), robots: { index: false, follow: true } };
}

export default async function SearchPage({ params, searchParams }: PageProps) {
  const { locale, surface } = await pageLocation(params);
  const view = await getSearchPage(parseSearchQuery(await searchParams), locale);
  return <SearchScreen path="/search" surface={surface} {...view} />;
}
