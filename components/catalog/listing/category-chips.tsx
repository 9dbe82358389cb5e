"use client";

import { Link } from "@/components/ui/link";
import { ScrollRow } from "@/components/ui/scroll-row";

/** Links to categories in one row that scrolls sideways. A client component, so that the page carries the texts only. */
export function CategoryChips({
  label,
  categories,
}: {
  label: string;
  categories: readonly { category: string; name: string }[];
}) {
  return (
    <nav aria-label={label} className="-mx-(--measure-edge) pt-3">
      <ScrollRow className="flex gap-2 overflow-x-auto px-(--measure-edge) pb-1">
        {categories.map(({ category, name }) => (
          <li key={category}>
            <Link href={`/category/${category}`} className="chip">
              {name}
            </Link>
          </li>
        ))}
      </ScrollRow>
    </nav>
  );
}
