import { memoize } from "@/lib/platform/memoize";
import { parsePath } from "@/lib/platform/routing/paths";
import { findRoute, isPagePath } from "@/lib/platform/routing/routes";

/** The values of a parameter that change a page, without its default. Null: a page with a value is not cached. */
type Values = RegExp | null;

const PAGE = /^(?:[2-9]|[1-9]\d{1,2})$/;
const PLAN = /^[1-9]\d{0,8}$/;

const SORTED = { page: PAGE, sort: /^(?:price_asc|price_desc|price_per_day)$/ };

/**
 * The routes whose pages are cached, with the query parameters that these pages read, by name. Anything else in a query
 * changes nothing in the served HTML.
 */
const CACHED_ROUTES: Readonly<Record<string, Readonly<Record<string, Values>>>> = {
  "/": {},
  "/top-trending": SORTED,
  "/categories": {},
  "/category/{slug}": SORTED,
  "/vendor/{slug}": SORTED,
  "/seller/{handle}": SORTED,
  "/limited-offer": {},
  "/product/detail/{id}": { plan: PLAN },
  "/product/{slug}": { plan: PLAN },
  "/blog": { page: PAGE, q: null },
  "/blog/detail/{slug}": {},
  "/free-voucher": {},
  "/business/register": {},
  "/help": {},
  "/privacy-policy": {},
  "/terms-of-service": {},
  "/refund-policy": {},
  "/legal/seller": {},
};

/** The parameters that change the page at a path; null if the page is not cached. */
const findParameters = memoize((pathname): [name: string, values: Values][] | null => {
  // A known page with an encoded character has another address, to which `decideRoute` leads.
  if (!isPagePath(pathname) || pathname.includes("%")) return null;
  const route = findRoute(parsePath(pathname).path);
  const isCached = route !== undefined && Object.hasOwn(CACHED_ROUTES, route.path);
  return isCached ? Object.entries(CACHED_ROUTES[route.path] ?? {}) : null;
});

/**
 * The cache key of a page, which is also the address it is rendered at; null if the page is not cached. All addresses of a
 * page share its key: as in the page itself, the first of repeated values counts, and invalid ones count as absent.
 */
export function pageKey(pathname: string, search: string): string | null {
  const parameters = findParameters(pathname);
  if (!parameters) return null;
  if (search.length <= 1 || parameters.length === 0) return pathname;
  const query = new URLSearchParams(search);
  const present: [name: string, value: string][] = [];
  for (const [name, values] of parameters) {
    const value = query.get(name)?.trim();
    if (!value) continue;
    if (values === null) return null;
    if (values.test(value)) present.push([name, value]);
  }
  return present.length > 0 ? `${pathname}?${new URLSearchParams(present)}` : pathname;
}

/**
 * The key of the page without its plan; null for a key without one. Only that page knows which plans change it
 * (`noteQueries` in tags.ts).
 */
export function keyWithoutPlan(key: string): string | null {
  const start = key.indexOf("?plan=");
  return start < 0 ? null : key.slice(0, start);
}
