import { CARRIED_PARAMS, parsePath } from "@/lib/navigation";
import { remember } from "@/lib/remember";
import { isPagePath, routeOf } from "@/lib/routes";

/**
 * The pages that are kept finished, and which query changes them: an allow-list, never a header's word
 * (performance.md, design 3). A value that does not fit has its page rendered each time.
 */
const KEPT: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
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

const carried: readonly string[] = CARRIED_PARAMS;

/** The parameters that change the page at an address; null: it is none that is kept. */
const allowedAt = remember((pathname) => {
  if (!isPagePath(pathname)) return null;
  const route = routeOf(parsePath(pathname).path);
  return (route && Object.hasOwn(KEPT, route.path) && KEPT[route.path]) || null;
});

/**
 * The key of a page that may be kept, which is also the address it is rendered at; null for any other. Parameters that
 * links only carry along change nothing and are left out; an unknown one, or one given twice, is not ours to judge.
 */
export function pageKey(pathname: string, search: string): string | null {
  const allowed = allowedAt(pathname);
  if (!allowed) return null;
  if (search === "" || search === "?") return pathname;
  const kept = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (carried.includes(name)) continue;
    if (kept.has(name) || !Object.hasOwn(allowed, name) || !allowed[name]?.test(value)) return null;
    kept.set(name, value);
  }
  const query = new URLSearchParams([...kept].sort(([a], [b]) => (a < b ? -1 : 1)));
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}
