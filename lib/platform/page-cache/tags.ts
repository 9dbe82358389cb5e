import { currentRequest } from "@/lib/platform/request-scope";

/** The tag of a page that is sent to the requests that wait for it, but not cached. */
export const UNSETTLED = "unsettled";
/** The tag of a missing page: it has status 404 and is not cached. */
export const MISSING = "missing";

/** Adds tags to the page that is being rendered. Does nothing outside a request. */
export function addCacheTags(...tags: readonly string[]): void {
  const pageTags = currentRequest()?.tags;
  if (pageTags) for (const tag of tags) pageTags.add(tag);
}

/** Marks the page as not cacheable: its content may change without a notification, or its address is rarely requested. */
export const doNotCache = () => addCacheTags(UNSETTLED);
