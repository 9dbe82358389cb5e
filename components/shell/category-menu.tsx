"use client";

import { type ComponentType, useId, useRef, useState } from "react";
import { Icon } from "@/components/ui/icon";
import type { CategoryListProps } from "./category-list";

export type CategoryMenuLabels = { title: string; all: string };

/**
 * The categories in the header: a button that lists them beneath. The list is loaded at the first use, so that cached
 * pages neither carry it nor change with it.
 */
export function CategoryMenu({ labels }: { labels: CategoryMenuLabels }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [List, setList] = useState<ComponentType<CategoryListProps>>();
  const load = () => {
    import("./category-list").then(
      (loaded) => setList(() => loaded.CategoryList),
      () => setOpen(false),
    );
  };
  return (
    <div className="relative">
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onPointerEnter={load}
        onFocus={load}
        onClick={() => {
          load();
          setOpen(!open);
        }}
        className="header-item cursor-pointer gap-1!"
      >
        {labels.title}
        <Icon name="down" size={16} className="text-quiet" />
      </button>
      {open && List && <List id={id} all={labels.all} button={button} onClose={() => setOpen(false)} />}
    </div>
  );
}
