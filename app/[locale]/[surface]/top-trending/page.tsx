import { getTranslations } from "next-intl/server";
import { TrendingScreen } from "@/components/catalog/trending-screen";
import { readListQuery } from "@/lib/catalog/contract-page";
import { listProducts } from "@/lib/catalog/queries";
import { type PageProps, pageLocale } from "@/lib/page";
import { publicMetadata } from "@/lib/page-metadata";
import { pagePlace } from "@/lib/page-place";

export async function generateMetadata({ params, searchParams }: PageProps) {
  const locale = await pageLocale(params);
  const t = await getTranslations({ locale, namespace: "catalog.trending" });
  const words = { title: t("title"), description: t("description") };
  const indexed = readListQuery(await searchParams).plain;
  return publicMetadata("/top-trending", pagePlace(locale, "desktop"), { ...words, indexed });
}

export default async function TrendingPage({ params, searchParams }: PageProps) {
  const locale = await pageLocale(params);
  const { list } = readListQuery(await searchParams);
  return <TrendingScreen products={await listProducts(list, locale)} list={list} />;
}
