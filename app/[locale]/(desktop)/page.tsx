import { getTranslations } from "next-intl/server";
import { HomeScreen } from "@/components/catalog/home/home-screen";
import { getHomePage } from "@/lib/catalog/listing/queries-home";
import { shopJsonLd } from "@/lib/catalog/seo";
import { publicMetadata } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocale } from "@/lib/platform/pages/page";
import { pageUrls } from "@/lib/platform/pages/page-urls";

export async function generateMetadata({ params }: PageProps) {
  const locale = await pageLocale(params);
  const t = await getTranslations({ locale, namespace: "catalog.home" });
  return publicMetadata("/", pageUrls(locale, "desktop"), { description: t("description") });
}

export default async function HomePage({ params }: PageProps) {
  const locale = await pageLocale(params);
  const jsonLd = shopJsonLd(pageUrls(locale, "desktop"));
  return <HomeScreen home={await getHomePage(locale)} surface="desktop" jsonLd={jsonLd} />;
}
