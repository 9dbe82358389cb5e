import { getTranslations } from "next-intl/server";
import { BusinessScreen } from "@/components/merchants/business-screen";
import { publicMetadata } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocale } from "@/lib/platform/pages/page";
import { pageUrls } from "@/lib/platform/pages/page-urls";

export async function generateMetadata({ params }: PageProps) {
  const place = pageUrls(await pageLocale(params), "mobile");
  const t = await getTranslations({ locale: place.locale, namespace: "merchants" });
  const labels = { title: t("page_title"), description: t("description") };
  return publicMetadata("/business/register", place, labels);
}

export default async function BusinessPage({ params }: PageProps) {
  const { brand } = pageUrls(await pageLocale(params), "mobile");
  return <BusinessScreen brand={brand} />;
}
