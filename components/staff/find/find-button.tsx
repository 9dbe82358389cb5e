"use client";

import { useTranslations } from "next-intl";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";

/** Asks the find host of the page to open. */
export const FIND_EVENT = "console:find";

/** Opens the palette that finds an order, a customer and more. `compact`: the icon alone. */
export function FindButton({ compact = false }: { compact?: boolean }) {
  const t = useTranslations("console.find");
  return (
    <button
      type="button"
      aria-label={compact ? t("open") : undefined}
      aria-keyshortcuts="Meta+K Control+K"
      className={classNames(
        "cursor-pointer",
        compact
          ? "hit ml-auto grid place-items-center"
          : "flex min-h-8 min-w-0 flex-1 items-center gap-1.5 rounded-control border border-control px-2 text-quiet hover:border-ink",
      )}
      onClick={() => document.dispatchEvent(new Event(FIND_EVENT))}
    >
      <Icon name="search" size={compact ? 22 : 16} />
      {!compact && (
        <>
          <span className="min-w-0 truncate text-13">{t("open")}</span>
          <span aria-hidden="true" className="ml-auto font-mono text-13">
            ⌘K
          </span>
        </>
      )}
    </button>
  );
}
