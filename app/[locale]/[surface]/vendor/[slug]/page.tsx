import { notFound } from "next/navigation";
import { getFormatter, getTranslations } from "next-intl/server";
import { cache } from "react";
import { CategoryLinks } from "@/components/catalog/collections/category-links";
import { CollectionScreen } from "@/components/catalog/collections/collection-screen";
import { isPastLastPage } from "@/components/catalog/listing/pager";
import { parseListQuery } from "@/lib/catalog/listing/contract";
import { findVendorPage } from "@/lib/catalog/queries";
import { collectionJsonLd } from "@/lib/catalog/seo";
import { noteUnsettled } from "@/lib/platform/page-cache/tags";
import { type PageUrls, publicMetadata } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

type Props = PageProps<"slug">;
type Query = Awaited<PageProps["searchParams"]>;

const load = cache(async (slug: string, query: Query, location: PageUrls) => {
  const { locale } = location;
  const { list, plain } = parseListQuery(query);
  const page = (await findVendorPage(slug, list, locale)) ?? notFound();
  const t = await getTranslations({ locale, namespace: "catalog" });
  const format = await getFormatter({ locale });
  const categories = format.list(page.categories.map(({ category_name }) => category_name));
  const count = page.products.total;
  const description = t("vendor.description", { vendor: page.vendor, count, categories });
  return { ...page, description, list, plain, t };
});

export async function generateMetadata({ params, searchParams }: Props) {
  const location = await pageLocation(params);
  const { slug } = await params;
  const { vendor, description, plain, t } = await load(slug, await searchParams, location);
  const labels = { title: t("vendor.page_title", { vendor }), description };
  return publicMetadata(`/vendor/${slug}`, location, { ...labels, indexed: plain });
}

export default async function VendorPage({ params, searchParams }: Props) {
  const location = await pageLocation(params);
  const { slug } = await params;
  const view = await load(slug, await searchParams, location);
  const { vendor, description, products, list, t } = view;
  if (isPastLastPage({ ...list, total: products.total })) noteUnsettled();
  const path = `/vendor/${slug}`;
  const jsonLd = collectionJsonLd(
    { path, name: vendor, description, items: products.items, total: products.total, parents: [] },
    location,
    t("product.home"),
  );
  return (
    <CollectionScreen
      {...{ path, products, list, jsonLd }}
      title={vendor}
      text={description}
      images={view.images}
    >
      <CategoryLinks id="vendor-categories" title={t("vendor.categories")} categories={view.categories} />
    </CollectionScreen>
  );
}
