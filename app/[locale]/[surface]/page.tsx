import { getTranslations } from "next-intl/server";
import { HomeScreen } from "@/components/catalog/home/home-screen";
import { getHomePage } from "@/lib/catalog/listing/queries-home";
import { shopJsonLd } from "@/lib/catalog/seo";
import { publicMetadata } from "@/lib/platform/pages/metadata";
import { pagePlace, type PageProps } from "@/lib/platform/pages/page";

export async function generateMetadata({ params }: PageProps) {
  const { locale } = await pagePlace(params);
  const t = await getTranslations({ locale, namespace: "catalog.home" });
  return publicMetadata("/", pagePlace(locale, "desktop"), { description: t("description") });
}

export default async function HomePage({ params }: PageProps) {
  const { locale } = await pagePlace(params);
  const jsonLd = shopJsonLd(pagePlace(locale, "desktop"));
  return <HomeScreen home={await getHomePage(locale)} surface="desktop" jsonLd={jsonLd} />;
}
