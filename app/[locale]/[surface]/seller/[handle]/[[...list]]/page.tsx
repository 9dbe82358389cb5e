import { getFormatter, getTranslations } from "next-intl/server";
import { cache } from "react";
import { CategoryLinks } from "@/components/catalog/collections/category-links";
import { CollectionScreen } from "@/components/catalog/collections/collection-screen";
import { isPastLastPage } from "@/components/catalog/listing/pager";
import { SellerFacts } from "@/components/merchants/seller/seller-facts";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { parseListQuery } from "@/lib/catalog/listing/contract";
import { collectionJsonLd } from "@/lib/catalog/seo";
import { findSellerPage } from "@/lib/merchants/seller/find-seller-page";
import { sellerJsonLd } from "@/lib/merchants/seller/seo";
import { doNotCache } from "@/lib/platform/page-cache/tags";
import { type ListPageProps, type ListQuery, listQuery } from "@/lib/platform/pages/list-path";
import { type PageUrls, publicMetadata } from "@/lib/platform/pages/metadata";
import { notFoundMetadata } from "@/lib/platform/pages/not-found-metadata";
import { pageLocation, respondNotFound } from "@/lib/platform/pages/page";

type Props = ListPageProps<"handle">;

export const dynamic = "force-static";

const load = cache(async (handle: string, query: ListQuery | null, location: PageUrls) => {
  const { locale, brand } = location;
  if (!query) return null;
  const { list, plain } = parseListQuery(query);
  const page = await findSellerPage(handle, list, locale);
  if (!page) return null;
  const t = await getTranslations({ locale, namespace: "merchants.seller" });
  const format = await getFormatter({ locale });
  const { name } = page.seller;
  const count = page.products.total;
  const categories = format.list(page.categories.map(({ category_name }) => category_name));
  const description =
    count === 0
      ? t("description_empty", { name, brand })
      : t("description", { name, brand, count, categories });
  return { ...page, description, list, plain, t };
});

export async function generateMetadata({ params }: Props) {
  const location = await pageLocation(params);
  const { handle, list } = await params;
  const view = await load(handle, listQuery(list), location);
  if (!view) return notFoundMetadata({ params });
  const { seller, products, description, plain, t } = view;
  const labels = { title: t("page_title", { name: seller.name }), description };
  return publicMetadata(`/seller/${seller.handle}`, location, {
    ...labels,
    indexed: plain && products.total > 0,
  });
}

export default async function SellerPage({ params }: Props) {
  const location = await pageLocation(params);
  const { handle, list: segments } = await params;
  const found = await load(handle, listQuery(segments), location);
  if (!found) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const { seller, products, description, list, t, ...view } = found;
  if (isPastLastPage({ ...list, total: products.total })) doNotCache();
  const catalog = await getTranslations({ locale: location.locale, namespace: "catalog" });
  const path = `/seller/${seller.handle}`;
  const { items, total } = products;
  const collection = { path, name: seller.name, description, items, total, parents: [] };
  return (
    <CollectionScreen
      {...{ path, products, list }}
      jsonLd={[
        sellerJsonLd(seller, location),
        ...collectionJsonLd(collection, location, catalog("product.home")),
      ]}
      title={seller.name}
      text={seller.text ?? description}
      lang={seller.text !== null && seller.language !== location.locale ? seller.language : undefined}
      filtered={{ seller: seller.handle }}
      images={view.images}
      facts={<SellerFacts seller={seller} />}
      empty={t("empty")}
    >
      <CategoryLinks id="seller-categories" title={t("categories")} categories={view.categories} />
    </CollectionScreen>
  );
}
