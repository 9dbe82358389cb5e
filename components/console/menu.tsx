"use client";

import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { classNames } from "@/components/ui/class-names";

export type MenuItem = {
  id: string;
  label: string;
  danger?: boolean;
  checked?: boolean;
  onSelect: () => void;
};

type Props = {
  label: string;
  items: readonly MenuItem[];
  /** The button that opened it, below which it stands. */
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
  children?: ReactNode;
};

const GAP = 4;

/** A menu of actions, shown below its button and closed by Escape, a choice, or a press elsewhere. Arrows move in it. */
export function Menu({ label, items, anchor, onClose }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const [menu, button] = [ref.current, anchor.current];
    if (!menu || !button) return;
    menu.showPopover();
    const { bottom, top, right } = button.getBoundingClientRect();
    const { offsetHeight: height, offsetWidth: width } = menu;
    menu.style.left = `${Math.max(GAP, right - width)}px`;
    menu.style.top = `${bottom + GAP + height > window.innerHeight ? Math.max(GAP, top - GAP - height) : bottom + GAP}px`;
    menu.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
    const onToggle = (event: Event) => {
      if ((event as ToggleEvent).newState === "closed") close.current();
    };
    menu.addEventListener("toggle", onToggle);
    return () => {
      menu.removeEventListener("toggle", onToggle);
      if (menu.contains(document.activeElement)) button.focus();
    };
  }, [anchor]);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const entries = [...event.currentTarget.querySelectorAll<HTMLElement>("[role^=menuitem]")];
    const at = entries.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (event.key === "Tab") ref.current?.hidePopover();
    if (to === undefined) return;
    event.preventDefault();
    entries[(to + entries.length) % entries.length]?.focus();
  };
  return (
    <div
      ref={ref}
      popover="auto"
      role="menu"
      aria-label={label}
      onKeyDown={onKeyDown}
      className="fixed inset-auto m-0 min-w-44 rounded-control border border-hairline bg-raised p-1 text-ink"
    >
      {items.map(({ id, label: text, danger, checked, onSelect }) => (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: an item without a role of "checkbox" has no aria-checked
        <button
          key={id}
          type="button"
          role={checked === undefined ? "menuitem" : "menuitemcheckbox"}
          aria-checked={checked}
          tabIndex={-1}
          className={classNames(
            "flex min-h-9 w-full cursor-pointer items-center gap-2 rounded-small px-3 text-left hover:bg-tint focus-visible:bg-tint max-[899px]:min-h-11",
            danger && "text-bad",
          )}
          onClick={() => {
            if (checked === undefined) {
              anchor.current?.focus();
              ref.current?.hidePopover();
            }
            onSelect();
          }}
        >
          {checked !== undefined && (
            <span aria-hidden="true" className="w-4">
              {checked ? "✓" : ""}
            </span>
          )}
          {text}
        </button>
      ))}
    </div>
  );
}
