import { memoize } from "@/lib/platform/memoize";
import { ATTRIBUTION_PARAMS, parsePath } from "@/lib/platform/routing/paths";
import { findRoute, isPagePath } from "@/lib/platform/routing/routes";

/**
 * The routes whose pages are cached, with the query parameters that change the page. A page with another parameter, or a
 * value that does not match, is rendered for each request.
 */
const CACHED_ROUTES: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
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

/** The parameters that change the page at a path; null if the page is not cached. */
const findParameters = memoize((pathname) => {
  if (!isPagePath(pathname)) return null;
  const route = findRoute(parsePath(pathname).path);
  return (route && Object.hasOwn(CACHED_ROUTES, route.path) && CACHED_ROUTES[route.path]) || null;
});

/**
 * The cache key of a page, which is also the address it is rendered at; null if the page is not cached. Attribution
 * parameters change no page and are left out. An unknown or repeated parameter makes the page uncached.
 */
export function pageKey(pathname: string, search: string): string | null {
  const parameters = findParameters(pathname);
  if (!parameters) return null;
  if (search === "" || search === "?") return pathname;
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (ATTRIBUTION.includes(name)) continue;
    if (values.has(name) || !Object.hasOwn(parameters, name) || !parameters[name]?.test(value)) return null;
    values.set(name, value);
  }
  const query = new URLSearchParams([...values].sort(([a], [b]) => (a < b ? -1 : 1)));
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}
