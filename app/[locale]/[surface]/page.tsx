import { getTranslations } from "next-intl/server";
import { HomeScreen } from "@/components/catalog/home-screen";
import { getHomePage } from "@/lib/catalog/queries-home";
import { shopJsonLd } from "@/lib/catalog/seo";
import { type PageProps, pageLocale } from "@/lib/page";
import { publicMetadata } from "@/lib/page-metadata";
import { pagePlace } from "@/lib/page-place";

export async function generateMetadata({ params }: PageProps) {
  const locale = await pageLocale(params);
  const t = await getTranslations({ locale, namespace: "catalog.home" });
  return publicMetadata("/", pagePlace(locale, "desktop"), { description: t("description") });
}

export default async function HomePage({ params }: PageProps) {
  const locale = await pageLocale(params);
  const jsonLd = shopJsonLd(pagePlace(locale, "desktop"));
  return <HomeScreen home={await getHomePage(locale)} surface="desktop" jsonLd={jsonLd} />;
}
