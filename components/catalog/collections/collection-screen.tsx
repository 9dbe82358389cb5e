import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ComparableProducts } from "@/components/catalog/compare/comparable-products";
import { ListControls } from "@/components/catalog/listing/list-controls";
import { isPastLastPage, Pager, PastLastPage } from "@/components/catalog/listing/pager";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Page } from "@/components/ui/page";
import type { ListProductsInput, ProductList } from "@/lib/catalog/contract";
import { CollectionArt } from "./collection-art";

type CollectionView = {
  path: string;
  /** The parent page besides home. */
  parent?: { text: string; href: string };
  title: string;
  text: string;
  images: readonly string[];
  products: ProductList;
  list: Pick<ListProductsInput, "sort" | "page" | "size">;
  jsonLd: unknown;
  /** The search fields that all its products match, with which filters continue in the search. */
  filtered: Readonly<Record<string, string>>;
  /** The language of the text, where it differs from the page's. */
  lang?: string;
  /** Below the text. */
  facts?: ReactNode;
  /** Instead of an empty list. */
  empty?: string;
  /** Links below the list. */
  children?: ReactNode;
};

/** The page of a category, vendor or merchant: artwork and text, then its products with sort and paging. */
export function CollectionScreen({
  path,
  parent,
  title,
  text,
  images,
  products,
  list,
  jsonLd,
  filtered,
  lang,
  facts,
  empty,
  children,
}: CollectionView) {
  const t = useTranslations("catalog");
  const { sort, page, size } = list;
  const query: Record<string, string> = sort === "recommend" ? {} : { sort };
  const pagination = { path, query, page, size, total: products.total };
  return (
    <Page
      jsonLd={jsonLd}
      above={
        <Breadcrumb
          label={t("product.path")}
          items={[{ text: t("product.home"), href: "/" }, ...(parent ? [parent] : []), { text: title }]}
        />
      }
    >
      <header className="collection-head">
        <CollectionArt images={images} first />
        <div className="max-w-text">
          <h1 className="text-28 md:text-40">{title}</h1>
          <p className="pt-2 text-17" lang={lang}>
            {text}
          </p>
          {facts}
        </div>
      </header>
      {isPastLastPage(pagination) && <PastLastPage {...pagination} />}
      {empty && products.total === 0 && <p className="text-quiet">{empty}</p>}
      {!isPastLastPage(pagination) && !(empty && products.total === 0) && (
        <>
          <p className="pb-3 text-quiet">{t("trending.lead", { count: products.total })}</p>
          {products.total > 1 && <ListControls path={path} of={filtered} sort={sort} />}
          <ComparableProducts items={products.items} />
          <Pager {...pagination} />
        </>
      )}
      {children}
    </Page>
  );
}
