import { getTranslations } from "next-intl/server";
import { isPastLastPage } from "@/components/catalog/listing/pager";
import { TrendingScreen } from "@/components/catalog/listing/trending-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { parseListQuery } from "@/lib/catalog/listing/contract";
import { listProducts } from "@/lib/catalog/listing/list-products";
import { doNotCache } from "@/lib/platform/page-cache/tags";
import { type ListPageProps, listQuery } from "@/lib/platform/pages/list-path";
import { publicMetadata } from "@/lib/platform/pages/metadata";
import { notFoundMetadata } from "@/lib/platform/pages/not-found-metadata";
import { pageLocation, respondNotFound } from "@/lib/platform/pages/page";

export const dynamic = "force-static";

export async function generateMetadata({ params }: ListPageProps) {
  const location = await pageLocation(params);
  const query = listQuery((await params).list);
  if (!query) return notFoundMetadata({ params });
  const t = await getTranslations({ locale: location.locale, namespace: "catalog.trending" });
  const labels = { title: t("title"), description: t("description") };
  return publicMetadata("/top-trending", location, { ...labels, indexed: parseListQuery(query).plain });
}

export default async function TrendingPage({ params }: ListPageProps) {
  const { locale } = await pageLocation(params);
  const query = listQuery((await params).list);
  if (!query) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const { list } = parseListQuery(query);
  const products = await listProducts(list, locale);
  if (isPastLastPage({ ...list, total: products.total })) doNotCache(); // hundreds of addresses for one text
  return <TrendingScreen products={products} list={list} />;
}
