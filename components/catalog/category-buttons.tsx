import { useTranslations } from "next-intl";
import { QueryForm } from "@/components/ui/query-form";
import type { CategoryView } from "@/lib/catalog/contract";

/** Categories lead to a filtered search, so they are buttons of a form and no links (decisions.md, Routes). */
export function CategoryButtons({ categories }: { categories: readonly CategoryView[] }) {
  const t = useTranslations("catalog.home");
  return (
    <QueryForm path="/search" values={{}}>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(16rem,100%),1fr))] gap-x-8 border-b border-hairline">
        {categories.map(({ category, category_name, total }) => (
          <li key={category} className="border-t border-hairline">
            <button
              type="submit"
              name="category"
              value={category}
              className="group flex min-h-14 w-full cursor-pointer items-center justify-between gap-4 py-2 text-left"
            >
              <span className="text-17 font-medium group-hover:underline">{category_name}</span>
              <span className="figures text-13 text-quiet">{t("category_count", { count: total })}</span>
            </button>
          </li>
        ))}
      </ul>
    </QueryForm>
  );
}
