import { useTranslations } from "next-intl";
import { CategoryGrid } from "@/components/catalog/home/category-grid";
import type { CategoryView } from "@/lib/catalog/contract";

/** Categories lead to a filtered search; how many products each has. */
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
