import { Link } from "@/components/ui/link";
import type { CategoryView } from "@/lib/catalog/contract";

/** Links to category pages as a row of small controls. */
export function CategoryLinks({
  id,
  title,
  categories,
}: {
  id: string;
  title: string;
  categories: readonly CategoryView[];
}) {
  if (categories.length === 0) return null;
  return (
    <section aria-labelledby={id} className="pt-12">
      <h2 id={id} className="pb-3 text-21">
        {title}
      </h2>
      <ul className="flex flex-wrap gap-2">
        {categories.map(({ category, category_name }) => (
          <li key={category}>
            <Link href={`/category/${category}`} className="chip">
              {category_name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
