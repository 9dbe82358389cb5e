import { useTranslations } from "next-intl";
import { ComparableProducts } from "@/components/catalog/compare/comparable-products";
import { EmptyState } from "@/components/ui/empty-state";
import { Page } from "@/components/ui/page";
import type { ListProductsInput, ProductList } from "@/lib/catalog/contract";
import { ListControls } from "./list-controls";
import { isPastLastPage, Pager, PastLastPage } from "./pager";

/** All products on sale, the most popular first. They can be sorted by popularity, price or price per day. */
export function TrendingScreen({
  products,
  list,
}: {
  products: ProductList;
  list: Pick<ListProductsInput, "sort" | "page" | "size">;
}) {
  const t = useTranslations("catalog");
  const { sort, page, size } = list;
  const query: Record<string, string> = sort === "recommend" ? {} : { sort };
  const pagination = { path: "/top-trending", query, page, size, total: products.total };
  return (
    <Page
      title={t("trending.title")}
      lead={products.total > 0 ? t("trending.lead", { count: products.total }) : undefined}
    >
      {products.items.length > 0 ? (
        <>
          <ListControls path="/top-trending" of={{}} sort={sort} />
          <ComparableProducts items={products.items} first />
          <Pager {...pagination} />
        </>
      ) : isPastLastPage(pagination) ? (
        <PastLastPage {...pagination} />
      ) : (
        <EmptyState title={t("trending.empty")}>{t("trending.empty_text")}</EmptyState>
      )}
    </Page>
  );
}
