import { useSyncExternalStore } from "react";

/**
 * A list in this browser's local storage, such as recently viewed products. It is never sent to the server. `parse` returns
 * the valid entries of what is stored, which may come from another version of the shop.
 */
export function createBrowserList<Entry>(
  key: string,
  { max, parse }: { max: number; parse: (entry: unknown) => Entry | null },
) {
  /** The window event of a change in this tab. Other tabs receive `storage`. */
  const changeEvent = `passlane:${key}`;
  const none: readonly Entry[] = [];
  let read: { text: string | null; entries: readonly Entry[] } = { text: null, entries: none };

  /** Parses the stored text once, so that an unchanged list is the same object. */
  const entries = (): readonly Entry[] => {
    try {
      const text = localStorage.getItem(key);
      if (text !== read.text) read = { text, entries: text === null ? none : parseList(text) };
    } catch {
      // Storage may be blocked. The list is empty.
    }
    return read.entries;
  };
  const parseList = (text: string): readonly Entry[] => {
    try {
      const stored: unknown = JSON.parse(text);
      if (!Array.isArray(stored)) return none;
      return stored.flatMap((entry: unknown) => parse(entry) ?? []).slice(0, max);
    } catch {
      return none;
    }
  };
  const store = (list: readonly Entry[]): void => {
    try {
      if (list.length > 0) localStorage.setItem(key, JSON.stringify(list.slice(0, max)));
      else localStorage.removeItem(key);
    } catch {
      // Storage may be blocked or full. The list stays as it is.
    }
    dispatchEvent(new Event(changeEvent));
  };
  const subscribe = (changed: () => void): (() => void) => {
    addEventListener(changeEvent, changed);
    addEventListener("storage", changed);
    return () => {
      removeEventListener(changeEvent, changed);
      removeEventListener("storage", changed);
    };
  };
  return {
    entries,
    store,
    clear: () => store(none),
    /** The entries, empty on the server and until hydration. */
    useEntries: () => useSyncExternalStore(subscribe, entries, () => none),
  };
}
