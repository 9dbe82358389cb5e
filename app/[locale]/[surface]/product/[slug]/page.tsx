import { cache } from "react";
import { productLabels } from "@/components/catalog/product/product-labels";
import { ProductScreen } from "@/components/catalog/product/product-screen";
import { NotFoundScreen, notFoundMetadata } from "@/components/shell/not-found-screen";
import { productId } from "@/lib/catalog/listing/contract";
import { findProductView } from "@/lib/catalog/queries";
import { productSeo } from "@/lib/catalog/seo";
import { noteQueries } from "@/lib/platform/page-cache/tags";
import type { PageUrls } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation, queryValue, respondNotFound } from "@/lib/platform/pages/page";

/** One of the two names the product: `id` below /product/detail, whose page.tsx is this one. */
type Props = PageProps<"slug" | "id">;
const load = cache(async (slug: string, id: string, location: PageUrls) => {
  const key = id ? { id: productId(id) } : { slug };
  const view = await findProductView({ ...key, locale: location.locale });
  if (!view) return null;
  const { vip_id: chosen, vip_options: plans } = view.product;
  noteQueries(...plans.flatMap(({ vip_id }) => (vip_id === chosen ? [] : [`?plan=${vip_id}` as const])));
  const seo = productSeo(view.product, location, await productLabels(location.locale), view.reviews);
  return { ...view, ...seo, surface: location.surface };
});
export async function generateMetadata({ params }: Props) {
  const { slug, id } = await params;
  return (await load(slug, id, await pageLocation(params)))?.metadata ?? notFoundMetadata({ params });
}
export default async function ProductPage({ params, searchParams }: Props) {
  const { slug, id } = await params;
  const view = await load(slug, id, await pageLocation(params));
  if (!view) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  return <ProductScreen {...view} plan={await queryValue(searchParams, "plan")} />;
}
