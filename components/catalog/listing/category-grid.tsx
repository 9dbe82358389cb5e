"use client";

import { QueryForm } from "@/components/ui/query-form";

/** `count` is a formatted string such as "12 products". */
export type CategoryText = { category: string; name: string; count: string };

/** Categories lead to a filtered search, so they are form buttons and not links (docs/product.md#24-navigation). */
export function CategoryGrid({ categories }: { categories: readonly CategoryText[] }) {
  return (
    <QueryForm path="/search" values={{}}>
      <ul className="category-buttons">
        {categories.map(({ category, name, count }) => (
          <li key={category}>
            <button type="submit" name="category" value={category}>
              <span>{name}</span>
              <span className="figures">{count}</span>
            </button>
          </li>
        ))}
      </ul>
    </QueryForm>
  );
}
