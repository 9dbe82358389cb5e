import { getTranslations } from "next-intl/server";
import { HomeScreen } from "@/components/catalog/home/home-screen";
import { getHomePage } from "@/lib/catalog/listing/queries-home";
import { shopJsonLd } from "@/lib/catalog/seo";
import { publicMetadata } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

export async function generateMetadata({ params }: PageProps) {
  const place = await pageLocation(params);
  const t = await getTranslations({ locale: place.locale, namespace: "catalog.home" });
  return publicMetadata("/", place, { description: t("description") });
}

export default async function HomePage({ params }: PageProps) {
  const place = await pageLocation(params);
  const home = await getHomePage(place.locale);
  return <HomeScreen home={home} surface={place.surface} jsonLd={shopJsonLd(place)} />;
}
