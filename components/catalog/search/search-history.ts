/** What was searched for in this browser, newest first. It is sent nowhere. */
const STORE_KEY = "recent_searches";
const KEPT = 8;
const LONGEST = 200;

/** Told on window when the list changes. */
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
    // Storage may be closed; a search needs no memory.
  }
  dispatchEvent(new Event(CHANGED));
}

/** Calls back when the list changes, here or in another tab. */
export function onRecentSearchesChange(changed: () => void): () => void {
  addEventListener(CHANGED, changed);
  addEventListener("storage", changed);
  return () => {
    removeEventListener(CHANGED, changed);
    removeEventListener("storage", changed);
  };
}
