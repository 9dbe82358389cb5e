import { OffersScreen } from "@/components/catalog/listing/offers-screen";
import { listDiscountedProducts } from "@/lib/catalog/listing/list-products";
import { type PageProps, pageLocation, publicTitle } from "@/lib/platform/pages/page";

export const dynamic = "force-static";

export const generateMetadata = publicTitle("/limited-offer", {
  title: "catalog.offers.title",
  description: "catalog.offers.description",
});

export default async function OffersPage({ params }: PageProps) {
  const { locale } = await pageLocation(params);
  return <OffersScreen products={await listDiscountedProducts(locale)} />;
}
