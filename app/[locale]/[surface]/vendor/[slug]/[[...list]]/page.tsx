import { getFormatter, getTranslations } from "next-intl/server";
import { cache } from "react";
import { CategoryLinks } from "@/components/catalog/collections/category-links";
import { CollectionScreen } from "@/components/catalog/collections/collection-screen";
import { isPastLastPage } from "@/components/catalog/listing/pager";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { parseListQuery } from "@/lib/catalog/listing/contract";
import { findVendorPage } from "@/lib/catalog/listing/list-product-range";
import { collectionJsonLd } from "@/lib/catalog/seo";
import { doNotCache } from "@/lib/platform/page-cache/tags";
import { type ListPageProps, type ListQuery, listQuery } from "@/lib/platform/pages/list-path";
import { type PageUrls, publicMetadata } from "@/lib/platform/pages/metadata";
import { notFoundMetadata } from "@/lib/platform/pages/not-found-metadata";
import { pageLocation, respondNotFound } from "@/lib/platform/pages/page";

type Props = ListPageProps<"slug">;

export const dynamic = "force-static";

const load = cache(async (slug: string, query: ListQuery | null, location: PageUrls) => {
  const { locale } = location;
  if (!query) return null;
  const { list, plain } = parseListQuery(query);
  const page = await findVendorPage(slug, list, locale);
  if (!page) return null;
  const t = await getTranslations({ locale, namespace: "catalog" });
  const format = await getFormatter({ locale });
  const categories = format.list(page.categories.map(({ category_name }) => category_name));
  const count = page.products.total;
  const description = t("vendor.description", { vendor: page.vendor, count, categories });
  return { ...page, description, list, plain, t };
});

export async function generateMetadata({ params }: Props) {
  const location = await pageLocation(params);
  const { slug, list } = await params;
  const view = await load(slug, listQuery(list), location);
  if (!view) return notFoundMetadata({ params });
  const { vendor, description, plain, t } = view;
  const labels = { title: t("vendor.page_title", { vendor }), description };
  return publicMetadata(`/vendor/${slug}`, location, { ...labels, indexed: plain });
}

export default async function VendorPage({ params }: Props) {
  const location = await pageLocation(params);
  const { slug, list: segments } = await params;
  const view = await load(slug, listQuery(segments), location);
  if (!view) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const { vendor, description, products, list, t } = view;
  if (isPastLastPage({ ...list, total: products.total })) doNotCache();
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
      filtered={{ q: vendor }}
      images={view.images}
    >
      <CategoryLinks id="vendor-categories" title={t("vendor.categories")} categories={view.categories} />
    </CollectionScreen>
  );
}
