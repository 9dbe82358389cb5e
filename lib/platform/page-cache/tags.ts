import { AsyncLocalStorage } from "node:async_hooks";

/** What a page shows, noted while it is rendered: the tags of docs/decisions/0021-cache-rendered-public-pages-in-the-server-process.md. */
export type PageNotes = { tags: Set<string> };

/** Among the tags of a page that is given to who asks, but not kept. */
export const UNSETTLED = "unsettled";

type Holder = { passlanePageNotes?: AsyncLocalStorage<PageNotes>; passlaneWrites?: { count: number } };

// The server entry stands outside Next's bundles, so one of each lives on globalThis.
const holder = globalThis as typeof globalThis & Holder;

function storage(): AsyncLocalStorage<PageNotes> {
  holder.passlanePageNotes ??= new AsyncLocalStorage();
  return holder.passlanePageNotes;
}

/** Says that the page in the making shows this; outside of a page it says nothing. */
export function noteTags(...tags: readonly string[]): void {
  const notes = storage().getStore();
  if (notes) for (const tag of tags) notes.tags.add(tag);
}

/** Says that what the page in the making shows is about to change without a word: it is not to be kept. */
export const noteUnsettled = () => noteTags(UNSETTLED);

/** Runs `render` and gathers what its queries note. */
export async function gatherTags<T>(render: () => Promise<T>): Promise<{ value: T; tags: Set<string> }> {
  const notes: PageNotes = { tags: new Set() };
  return { value: await storage().run(notes, render), tags: notes.tags };
}

/**
 * Writes that this process has finished: a page asked for after one of them waits until the database's word about it
 * has arrived, so that whoever changed something sees it on the next page.
 */
export function writes(): { count: number } {
  holder.passlaneWrites ??= { count: 0 };
  return holder.passlaneWrites;
}
