"use client";

import { Link } from "@/components/ui/link";

/** `count` is a formatted string such as "12 products". */
export type CategoryText = { category: string; name: string; count: string };

/** Links to the pages of categories. A client component, so that the page carries its texts only and not its markup too. */
export function CategoryGrid({ categories }: { categories: readonly CategoryText[] }) {
  return (
    <ul className="category-grid">
      {categories.map(({ category, name, count }) => (
        <li key={category}>
          <Link href={`/category/${category}`}>
            <span>{name}</span>
            <span className="figures">{count}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
