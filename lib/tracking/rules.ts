/** Device types of visits and of searches (docs/product.md#32-records-of-visits-and-searches). */
export const VISIT_DEVICES = ["mobile", "desktop"] as const;
export const SEARCH_DEVICES = ["phone", "computer"] as const;

/** The user of a search without an account, or of one that is deleted. */
export const GUEST = "guest";

/** `order` on checkout and payment paths, else `visit` (docs/product.md#46-source-tracking). */
export const SOURCE_EVENTS = ["visit", "order"] as const;

/** What a row of figures by source stands for: all, visitors without a source, a named source, the rarer ones together. */
export const SOURCE_KINDS = ["all", "none", "named", "other"] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** Visits, searches and source events are deleted after this many days (docs/reliability.md#privacy). */
export const RETENTION_DAYS = 90;

/** The path of a page address, without query and fragment, so that no secret is stored. */
export function sanitizeVisitedPath(address: string): string {
  return (URL.parse(address, "https://self.invalid")?.pathname ?? "/").slice(0, 300);
}

/** The referrer without path and query of other sites. */
export function sanitizeReferrer(address: string): string | null {
  const url = URL.parse(address);
  return url && url.origin !== "null" ? `${url.origin}${url.pathname}`.slice(0, 300) : null;
}

/** A visitor's source is recorded at most once in this time (docs/product.md#10-constants). */
export const SOURCE_WINDOW_MS = 2000;

/** Lifetime of a stored attribution (docs/product.md#10-constants). */
export const SOURCE_LIFETIME_MS = 604_800_000;
