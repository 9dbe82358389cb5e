"use client";

import { type ComponentType, useEffect, useId, useRef, useState } from "react";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";

export type CategoryMenuLabels = { title: string; all: string };

/**
 * The categories in the header: a button that lists them beneath. The list is loaded at the first use, so that cached
 * pages neither carry it nor change with it; the link to the page of all categories needs no list.
 */
export function CategoryMenu({ labels }: { labels: CategoryMenuLabels }) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [List, setList] = useState<ComponentType<{ onChoose: () => void }>>();
  const load = () => {
    import("./category-list").then(
      (loaded) => setList(() => loaded.CategoryList),
      () => {}, // The link to all categories remains.
    );
  };
  useEffect(() => {
    if (!open) return;
    const listeners = new AbortController();
    const { signal } = listeners;
    const close = () => setOpen(false);
    const isOutside = ({ target }: Event) => target instanceof Node && !root.current?.contains(target);
    document.addEventListener("pointerdown", (event) => isOutside(event) && close(), { signal });
    document.addEventListener("focusin", (event) => isOutside(event) && close(), { signal });
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      close();
      root.current?.querySelector("button")?.focus();
    };
    document.addEventListener("keydown", onKey, { signal });
    return () => listeners.abort();
  }, [open]);
  return (
    <div ref={root} className="relative">
      <button
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
      {open && (
        <div id={id} className="category-menu">
          {List && <List onChoose={() => setOpen(false)} />}
          <Link href="/categories" onClick={() => setOpen(false)}>
            {labels.all}
          </Link>
        </div>
      )}
    </div>
  );
}
