import { getTranslations } from "next-intl/server";
import { OffersScreen } from "@/components/catalog/listing/offers-screen";
import { listDiscountedProducts } from "@/lib/catalog/queries";
import { publicMetadata } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocale } from "@/lib/platform/pages/page";
import { pageUrls } from "@/lib/platform/pages/page-urls";

export async function generateMetadata({ params }: PageProps) {
  const locale = await pageLocale(params);
  const t = await getTranslations({ locale, namespace: "catalog.offers" });
  const labels = { title: t("title"), description: t("description") };
  return publicMetadata("/limited-offer", pageUrls(locale, "desktop"), labels);
}

export default async function OffersPage({ params }: PageProps) {
  const locale = await pageLocale(params);
  return <OffersScreen products={await listDiscountedProducts(locale)} />;
}
