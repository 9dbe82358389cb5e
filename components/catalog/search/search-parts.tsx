import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CategoryButtons } from "@/components/catalog/listing/category-buttons";
import { isPastLastPage, Pager, PastLastPage } from "@/components/catalog/listing/pager";
import { ProductTickets } from "@/components/catalog/listing/product-ticket";
import { Section } from "@/components/catalog/section";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import type { CategoryView, ProductItem } from "@/lib/catalog/contract";
import type { SearchQuery } from "@/lib/catalog/listing/contract";
import type { SearchResults as Results } from "@/lib/catalog/search/contract";
import { RecordSearch } from "./record-search";
import { type SearchPath, searchFor, searchValues } from "./search-filters";
import { SearchInput } from "./search-input";
import { useSearchLabels } from "./search-labels";
import { SearchRecent } from "./search-recent";

export type SearchView = {
  /** the path of this page, so that filters and pagination stay on it */
  path: SearchPath;
  query: SearchQuery;
  /** null: no search was made yet */
  found: Results | null;
  categories: readonly CategoryView[];
  /** Popular products, shown when a search has no results. */
  popular: readonly ProductItem[];
};

/** The keyword field with its button. */
export function SearchField({ query }: Pick<SearchView, "query">) {
  return <SearchInput labels={useSearchLabels()} value={query.search.keyword} />;
}

/** The page heading, derived from the query. */
export function useSearchHeading({ query, found }: SearchView): { title: string; lead: string } {
  const t = useTranslations("catalog.search");
  if (!found) return { title: t("title"), lead: t("start_lead") };
  const { keyword } = query.search;
  const everything = query.filtered === 0 ? t("page_results") : t("results_filtered");
  return {
    title: keyword ? t("results", { query: keyword }) : everything,
    lead: t(found.total_exact ? "count" : "count_many", { count: found.total }),
  };
}

/** The search results, or suggestions when there are none. */
export function SearchResults({ view }: { view: SearchView }) {
  const { path, query, found } = view;
  if (!found) return <SearchStart view={view} />;
  const { page, size, keyword } = query.search;
  const pagination = { path, query: searchValues(query), page, size, total: found.total };
  return (
    <div>
      {keyword && <RecordSearch q={keyword} addToHistory={found.total > 0} />}
      <Correction path={path} keyword={keyword} found={found} />
      {found.items.length > 0 ? (
        <>
          <ProductTickets items={found.items} exact first />
          <Pager {...pagination} />
        </>
      ) : isPastLastPage(pagination) ? (
        <PastLastPage {...pagination} />
      ) : (
        <NothingFound view={view} />
      )}
    </div>
  );
}

/**
 * States that the results are for a corrected keyword. Where there are no results, it offers the correction as a
 * link.
 */
function Correction({ path, keyword, found }: { path: SearchPath; keyword: string; found: Results }) {
  const t = useTranslations("catalog.search");
  const correction = found.corrected;
  if (correction === null) return null;
  const link = (children: ReactNode) => (
    <Link href={searchFor(correction, path)} className="text-link font-medium">
      {children}
    </Link>
  );
  return (
    <Notice className="mb-4">
      <p>
        {t.rich(found.items.length > 0 ? "corrected" : "meant", { asked: keyword, meant: correction, link })}
      </p>
    </Notice>
  );
}

/** Shown before a search: recent searches, categories and popular products. */
function SearchStart({ view }: { view: SearchView }) {
  const t = useTranslations("catalog");
  return (
    <div className="-mt-6">
      <SearchRecent title={t("suggest.recent")} clear={t("suggest.clear")} />
      <Section id="categories" title={t("home.categories")}>
        <CategoryButtons categories={view.categories} />
      </Section>
      <Popular items={view.popular} />
    </div>
  );
}

/** Shown for a search without results: a link without filters, categories and popular products. */
function NothingFound({ view }: { view: SearchView }) {
  const t = useTranslations("catalog.search");
  const { search, filtered } = view.query;
  const isFiltered = filtered > 0;
  return (
    <div>
      <EmptyState
        title={isFiltered ? t("none_filtered") : t("none", { query: search.keyword })}
        action={
          isFiltered ? (
            <ButtonLink href={searchFor(search.keyword, view.path)}>{t("clear")}</ButtonLink>
          ) : undefined
        }
      >
        <p>{t(isFiltered ? "none_filtered_text" : "none_text")}</p>
      </EmptyState>
      {!isFiltered && (
        <Section id="categories" title={t("by_category")} compact>
          <CategoryButtons categories={view.categories} />
        </Section>
      )}
      <Popular items={view.popular} />
    </div>
  );
}

function Popular({ items }: { items: readonly ProductItem[] }) {
  const t = useTranslations("catalog.search");
  if (items.length === 0) return null;
  return (
    <Section id="popular" title={t("popular")}>
      <ProductTickets items={items} level="h3" />
    </Section>
  );
}
