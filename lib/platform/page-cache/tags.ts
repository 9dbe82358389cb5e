import { AsyncLocalStorage } from "node:async_hooks";

/** The tag of a page that may be sent to the requests that wait for it, but not stored. */
export const UNSETTLED = "unsettled";

type Globals = { passlanePageTags?: AsyncLocalStorage<Set<string>>; passlaneWrites?: { count: number } };

// Next bundles pages separately from the server entry. Both reach the same objects through globalThis.
const globals = globalThis as typeof globalThis & Globals;
globals.passlanePageTags ??= new AsyncLocalStorage();
const storage = globals.passlanePageTags;

/** Adds tags to the page that is being rendered. Does nothing outside a render for the cache. */
export function noteTags(...tags: readonly string[]): void {
  const pageTags = storage.getStore();
  if (pageTags) for (const tag of tags) pageTags.add(tag);
}

/** Marks the page as not storable: its content may change without a notification, or few will ask for its address. */
export const noteUnsettled = () => noteTags(UNSETTLED);

/**
 * Notes the queries that change the page that is being rendered, e.g. `?plan=5001`; any other query shows the page without
 * one. They are collected with the tags, none of which begins with a question mark.
 */
export const noteQueries = (...queries: readonly `?${string}`[]) => noteTags(...queries);

/** Runs `render` and collects the tags that its queries note in `tags`. */
export const withTags = <T>(tags: Set<string>, render: () => Promise<T>): Promise<T> =>
  storage.run(tags, render);

/**
 * Counts the finished writes of this process. A page requested after a write waits until the listener has received that
 * write's notifications, so that a user sees their own change on the next page.
 */
export function writeCounter(): { count: number } {
  globals.passlaneWrites ??= { count: 0 };
  return globals.passlaneWrites;
}
