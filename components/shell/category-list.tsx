"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import type { CategoryView } from "@/lib/catalog/contract";
import { api } from "@/lib/platform/api/client";

export type CategoryListProps = {
  id: string;
  /** The text of the link to all categories, which needs no list. */
  all: string;
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
};

let loaded: readonly CategoryView[] | undefined;

/** The links of the category menu. It closes with Escape, and when something outside is pressed or focused. */
export function CategoryList({ id, all, button, onClose }: CategoryListProps) {
  const root = useRef<HTMLDivElement>(null);
  const [categories, setCategories] = useState(loaded);
  useEffect(() => {
    if (loaded) return;
    void api.get("/product/categories", {}).then((result) => {
      if (!result.ok) return;
      loaded = result.data.items;
      setCategories(loaded);
    });
  }, []);
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const onOutside = ({ target }: Event) => {
      const inside = [root, button].some(
        ({ current }) => target instanceof Node && current?.contains(target),
      );
      if (!inside) onClose();
    };
    document.addEventListener("pointerdown", onOutside, { signal });
    document.addEventListener("focusin", onOutside, { signal });
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      onClose();
      button.current?.focus();
    };
    document.addEventListener("keydown", onKey, { signal });
    return () => listeners.abort();
  }, [button, onClose]);
  return (
    <div ref={root} id={id} className="category-menu">
      {categories ? (
        <ul>
          {categories.map(({ category, category_name, total }) => (
            <li key={category}>
              <Link href={`/category/${category}`} onClick={onClose}>
                <span>{category_name}</span>
                <span className="figures text-13 text-quiet">{total}</span>
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton className="h-40" />
      )}
      <Link href="/categories" onClick={onClose}>
        {all}
      </Link>
    </div>
  );
}
