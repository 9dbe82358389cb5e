import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { CategoryLinks } from "@/components/catalog/collections/category-links";
import { CollectionScreen } from "@/components/catalog/collections/collection-screen";
import { isPastLastPage } from "@/components/catalog/listing/pager";
import { parseListQuery } from "@/lib/catalog/listing/contract";
import { findCategoryPage } from "@/lib/catalog/queries";
import { collectionJsonLd } from "@/lib/catalog/seo";
import { noteUnsettled } from "@/lib/platform/page-cache/tags";
import { type PageUrls, publicMetadata } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

type Props = PageProps<"slug">;
type Query = Awaited<PageProps["searchParams"]>;

const load = cache(async (slug: string, query: Query, location: PageUrls) => {
  const { list, plain } = parseListQuery(query);
  const page = (await findCategoryPage(slug, list, location.locale)) ?? notFound();
  const t = await getTranslations({ locale: location.locale, namespace: "catalog" });
  const { category_name: name, text, total } = page.category;
  const description = text ?? t("category.description", { name, count: total });
  return { ...page, name, description, list, plain, t };
});

export async function generateMetadata({ params, searchParams }: Props) {
  const location = await pageLocation(params);
  const { slug } = await params;
  const { name, description, plain, t } = await load(slug, await searchParams, location);
  const labels = { title: t("category.page_title", { name }), description };
  return publicMetadata(`/category/${slug}`, location, { ...labels, indexed: plain });
}

export default async function CategoryPage({ params, searchParams }: Props) {
  const location = await pageLocation(params);
  const { slug } = await params;
  const view = await load(slug, await searchParams, location);
  const { name, description, products, list, t } = view;
  if (isPastLastPage({ ...list, total: products.total })) noteUnsettled();
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
      images={view.category.images}
    >
      <CategoryLinks id="other-categories" title={t("category.others")} categories={view.others} />
    </CollectionScreen>
  );
}
