/**
 * Text that stands in the HTML of a page and nowhere else. Whatever a server component renders is sent twice: as HTML,
 * and once more for the browser's copy of the tree. For structured data the second is useless. So it waits with the
 * notes of the page in the making (cache-tags.ts) until the HTML is written, in the same process. Browser-safe: found
 * by the global's name, where there is none nothing is kept.
 */
type Notes = { htmlOnly?: string[] };
type Holder = { passlanePageNotes?: { getStore(): Notes | undefined } };

const notes = () => (globalThis as Holder).passlanePageNotes?.getStore();

/** Its place, or undefined where no page is in the making (router payloads, pages that are not kept). */
export function keepForHtml(text: string): number | undefined {
  const store = notes();
  if (!store) return undefined;
  store.htmlOnly ??= [];
  return store.htmlOnly.push(text) - 1;
}

/** What was kept there; nothing in the browser, which has it in its document. */
export const keptForHtml = (place: number): string => notes()?.htmlOnly?.[place] ?? "";
