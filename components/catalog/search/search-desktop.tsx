import { useTranslations } from "next-intl";
import { SortSelect } from "@/components/catalog/listing/sort-select";
import { Page } from "@/components/ui/page";
import { QueryForm } from "@/components/ui/query-form";
import { SearchFilters, searchValues } from "./search-filters";
import { SearchField, SearchResults, type SearchView, useSearchHeading } from "./search-parts";

/** The desktop search page: keyword, sort order and filters in a sidebar, tickets beside it. */
export function DesktopSearch(view: SearchView) {
  const t = useTranslations("catalog");
  const { path, query, found, categories } = view;
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
          <SortSelect sort={query.search.sort} />
          <SearchFilters path={path} query={query} categories={categories} />
        </QueryForm>
        <SearchResults view={view} />
      </div>
    </Page>
  );
}
