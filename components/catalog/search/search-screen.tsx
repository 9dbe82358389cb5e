import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ComparableProducts } from "@/components/catalog/compare/comparable-products";
import { CategoryButtons } from "@/components/catalog/listing/category-buttons";
import { isPastLastPage, Pager, PastLastPage } from "@/components/catalog/listing/pager";
import { ProductTickets } from "@/components/catalog/listing/product-ticket";
import { SortSelect } from "@/components/catalog/listing/sort-select";
import { Section } from "@/components/catalog/section";
import { SearchInput } from "@/components/shell/search/search-input";
import { useSearchLabels } from "@/components/shell/search/search-labels";
import { ButtonLink } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { EmptyState } from "@/components/ui/empty-state";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Page } from "@/components/ui/page";
import { QueryForm } from "@/components/ui/query-form";
import { Select } from "@/components/ui/select";
import { Sheet } from "@/components/ui/sheet";
import { TextInput } from "@/components/ui/text-input";
import type { CategoryView, ProductItem } from "@/lib/catalog/contract";
import type { SearchQuery } from "@/lib/catalog/listing/contract";
import { PASS_TYPES } from "@/lib/catalog/rules";
import type { SearchResults as Results } from "@/lib/catalog/search/contract";
import { namesPasses } from "@/lib/catalog/search/rules";
import type { Surface } from "@/lib/platform/routing/paths";
import { TYPED_NUMBER } from "@/lib/platform/typed-number";
import { RecordSearch, SearchRecent } from "./search-recent";

export function SearchScreen({ surface, ...view }: SearchView & { surface: Surface }) {
  return surface === "mobile" ? <MobileSearch {...view} /> : <DesktopSearch {...view} />;
}

function DesktopSearch(view: SearchView) {
  const t = useTranslations("catalog");
  const { path, query, found } = view;
  const heading = useSearchHeading(view);
  const form = {
    path,
    values: searchValues(query),
    apply: t("apply"),
    role: "search",
    // The label distinguishes this search from the one in the header.
    "aria-label": t("search.filters"),
  } as const;
  if (!found)
    return (
      <Page {...heading}>
        <QueryForm {...form} apply={undefined} aria-label={t("search.title")} className="max-w-xl">
          <SearchField query={query} />
        </QueryForm>
        <SearchResults view={view} />
      </Page>
    );
  return (
    <Page {...heading}>
      <div className="grid grid-cols-[17rem_minmax(0,1fr)] items-start gap-12 max-lg:gap-8">
        <QueryForm {...form} className="flex flex-col gap-4">
          <SearchField query={query} />
          <SortSelect sort={query.search.sort} searched={query.search.keyword !== ""} />
          <SearchFilters {...view} />
        </QueryForm>
        <SearchResults view={view} />
      </div>
    </Page>
  );
}

const SHEET = "filters";

/** The mobile search page: the field first, sort order and filters in a bottom sheet. */
function MobileSearch(view: SearchView) {
  const t = useTranslations("catalog");
  const { path, query, found } = view;
  const { title, lead } = useSearchHeading(view);
  return (
    <Page className="pt-1!">
      <QueryForm path={path} values={searchValues(query)} role="search">
        <SearchField query={query} />
        <div className="flex items-end justify-between gap-4 pt-5 pb-4">
          <div className="min-w-0">
            <h1 className="text-21">{title}</h1>
            <p className="text-quiet">{lead}</p>
          </div>
          {found && (
            <button type="button" popoverTarget={SHEET} className="button button-secondary flex-none">
              <Icon name="filter" size={18} />
              {t("search.filters")}
              {query.filtered > 0 && <span className="figures text-quiet">{query.filtered}</span>}
            </button>
          )}
        </div>
        {found && (
          <Sheet
            id={SHEET}
            title={t("search.filters")}
            closeLabel={t("search.close")}
            action={t("search.show")}
          >
            <div className="flex flex-col gap-4">
              <SortSelect sort={query.search.sort} searched={query.search.keyword !== ""} />
              <SearchFilters {...view} />
            </div>
          </Sheet>
        )}
      </QueryForm>
      <SearchResults view={view} />
    </Page>
  );
}

type SearchView = {
  /** the path of this page, so that filters and pagination stay on it */
  path: SearchPath;
  query: SearchQuery;
  /** null: no search yet */
  found: Results | null;
  categories: readonly CategoryView[];
  /** the merchant to which the search is limited; null without a known merchant */
  sellerName: string | null;
  /** Popular products, shown when a search has no results. */
  popular: readonly ProductItem[];
};

function SearchField({ query }: Pick<SearchView, "query">) {
  return <SearchInput labels={useSearchLabels()} value={query.search.keyword} />;
}

function useSearchHeading({ query, found }: SearchView): { title: string; lead: string } {
  const t = useTranslations("catalog.search");
  if (!found) return { title: t("title"), lead: t("start_lead") };
  const { keyword } = query.search;
  const everything = query.filtered === 0 ? t("page_results") : t("results_filtered");
  return {
    title: keyword ? t("results", { query: keyword }) : everything,
    lead: t(found.total_exact ? "count" : "count_many", { count: found.total }),
  };
}

function SearchResults({ view }: { view: SearchView }) {
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
          <ComparableProducts
            items={found.items}
            exact={view.query.filtered > 0 || namesPasses(keyword)}
            first
          />
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

/** States that the results are for a corrected keyword or only the closest ones, or offers the correction where there are none. */
function Correction({ path, keyword, found }: { path: SearchPath; keyword: string; found: Results }) {
  const t = useTranslations("catalog.search");
  const correction = found.corrected;
  if (correction === null)
    return found.match === "closest" && found.items.length > 0 ? (
      <Notice className="mb-4">
        <p>{t("closest_words", { asked: keyword })}</p>
      </Notice>
    ) : null;
  const text = found.match === "closest" ? "closest" : "corrected";
  const link = (children: ReactNode) => (
    <Link href={searchFor(correction, path)} className="text-link font-medium">
      {children}
    </Link>
  );
  return (
    <Notice className="mb-4">
      <p>{t.rich(found.items.length > 0 ? text : "meant", { asked: keyword, meant: correction, link })}</p>
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

/** The query of the URL as form names and values, without defaults. */
function searchValues({ search }: SearchQuery): Record<string, string> {
  const { keyword, sort, category, seller, vip_type, in_stock, price_from, price_to, price_per_day_to } =
    search;
  const values = {
    q: keyword || undefined,
    sort: sort === "recommend" ? undefined : sort,
    category,
    seller,
    vip_type,
    in_stock: in_stock ? "true" : undefined,
    price_from,
    price_to,
    price_per_day_to,
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

type SearchPath = "/search" | "/search-results";

/** The same page for another keyword, without filters. */
const searchFor = (keyword: string, path: SearchPath = "/search") =>
  keyword ? `${path}?q=${encodeURIComponent(keyword)}` : path;

/** The filter fields of a search. They must be rendered inside its form. */
function SearchFilters({ path, query, categories, sellerName }: SearchView) {
  const t = useTranslations("catalog");
  const { keyword, category, seller, vip_type, in_stock, price_from, price_to, price_per_day_to } =
    query.search;
  const types = PASS_TYPES.map((type) => ({ value: type, label: t(`pass_type.${type}`) }));
  const names = categories.map((option) => ({ value: option.category, label: option.category_name }));
  const price = { inputMode: "decimal", pattern: TYPED_NUMBER, title: t("search.price_format") } as const;
  return (
    <div className="flex flex-col gap-4">
      <Select
        name="category"
        label={t("search.category")}
        defaultValue={category}
        options={[{ value: "", label: t("search.category_all") }, ...names]}
      />
      <Select
        name="vip_type"
        label={t("search.type")}
        defaultValue={vip_type}
        options={[{ value: "", label: t("search.type_any") }, ...types]}
      />
      <div className="grid grid-cols-2 items-end gap-3">
        <TextInput {...price} name="price_from" label={t("search.price_from")} defaultValue={price_from} />
        <TextInput {...price} name="price_to" label={t("search.price_to")} defaultValue={price_to} />
      </div>
      <TextInput
        {...price}
        name="price_per_day_to"
        label={t("search.price_per_day_to")}
        defaultValue={price_per_day_to}
      />
      <Checkbox name="in_stock" value="true" label={t("search.in_stock")} defaultChecked={in_stock} />
      {seller && (
        <Checkbox
          name="seller"
          value={seller}
          label={t("search.seller", { name: sellerName ?? seller })}
          defaultChecked
        />
      )}
      {query.filtered > 0 && (
        <Link href={searchFor(keyword, path)} className="text-link flex min-h-11 items-center self-start">
          {t("search.clear")}
        </Link>
      )}
    </div>
  );
}
