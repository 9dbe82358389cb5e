import type { IncomingHttpHeaders } from "node:http";
import { env } from "@/lib/platform/env";
import { DEFAULT_LOCALE } from "@/lib/platform/i18n/locales";
import { routingCookies } from "@/lib/platform/routing/decide-route";
import type { Surface } from "@/lib/platform/routing/paths";

/** The tag of every page, to purge all of them. */
export const ALL_PAGES_TAG = "pages";

const MAX_TAGS_LENGTH = 8_000;
const SURFACES: ReadonlyMap<unknown, Surface> = new Map([
  ["desktop", "desktop"],
  ["mobile", "mobile"],
  ["tablet", "mobile"],
]);

/** What of a page decides how long a CDN keeps it. `sharedUntil` is on the clock of `performance.now()`. */
export type SharedPage = { tags: Iterable<string>; sharedUntil: number };

/** The name of the header in which the CDN tells the class of the device; undefined without a CDN. */
export const deviceHeader = (): string | undefined => env().CDN_DEVICE_HEADER;

/**
 * The device class that the CDN has found: `desktop`, `mobile` or `tablet`, which counts as mobile. Undefined without a CDN, or
 * when it has found none: then the user agent decides.
 */
export function deviceClass(headers: IncomingHttpHeaders, name: string | undefined): Surface | undefined {
  return name === undefined ? undefined : SURFACES.get(headers[name.toLowerCase()]);
}

/**
 * The header lines for the CDN in front, whose header has this `name`; none without one. A page is kept for the rest of its life in this process, under its
 * tags. What a cookie may redirect, or a request without a device class, is not kept, so that the answer depends on nothing
 * but the address and the class (docs/operations.md#a-cdn-in-front).
 */
export function cdnLines(
  headers: IncomingHttpHeaders,
  page: SharedPage | undefined,
  name: string | undefined,
): string[] {
  if (name === undefined) return [];
  const seconds = Math.floor(((page?.sharedUntil ?? 0) - performance.now()) / 1000);
  const { locale, wantsDesktop } = routingCookies(headers.cookie);
  const isSteered = (locale ?? DEFAULT_LOCALE) !== DEFAULT_LOCALE || wantsDesktop;
  const tags = page && cacheTags(page.tags);
  if (!tags || seconds < 1 || isSteered || deviceClass(headers, name) === undefined)
    return ["cdn-cache-control", "no-store"];
  return ["cdn-cache-control", `max-age=${seconds}`, "cache-tag", tags];
}

/** A tag as it stands between commas: printable ASCII without spaces and commas. */
export const cacheTag = (tag: string): string =>
  tag.replace(/[^!-+\--~]+/gu, (part) => encodeURIComponent(part).replaceAll(",", "%2C"));

/** Undefined when there are too many for one header. Queries among the tags (tags.ts) are none. */
function cacheTags(tags: Iterable<string>): string | undefined {
  const named = [...tags].filter((tag) => !tag.startsWith("?")).map(cacheTag);
  const value = [ALL_PAGES_TAG, ...named].join(",");
  return value.length <= MAX_TAGS_LENGTH ? value : undefined;
}
