"use client";

import { useEffect, useState } from "react";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import type { CategoryView } from "@/lib/catalog/contract";
import { api } from "@/lib/platform/api/client";

let loaded: readonly CategoryView[] | undefined;

/** The links of the category menu. */
export function CategoryList({ onChoose }: { onChoose: () => void }) {
  const [categories, setCategories] = useState(loaded);
  useEffect(() => {
    if (loaded) return;
    void api.get("/product/categories", {}).then((result) => {
      if (!result.ok) return;
      loaded = result.data.items;
      setCategories(loaded);
    });
  }, []);
  if (!categories) return <Skeleton className="h-40" />;
  return (
    <ul>
      {categories.map(({ category, category_name, total }) => (
        <li key={category}>
          <Link href={`/category/${category}`} onClick={onChoose}>
            <span>{category_name}</span>
            <span className="figures text-13 text-quiet">{total}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
