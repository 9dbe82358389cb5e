import { beginning } from "@/lib/platform/beginning";

/** Recent searches in this browser, newest first. They are never sent to the server. */
const STORE_KEY = "recent_searches";
const MAX_ENTRIES = 8;
const MAX_LENGTH = 200;

/** The window event dispatched when the list changes. */
const CHANGE_EVENT = "passlane:recent-searches";

export function recentSearches(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORE_KEY) ?? "[]");
    if (!Array.isArray(stored)) return [];
    return stored
      .filter((entry): entry is string => typeof entry === "string" && entry.trim() !== "")
      .slice(0, MAX_ENTRIES)
      .map((entry) => beginning(entry, MAX_LENGTH));
  } catch {
    return [];
  }
}

export function addRecentSearch(query: string): void {
  const entry = beginning(query.trim(), MAX_LENGTH);
  if (entry)
    store([entry, ...recentSearches().filter((other) => other.toLowerCase() !== entry.toLowerCase())]);
}

export const clearRecentSearches = () => store([]);

function store(list: string[]): void {
  try {
    if (list.length > 0) localStorage.setItem(STORE_KEY, JSON.stringify(list.slice(0, MAX_ENTRIES)));
    else localStorage.removeItem(STORE_KEY);
  } catch {
    // Storage may be blocked. Search works without a history.
  }
  dispatchEvent(new Event(CHANGE_EVENT));
}

/** Subscribes to changes of the list in this tab and in others. */
export function onRecentSearchesChange(changed: () => void): () => void {
  addEventListener(CHANGE_EVENT, changed);
  addEventListener("storage", changed);
  return () => {
    removeEventListener(CHANGE_EVENT, changed);
    removeEventListener("storage", changed);
  };
}
