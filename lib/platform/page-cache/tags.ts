import { AsyncLocalStorage } from "node:async_hooks";

/** The tag of a page that may be sent to those who wait for it, but not stored. */
export const UNSETTLED = "unsettled";

type Holder = { passlanePageTags?: AsyncLocalStorage<Set<string>>; passlaneWrites?: { count: number } };

// Next bundles its pages apart from the server entry, so both share what lives on globalThis.
const holder = globalThis as typeof globalThis & Holder;
holder.passlanePageTags ??= new AsyncLocalStorage();
const storage = holder.passlanePageTags;

/** Notes that the page that is being rendered shows these; does nothing outside of a render. */
export function noteTags(...tags: readonly string[]): void {
  const noted = storage.getStore();
  if (noted) for (const tag of tags) noted.add(tag);
}

/** Notes that what the page shows may change without a notification: the page is not stored. */
export const noteUnsettled = () => noteTags(UNSETTLED);

/** Runs `render`; the tags that its queries note go into `tags`. */
export const withTags = <T>(tags: Set<string>, render: () => Promise<T>): Promise<T> =>
  storage.run(tags, render);

/**
 * Counts the writes that this process has finished. A page asked for after a write waits until the notification of that
 * write has arrived, so that whoever changed something sees it on the next page.
 */
export function writeCounter(): { count: number } {
  holder.passlaneWrites ??= { count: 0 };
  return holder.passlaneWrites;
}
