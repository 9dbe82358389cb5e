"use client";

import { type ComponentType, useEffect, useId, useRef, useState } from "react";
import { NavLink } from "@/components/shell/nav-link";
import { Icon } from "@/components/ui/icon";

export type CategoryMenuLabels = { title: string; open: string };

/**
 * Categories in the header: a link to their page, and a button that lists them beneath. The list is loaded at the first
 * use, so that cached pages neither carry it nor change with it.
 */
export function CategoryMenu({ labels }: { labels: CategoryMenuLabels }) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [List, setList] = useState<ComponentType<{ onChoose: () => void }>>();
  const load = () => {
    import("./category-list").then(
      (loaded) => setList(() => loaded.CategoryList),
      () => setOpen(false), // The link beside the button still leads to the categories.
    );
  };
  useEffect(() => {
    if (!open) return;
    const close = (event: Event) => {
      if (
        event instanceof KeyboardEvent
          ? event.key === "Escape"
          : !root.current?.contains(event.target as Node)
      )
        setOpen(false);
    };
    document.addEventListener("keydown", close);
    document.addEventListener("pointerdown", close);
    return () => {
      document.removeEventListener("keydown", close);
      document.removeEventListener("pointerdown", close);
    };
  }, [open]);
  return (
    <div ref={root} className="relative flex items-center">
      <NavLink href="/categories" className="header-item pr-0.5">
        {labels.title}
      </NavLink>
      <button
        type="button"
        aria-label={labels.open}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onPointerEnter={load}
        onFocus={load}
        onClick={() => {
          load();
          setOpen(!open);
        }}
        className="header-item cursor-pointer px-1!"
      >
        <Icon name="down" size={16} />
      </button>
      {open && (
        <div id={id} className="category-menu">
          {List && <List onChoose={() => setOpen(false)} />}
        </div>
      )}
    </div>
  );
}
