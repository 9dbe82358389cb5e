import { notFound } from "next/navigation";
import { cache } from "react";
import { productLabels } from "@/components/catalog/product/product-labels";
import { ProductScreen } from "@/components/catalog/product/product-screen";
import { productId } from "@/lib/catalog/listing/contract";
import { findProductView } from "@/lib/catalog/queries";
import { productSeo } from "@/lib/catalog/seo";
import type { PageUrls } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation, queryValue } from "@/lib/platform/pages/page";

type Props = PageProps<"id">;
const load = cache(async (id: string, location: PageUrls) => {
  const view = (await findProductView({ id: productId(id), locale: location.locale })) ?? notFound();
  const seo = productSeo(view.product, location, await productLabels(location.locale), view.reviews);
  return { ...view, ...seo, surface: location.surface };
});
export async function generateMetadata({ params }: Props) {
  return (await load((await params).id, await pageLocation(params))).metadata;
}
export default async function ProductPage({ params, searchParams }: Props) {
  const view = await load((await params).id, await pageLocation(params));
  return <ProductScreen {...view} plan={await queryValue(searchParams, "plan")} />;
}
