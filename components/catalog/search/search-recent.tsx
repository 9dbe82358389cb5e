"use client";

import { useEffect, useSyncExternalStore } from "react";
import { useDictionary } from "@/components/catalog/use-dictionary";
import {
  addRecentSearch,
  clearRecentSearches,
  onRecentSearchesChange,
  recentSearches,
} from "@/components/shell/search/search-history";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";

/**
 * Recent searches as a list of links, with a control to clear them. An English one such as "week pass" or a product's
 * name is shown in the page's language: both find the same products. Renders nothing when there are none.
 */
export function SearchRecent({ title, clear }: { title: string; clear: string }) {
  // The snapshot is a string, so an unchanged list compares as equal.
  const stored = useSyncExternalStore(
    onRecentSearchesChange,
    () => JSON.stringify(recentSearches()),
    () => "[]",
  );
  const recent = JSON.parse(stored) as string[];
  const translate = useDictionary(recent.length > 0);
  if (recent.length === 0) return null;
  return (
    <section aria-labelledby="recent" className="max-w-xl pt-10">
      <div className="flex items-center justify-between gap-4">
        <h2 id="recent" className="text-21">
          {title}
        </h2>
        <button
          type="button"
          onClick={clearRecentSearches}
          className="text-link flex min-h-11 cursor-pointer items-center"
        >
          {clear}
        </button>
      </div>
      <ul className="flex flex-wrap gap-2 pt-2">
        {recent.map((query) => (
          <li key={query} className="max-w-full">
            <Link
              href={`/search?q=${encodeURIComponent(query)}`}
              className="flex min-h-11 items-center gap-2 rounded-control border border-hairline px-3.5 hover:bg-tint"
            >
              <Icon name="clock" size={18} className="flex-none text-quiet" />
              <span className="truncate">{translate(query)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * Records a shown search: in this browser's recent searches, if it had results, and with the event
 * `passlane:searched`, whose detail is `{ q }`. Listeners registered after the event read `data-searched`.
 */
export function RecordSearch({ q, addToHistory }: { q: string; addToHistory: boolean }) {
  useEffect(() => {
    if (addToHistory) addRecentSearch(q);
  }, [q, addToHistory]);
  useEffect(() => {
    dispatchEvent(new CustomEvent("passlane:searched", { detail: { q } }));
  }, [q]);
  return <span hidden data-searched={q} />;
}
