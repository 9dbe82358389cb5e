import { notFound } from "next/navigation";
import { cache } from "react";
import { productLabels } from "@/components/catalog/product/product-labels";
import { ProductScreen } from "@/components/catalog/product/product-screen";
import { findProductView } from "@/lib/catalog/queries";
import { productSeo } from "@/lib/catalog/seo";
import type { PageUrls } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation, queryValue } from "@/lib/platform/pages/page";

type Props = PageProps<"slug">;
const load = cache(async (slug: string, location: PageUrls) => {
  const view = (await findProductView({ slug, locale: location.locale })) ?? notFound();
  const seo = productSeo(view.product, location, await productLabels(location.locale), view.reviews);
  return { ...view, ...seo, surface: location.surface };
});
export async function generateMetadata({ params }: Props) {
  return (await load((await params).slug, await pageLocation(params))).metadata;
}
export default async function ProductPage({ params, searchParams }: Props) {
  const view = await load((await params).slug, await pageLocation(params));
  return <ProductScreen {...view} plan={await queryValue(searchParams, "plan")} />;
}
