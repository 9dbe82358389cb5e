import { cache } from "react";
import { ProductButton } from "@/components/cart/product-button";
import { productLabels } from "@/components/catalog/product/product-labels";
import { ProductScreen } from "@/components/catalog/product/product-screen";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { productId } from "@/lib/catalog/listing/contract";
import { findProductView } from "@/lib/catalog/product/find-product-view";
import { productSeo } from "@/lib/catalog/seo";
import { findSellerFigures } from "@/lib/merchants/seller/find-seller-figures";
import { taxSettings } from "@/lib/payments/tax/tax-settings";
import { doNotCache } from "@/lib/platform/page-cache/tags";
import type { PageUrls } from "@/lib/platform/pages/metadata";
import { notFoundMetadata } from "@/lib/platform/pages/not-found-metadata";
import { type PageProps, pageLocation, respondNotFound } from "@/lib/platform/pages/page";

/**
 * One of `slug` and `id` names the product: `id` below /product/detail, whose page.tsx is this one. `plan` is `?plan=` of the
 * address (next.config.ts).
 */
type Props = { params: Promise<Awaited<PageProps<"slug" | "id">["params"]> & { plan?: string[] }> };

export const dynamic = "force-static";

const load = cache(async (slug: string, id: string, location: PageUrls) => {
  const key = id ? { id: productId(id) } : { slug };
  const view = await findProductView({ ...key, locale: location.locale });
  if (!view) return null;
  const figures = await findSellerFigures(view.product.seller.handle);
  const seo = productSeo(view.product, location, await productLabels(location.locale), view.reviews);
  return { ...view, ...seo, figures, surface: location.surface };
});

async function loadPage(params: Props["params"]) {
  const location = await pageLocation(params);
  const { slug, id, plan: [plan, ...rest] = [] } = await params;
  const view = rest.length === 0 ? await load(slug, id, location) : null;
  return view && { ...view, plan };
}

export async function generateMetadata({ params }: Props) {
  return (await loadPage(params))?.metadata ?? notFoundMetadata({ params });
}

export default async function ProductPage({ params }: Props) {
  const view = await loadPage(params);
  if (!view) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  // Any number may stand in the address.
  if (view.plan && !view.product.vip_options.some(({ vip_id }) => String(vip_id) === view.plan)) doNotCache();
  const button = <ProductButton product={view.product} brief={view.surface === "mobile"} />;
  const settings = taxSettings();
  const tax = settings && (settings.pricesWithoutTax ? "added_unknown" : "included_unknown");
  return <ProductScreen {...view} buyButton={button} tax={tax} />;
}
