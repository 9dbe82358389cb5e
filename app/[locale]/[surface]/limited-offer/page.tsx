import { getTranslations } from "next-intl/server";
import { OffersScreen } from "@/components/catalog/listing/offers-screen";
import { listDiscountedProducts } from "@/lib/catalog/queries";
import { publicMetadata } from "@/lib/platform/pages/metadata";
import { type PageProps, pagePlace } from "@/lib/platform/pages/page";

export async function generateMetadata({ params }: PageProps) {
  const place = await pagePlace(params);
  const t = await getTranslations({ locale: place.locale, namespace: "catalog.offers" });
  const words = { title: t("title"), description: t("description") };
  return publicMetadata("/limited-offer", place, words);
}

export default async function OffersPage({ params }: PageProps) {
  const { locale } = await pagePlace(params);
  return <OffersScreen products={await listDiscountedProducts(locale)} />;
}
