import { useTranslations } from "next-intl";
import { SortSelect } from "@/components/catalog/listing/sort-select";
import { Icon } from "@/components/ui/icon";
import { Page } from "@/components/ui/page";
import { QueryForm } from "@/components/ui/query-form";
import { Sheet } from "@/components/ui/sheet";
import { SearchFilters, searchValues } from "./search-filters";
import { SearchField, SearchResults, type SearchView, useSearchHeading } from "./search-parts";

const SHEET = "filters";

/** The mobile search page: the field first, sort order and filters in a bottom sheet. */
export function MobileSearch(view: SearchView) {
  const t = useTranslations("catalog");
  const { path, query, found, categories } = view;
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
              <SortSelect sort={query.search.sort} />
              <SearchFilters path={path} query={query} categories={categories} />
            </div>
          </Sheet>
        )}
      </QueryForm>
      <SearchResults view={view} />
    </Page>
  );
}
