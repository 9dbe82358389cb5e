import { getTranslations } from "next-intl/server";
import { BusinessScreen } from "@/components/merchants/business-screen";
import { publicMetadata } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

export async function generateMetadata({ params }: PageProps) {
  const location = await pageLocation(params);
  const t = await getTranslations({ locale: location.locale, namespace: "merchants" });
  const labels = { title: t("page_title"), description: t("description") };
  return publicMetadata("/business/register", location, labels);
}

export default async function BusinessPage({ params }: PageProps) {
  const { brand } = await pageLocation(params);
  return <BusinessScreen brand={brand} />;
}
