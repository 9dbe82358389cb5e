import { useLocale } from "next-intl";
import { localizedPath, type Surface } from "@/lib/platform/routing/paths";
import { SearchForm } from "./search-form";
import { useSearchLabels } from "./search-labels";

/** The search of the header and of the mobile home page. */
export function SearchBox({ surface }: { surface: Surface }) {
  const locale = useLocale();
  return <SearchForm action={localizedPath("/search", { locale, surface })} labels={useSearchLabels()} />;
}
