import { notFound } from "next/navigation";
import { cache } from "react";
import { productLabels } from "@/components/catalog/product/product-labels";
import { MobileProductScreen } from "@/components/catalog/product/product-screen.mobile";
import { findProductView } from "@/lib/catalog/product/queries";
import { productSeo } from "@/lib/catalog/seo";
import type { Locale } from "@/lib/platform/i18n/locales";
import { type PageProps, pageLocale, queryValue } from "@/lib/platform/pages/page";
import { pageUrls } from "@/lib/platform/pages/page-urls";

type Props = PageProps & { params: Promise<{ locale: string; slug: string }> };
const load = cache(async (slug: string, locale: Locale) => {
  const view = await findProductView({ slug, locale });
  if (!view) notFound();
  const labels = await productLabels(locale);
  return { ...view, ...productSeo(view.product, pageUrls(locale, "mobile"), labels, view.reviews) };
});
export async function generateMetadata({ params }: Props) {
  return (await load((await params).slug, await pageLocale(params))).metadata;
}
export default async function ProductPage({ params, searchParams }: Props) {
  const view = await load((await params).slug, await pageLocale(params));
  return <MobileProductScreen {...view} plan={await queryValue(searchParams, "plan")} />;
}
