import { useLocale } from "next-intl";
import { SearchForm } from "@/components/catalog/search-form";
import { useSearchWords } from "@/components/catalog/search-words";
import { localizedPath, type Surface } from "@/lib/navigation";

/** The search of the header, and of the home page on a phone. */
export function SearchBox({ surface }: { surface: Surface }) {
  const locale = useLocale();
  return <SearchForm action={localizedPath("/search", { locale, surface })} words={useSearchWords()} />;
}
