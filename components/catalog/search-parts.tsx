import { useTranslations } from "next-intl";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Icon } from "@/components/ui/icon";
import type { CategoryView, ProductItem, ProductList } from "@/lib/catalog/contract";
import type { SearchQuery } from "@/lib/catalog/contract-page";
import { CategoryButtons } from "./category-buttons";
import { Pager } from "./pager";
import { ProductTickets } from "./product-ticket";
import { searchValues, withoutFilters } from "./search-filters";
import { Section } from "./section";

export type SearchView = {
  query: SearchQuery;
  /** null: nothing was asked yet */
  found: ProductList | null;
  categories: readonly CategoryView[];
  /** What goes best, for a search that has nothing to show. */
  popular: readonly ProductItem[];
};

/** The words to look for, with their button. */
export function SearchField({ query }: Pick<SearchView, "query">) {
  const t = useTranslations("ui.header");
  return (
    <div className="relative">
      <input
        type="search"
        name="q"
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        aria-label={t("search_label")}
        placeholder={t("search_placeholder")}
        defaultValue={query.search.keyword}
        className="control pr-12 [&::-webkit-search-cancel-button]:hidden"
      />
      <button
        type="submit"
        aria-label={t("search_submit")}
        className="hit absolute inset-y-0 right-0 grid cursor-pointer place-items-center rounded-control text-quiet hover:text-ink"
      >
        <Icon name="search" />
      </button>
    </div>
  );
}

/** Heading of the page: what was asked. */
export function useSearchHeading({ query, found }: SearchView): { title: string; lead: string } {
  const t = useTranslations("catalog.search");
  if (!found) return { title: t("title"), lead: t("start_lead") };
  const { keyword } = query.search;
  return {
    title: keyword ? t("results", { query: keyword }) : t("results_filtered"),
    lead: t(found.total_exact ? "count" : "count_many", { count: found.total }),
  };
}

/** What was found, or how to go on when that is nothing. */
export function SearchResults({ view }: { view: SearchView }) {
  const { query, found } = view;
  if (!found) return <SearchStart view={view} />;
  if (found.items.length === 0) return <NothingFound view={view} />;
  const { page, size } = query.search;
  return (
    <div>
      <ProductTickets items={found.items} exact first />
      <Pager path="/search" query={searchValues(query)} {...{ page, size, total: found.total }} />
    </div>
  );
}

/** Before anything was asked: categories, and what goes best. */
function SearchStart({ view }: { view: SearchView }) {
  const t = useTranslations("catalog");
  return (
    <div className="-mt-6">
      <Section id="categories" title={t("home.categories")}>
        <CategoryButtons categories={view.categories} />
      </Section>
      <Popular items={view.popular} />
    </div>
  );
}

function NothingFound({ view }: { view: SearchView }) {
  const t = useTranslations("catalog.search");
  const { search, filtered } = view.query;
  const narrowed = filtered > 0;
  return (
    <div>
      <EmptyState
        title={search.keyword ? t("none", { query: search.keyword }) : t("none_filtered")}
        action={
          narrowed ? <ButtonLink href={withoutFilters(view.query)}>{t("clear")}</ButtonLink> : undefined
        }
      >
        {search.keyword && <p>{t("none_text")}</p>}
        {narrowed && <p>{t("none_filtered_text")}</p>}
      </EmptyState>
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
