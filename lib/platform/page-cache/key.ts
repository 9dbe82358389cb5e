import { memoize } from "@/lib/platform/memoize";
import { ATTRIBUTION_PARAMS, parsePath } from "@/lib/platform/routing/paths";
import { findRoute, isPagePath } from "@/lib/platform/routing/routes";

/**
 * The routes whose pages are cached, each with the parameters that change the page: an allow-list, never a header's word.
 * A page with a value that does not fit is rendered each time.
 */
const CACHED: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  "/": {},
  "/top-trending": { sort: /^[a-z_]{1,20}$/, page: /^[1-9]\d{0,2}$/ },
  "/limited-offer": {},
  "/product/detail/{id}": { plan: /^\d{1,9}$/ },
  "/product/{slug}": { plan: /^\d{1,9}$/ },
  "/blog": { page: /^[1-9]\d{0,2}$/ },
  "/blog/detail/{slug}": {},
  "/free-voucher": {},
  "/business/register": {},
  "/privacy-policy": {},
  "/terms-of-service": {},
  "/refund-policy": {},
};

const ATTRIBUTION: readonly string[] = ATTRIBUTION_PARAMS;

/** The parameters that change the page at an address; null: the page is not cached. */
const allowedAt = memoize((pathname) => {
  if (!isPagePath(pathname)) return null;
  const route = findRoute(parsePath(pathname).path);
  return (route && Object.hasOwn(CACHED, route.path) && CACHED[route.path]) || null;
});

/**
 * The key of a page that may be cached, which is also the address it is rendered at; null for any other. Attribution
 * parameters change no page and are left out; an unknown parameter, or one given twice, makes the page uncached.
 */
export function pageKey(pathname: string, search: string): string | null {
  const allowed = allowedAt(pathname);
  if (!allowed) return null;
  if (search === "" || search === "?") return pathname;
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (ATTRIBUTION.includes(name)) continue;
    if (values.has(name) || !Object.hasOwn(allowed, name) || !allowed[name]?.test(value)) return null;
    values.set(name, value);
  }
  const query = new URLSearchParams([...values].sort(([a], [b]) => (a < b ? -1 : 1)));
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}
