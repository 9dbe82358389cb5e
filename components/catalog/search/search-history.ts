/** Recent searches in this browser, newest first. They are never sent to the server. */
const STORE_KEY = "recent_searches";
const KEPT = 8;
const LONGEST = 200;

/** The window event dispatched when the list changes. */
const CHANGED = "passlane:recent-searches";

export function recentSearches(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORE_KEY) ?? "[]");
    if (!Array.isArray(stored)) return [];
    return stored
      .filter((each): each is string => typeof each === "string" && each.trim() !== "")
      .slice(0, KEPT)
      .map((each) => each.slice(0, LONGEST));
  } catch {
    return [];
  }
}

export function addRecentSearch(words: string): void {
  const said = words.trim().slice(0, LONGEST);
  if (said) store([said, ...recentSearches().filter((each) => each.toLowerCase() !== said.toLowerCase())]);
}

export const clearRecentSearches = () => store([]);

function store(list: string[]): void {
  try {
    if (list.length > 0) localStorage.setItem(STORE_KEY, JSON.stringify(list.slice(0, KEPT)));
    else localStorage.removeItem(STORE_KEY);
  } catch {
    // Storage may be blocked. Search works without a history.
  }
  dispatchEvent(new Event(CHANGED));
}

/** Subscribes to changes of the list in this tab and in others. */
export function onRecentSearchesChange(changed: () => void): () => void {
  addEventListener(CHANGED, changed);
  addEventListener("storage", changed);
  return () => {
    removeEventListener(CHANGED, changed);
    removeEventListener("storage", changed);
  };
}
