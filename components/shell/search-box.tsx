import { useLocale } from "next-intl";
import { SearchForm } from "@/components/catalog/search/search-form";
import { useSearchLabels } from "@/components/catalog/search/search-labels";
import { localizedPath, type Surface } from "@/lib/platform/routing/paths";

/** The search of the header and of the mobile home page. */
export function SearchBox({ surface }: { surface: Surface }) {
  const locale = useLocale();
  return <SearchForm action={localizedPath("/search", { locale, surface })} labels={useSearchLabels()} />;
}
