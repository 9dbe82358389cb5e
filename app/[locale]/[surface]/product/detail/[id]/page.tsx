import { notFound } from "next/navigation";
import { cache } from "react";
import { productLabels } from "@/components/catalog/product/product-labels";
import { ProductScreen } from "@/components/catalog/product/product-screen";
import { productId } from "@/lib/catalog/listing/contract";
import { findProductView } from "@/lib/catalog/product/queries";
import { productSeo } from "@/lib/catalog/seo";
import { type PageProps, pageLocation, queryValue } from "@/lib/platform/pages/page";

type Props = PageProps<"id">;
const load = cache(async (params: Props["params"]) => {
  const [{ id }, place] = [await params, await pageLocation(params)];
  const view = (await findProductView({ id: productId(id), locale: place.locale })) ?? notFound();
  const seo = productSeo(view.product, place, await productLabels(place.locale), view.reviews);
  return { ...view, ...seo, surface: place.surface };
});
export async function generateMetadata({ params }: Props) {
  return (await load(params)).metadata;
}
export default async function ProductPage({ params, searchParams }: Props) {
  return <ProductScreen {...(await load(params))} plan={await queryValue(searchParams, "plan")} />;
}
