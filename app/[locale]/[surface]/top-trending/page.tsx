import { getTranslations } from "next-intl/server";
import { isPastLastPage } from "@/components/catalog/listing/pager";
import { TrendingScreen } from "@/components/catalog/listing/trending-screen";
import { parseListQuery } from "@/lib/catalog/listing/contract";
import { listProducts } from "@/lib/catalog/queries";
import { noteUnsettled } from "@/lib/platform/page-cache/tags";
import { publicMetadata } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

export async function generateMetadata({ params, searchParams }: PageProps) {
  const location = await pageLocation(params);
  const t = await getTranslations({ locale: location.locale, namespace: "catalog.trending" });
  const labels = { title: t("title"), description: t("description") };
  const indexed = parseListQuery(await searchParams).plain;
  return publicMetadata("/top-trending", location, { ...labels, indexed });
}

export default async function TrendingPage({ params, searchParams }: PageProps) {
  const { locale } = await pageLocation(params);
  const { list } = parseListQuery(await searchParams);
  const products = await listProducts(list, locale);
  if (isPastLastPage({ ...list, total: products.total })) noteUnsettled(); // hundreds of addresses for one text
  return <TrendingScreen products={products} list={list} />;
}
