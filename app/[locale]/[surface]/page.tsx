import { getTranslations } from "next-intl/server";
import { HomeScreen } from "@/components/catalog/home/home-screen";
import { getHomePage } from "@/lib/catalog/listing/queries-home";
import { shopJsonLd } from "@/lib/catalog/seo";
import { publicMetadata } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

export async function generateMetadata({ params }: PageProps) {
  const location = await pageLocation(params);
  const t = await getTranslations({ locale: location.locale, namespace: "catalog.home" });
  return publicMetadata("/", location, { description: t("description") });
}

export default async function HomePage({ params }: PageProps) {
  const location = await pageLocation(params);
  const home = await getHomePage(location.locale);
  return <HomeScreen home={home} surface={location.surface} jsonLd={shopJsonLd(location)} />;
}
