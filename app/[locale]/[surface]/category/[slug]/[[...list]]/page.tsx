import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { CategoryLinks } from "@/components/catalog/collections/category-links";
import { CollectionScreen } from "@/components/catalog/collections/collection-screen";
import { isPastLastPage } from "@/components/catalog/listing/pager";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { parseListQuery } from "@/lib/catalog/listing/contract";
import { findCategoryPage } from "@/lib/catalog/listing/find-category-page";
import { collectionJsonLd } from "@/lib/catalog/seo";
import { doNotCache } from "@/lib/platform/page-cache/tags";
import { type ListPageProps, type ListQuery, listQuery } from "@/lib/platform/pages/list-path";
import { type PageUrls, publicMetadata } from "@/lib/platform/pages/metadata";
import { notFoundMetadata } from "@/lib/platform/pages/not-found-metadata";
import { pageLocation, respondNotFound } from "@/lib/platform/pages/page";

type Props = ListPageProps<"slug">;

export const dynamic = "force-static";

const load = cache(async (slug: string, query: ListQuery | null, location: PageUrls) => {
  if (!query) return null;
  const { list, plain } = parseListQuery(query);
  const page = await findCategoryPage(slug, list, location.locale);
  if (!page) return null;
  const t = await getTranslations({ locale: location.locale, namespace: "catalog" });
  const { category_name: name, text, total } = page.category;
  const description = text ?? t("category.description", { name, count: total });
  return { ...page, name, description, list, plain, t };
});

export async function generateMetadata({ params }: Props) {
  const location = await pageLocation(params);
  const { slug, list } = await params;
  const view = await load(slug, listQuery(list), location);
  if (!view) return notFoundMetadata({ params });
  const { name, description, plain, t } = view;
  const labels = { title: t("category.page_title", { name }), description };
  return publicMetadata(`/category/${slug}`, location, { ...labels, indexed: plain });
}

export default async function CategoryPage({ params }: Props) {
  const location = await pageLocation(params);
  const { slug, list: segments } = await params;
  const view = await load(slug, listQuery(segments), location);
  if (!view) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const { name, description, products, list, t } = view;
  if (isPastLastPage({ ...list, total: products.total })) doNotCache();
  const path = `/category/${slug}`;
  const parent = { text: t("categories.title"), href: "/categories" };
  const jsonLd = collectionJsonLd(
    {
      ...{ path, name, description, items: products.items, total: products.total },
      parents: [{ path: parent.href, name: parent.text }],
    },
    location,
    t("product.home"),
  );
  return (
    <CollectionScreen
      {...{ path, parent, products, list, jsonLd }}
      title={name}
      text={description}
      filtered={{ category: slug }}
      images={view.category.images}
    >
      <CategoryLinks id="other-categories" title={t("category.others")} categories={view.others} />
    </CollectionScreen>
  );
}
