import { getTranslations } from "next-intl/server";
import { OffersScreen } from "@/components/catalog/offers-screen";
import { listDiscountedProducts } from "@/lib/catalog/queries";
import { type PageProps, pageLocale } from "@/lib/page";
import { publicMetadata } from "@/lib/page-metadata";
import { pagePlace } from "@/lib/page-place";

export async function generateMetadata({ params }: PageProps) {
  const locale = await pageLocale(params);
  const t = await getTranslations({ locale, namespace: "catalog.offers" });
  const words = { title: t("title"), description: t("description") };
  return publicMetadata("/limited-offer", pagePlace(locale, "desktop"), words);
}

export default async function OffersPage({ params }: PageProps) {
  const locale = await pageLocale(params);
  return <OffersScreen products={await listDiscountedProducts(locale)} />;
}
