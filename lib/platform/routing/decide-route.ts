import { parseCookie } from "cookie";
import { DEFAULT_LOCALE, isLocale, type Locale } from "@/lib/platform/i18n/locales";
import { memoize } from "@/lib/platform/memoize";
import {
  ATTRIBUTION_PARAMS,
  DESKTOP_COOKIE,
  isMobileAgent,
  localizedPath,
  parsePath,
  relocatePath,
} from "./paths";
import { findRoute, isPagePath } from "./routes";

export type RoutingCookies = {
  locale: Locale | null;
  hasSession: boolean;
  /** set by the phone's link to the desktop page, until the browser is closed */
  wantsDesktop?: boolean;
};
export type RouteRequest = {
  /** The requested path, before any rewrite. */
  pathname: string;
  /** Empty, or including the question mark. */
  search: string;
  userAgent: string | null | undefined;
  cookies: RoutingCookies;
};
export type RouteDecision = { kind: "pass" } | { kind: "redirect"; location: string; status: 307 | 308 };

/** Set by the server entry on decided requests, after removing any from outside. */
export const ROUTED_HEADER = "x-routed";

/** Next's cache-busting parameter of router requests: kept on redirects, removed from stored addresses. */
const ROUTER_PARAM = "_rsc";

const PASS: RouteDecision = { kind: "pass" };

/** The parsed address; null when it is not a page. `own` is its canonical form. */
const placeOf = memoize((pathname) => {
  if (!isPagePath(pathname)) return null;
  const asked = parsePath(pathname);
  return { ...asked, own: relocatePath(pathname, asked), access: findRoute(asked.path)?.access };
});

const isMobile = memoize(isMobileAgent);

/**
 * Decides where a page request belongs (docs/product.md#24-navigation): no /en prefix, no `/desktop` after a
 * language, the stored language's prefix, the mobile page for mobile agents, the login for guests of a login-required
 * page. All steps in one redirect, whose target needs none. Pure; called by the server entry and the middleware. It
 * only looks for a session cookie; the page checks the session.
 */
export function decideRoute({ pathname, search, userAgent, cookies }: RouteRequest): RouteDecision {
  const asked = placeOf(pathname);
  if (!asked) return PASS;
  const locale = asked.locale === DEFAULT_LOCALE ? (cookies.locale ?? DEFAULT_LOCALE) : asked.locale;
  const surface = isMobile(userAgent ?? "") && !cookies.wantsDesktop ? "mobile" : asked.surface;
  const place = { locale, surface };
  const samePlace = locale === asked.locale && surface === asked.surface;
  const address = samePlace ? asked.own : relocatePath(pathname, place);
  // A target that would itself be redirected (`/zh/desktop/x`) is not used.
  if (address !== pathname && placeOf(address)?.own !== address) return PASS;

  if (asked.access === "login" && !cookies.hasSession) {
    const location = localizedPath("/login", place) + loginQuery(address, search);
    return { kind: "redirect", location, status: 307 };
  }
  if (address === pathname) return PASS;
  return { kind: "redirect", location: address + search, status: samePlace ? 308 : 307 };
}

/** The return address in `redirect`, and the attribution parameters, so that the login page records them. */
function loginQuery(address: string, search: string): string {
  const query = new URLSearchParams(search);
  const router = query.get(ROUTER_PARAM);
  query.delete(ROUTER_PARAM);
  const wanted = query.size > 0 ? `${address}?${query}` : address;
  const login = new URLSearchParams({ redirect: wanted });
  for (const name of ATTRIBUTION_PARAMS) for (const value of query.getAll(name)) login.append(name, value);
  if (router !== null) login.set(ROUTER_PARAM, router);
  return `?${login}`;
}

/** Cookies of a next-auth session; the prefixed one is for https. */
export const SESSION_COOKIES = ["next-auth.session-token", "__Secure-next-auth.session-token"] as const;

/** The cookies that the decision needs. */
export function routingCookies(header: string | null | undefined): RoutingCookies {
  const cookies = parseCookie(header ?? "");
  return {
    locale: isLocale(cookies.locale) ? cookies.locale : null,
    hasSession: SESSION_COOKIES.some((name) => cookies[name]),
    wantsDesktop: `surface=${cookies.surface}` === DESKTOP_COOKIE,
  };
}
