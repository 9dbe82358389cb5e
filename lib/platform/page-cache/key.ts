import type { IncomingHttpHeaders } from "node:http";
import { memoize } from "@/lib/platform/memoize";
import { ATTRIBUTION_PARAMS, parsePath } from "@/lib/platform/routing/paths";
import { isPagePath, routeOf } from "@/lib/platform/routing/routes";
import type { PageType } from "./store";

/**
 * The pages that are kept finished, and which query changes them: an allow-list, never a header's word
 * (docs/decisions/0021-cache-rendered-public-pages-in-the-server-process.md). A value that does not fit has its page rendered each time.
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

const carried: readonly string[] = ATTRIBUTION_PARAMS;

/** The parameters that change the page at an address; null: it is none that is kept. */
const allowedAt = memoize((pathname) => {
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

/**
 * By these the router in the browser says what it wants of a page, and for each how long it may be; its payload depends
 * on no other part of a request. `_rsc` proves them to Next, which also takes `next-url` for it: whoever asks without it
 * is sent on, so that no cache on the way mistakes a payload for the page at the same address. One that is kept is given
 * for any proof: a cache on the way that heeds neither `Vary` nor `max-age=0` is not ours to serve.
 */
const ROUTER_HEADERS = {
  "next-router-state-tree": 4000,
  "next-router-prefetch": 8,
  "next-router-segment-prefetch": 400,
} as const;
const PROOF_LENGTH = 1000;
const PROOF = /[?&]_rsc(?:=[^&]*)?(?=&|$)/;

export type Wish = {
  type: PageType;
  key: string;
  /** the address to render, and what its rendering may know of the request */
  url: string;
  headers: Record<string, string>;
};

/** What a request wishes that may be kept: a page, or what the router in the browser asks for instead of it; or null. */
export function wishOf(pathname: string, search: string, asked: IncomingHttpHeaders): Wish | null {
  if (asked.rsc === undefined) {
    const key = pageKey(pathname, search);
    return key === null ? null : { type: "text/html", key, url: key, headers: { accept: "text/html" } };
  }
  const rest = search.replace(PROOF, "").replace(/^&/, "?");
  // A payload names its page's query, so what links carry along is not left out here.
  if (asked.rsc !== "1" || !PROOF.test(search) || pageKey(pathname, rest) !== pathname + rest) return null;
  const headers: Record<string, string> = { rsc: "1" };
  for (const [name, most] of Object.entries({ ...ROUTER_HEADERS, "next-url": PROOF_LENGTH })) {
    const value = asked[name];
    if (value === undefined) continue;
    if (typeof value !== "string" || value.length > most) return null;
    headers[name] = value;
  }
  const wishes = Object.keys(ROUTER_HEADERS).map((name) => headers[name] ?? "");
  const key = ["rsc", pathname + rest, ...wishes].join("\n");
  return { type: "text/x-component", key, url: pathname + search, headers };
}
