import { useTranslations } from "next-intl";
import type { CategoryView } from "@/lib/catalog/contract";
import { CategoryGrid } from "./category-grid";

/** Category buttons with product counts. Each links to a filtered search. */
export function CategoryButtons({ categories }: { categories: readonly CategoryView[] }) {
  const t = useTranslations("catalog.home");
  return (
    <CategoryGrid
      categories={categories.map(({ category, category_name, total }) => ({
        category,
        name: category_name,
        count: t("category_count", { count: total }),
      }))}
    />
  );
}
