import { getTranslations } from "next-intl/server";
import { OffersScreen } from "@/components/catalog/listing/offers-screen";
import { listDiscountedProducts } from "@/lib/catalog/queries";
import { publicMetadata } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

export async function generateMetadata({ params }: PageProps) {
  const location = await pageLocation(params);
  const t = await getTranslations({ locale: location.locale, namespace: "catalog.offers" });
  const labels = { title: t("title"), description: t("description") };
  return publicMetadata("/limited-offer", location, labels);
}

export default async function OffersPage({ params }: PageProps) {
  const { locale } = await pageLocation(params);
  return <OffersScreen products={await listDiscountedProducts(locale)} />;
}
