/** Spec §3: `mobile` or `desktop` of a visit, `phone` or `computer` of a search. */
export const VISIT_DEVICES = ["mobile", "desktop"] as const;
export const SEARCH_DEVICES = ["phone", "computer"] as const;

/** Spec §4: `order` on checkout and payment paths, else `visit`. */
export const SOURCE_EVENTS = ["visit", "order"] as const;

/** Visits, searches and source events are forgotten after this many days (reliability.md "Privacy"). */
export const RETENTION_DAYS = 90;
