import { notFound } from "next/navigation";
import { cache } from "react";
import { productLabels } from "@/components/catalog/product/product-labels";
import { ProductScreen } from "@/components/catalog/product/product-screen";
import { productId } from "@/lib/catalog/listing/contract";
import { findProductView } from "@/lib/catalog/product/queries";
import { productSeo } from "@/lib/catalog/seo";
import type { Locale } from "@/lib/platform/i18n/locales";
import { type PageProps, pageLocale, queryValue } from "@/lib/platform/pages/page";
import { pageUrls } from "@/lib/platform/pages/page-urls";

type Props = PageProps & { params: Promise<{ locale: string; id: string }> };
const load = cache(async (id: string, locale: Locale) => {
  const view = (await findProductView({ id: productId(id), locale })) ?? notFound();
  const labels = await productLabels(locale);
  return { ...view, ...productSeo(view.product, pageUrls(locale, "desktop"), labels, view.reviews) };
});
export async function generateMetadata({ params }: Props) {
  return (await load((await params).id, await pageLocale(params))).metadata;
}
export default async function ProductPage({ params, searchParams }: Props) {
  const view = await load((await params).id, await pageLocale(params));
  return <ProductScreen {...view} plan={await queryValue(searchParams, "plan")} />;
}
