import { parseCookie } from "cookie";
import { DEFAULT_LOCALE, isLocale, type Locale } from "@/lib/platform/i18n/locales";
import { memoize } from "@/lib/platform/memoize";
import {
  ATTRIBUTION_PARAMS,
  DESKTOP_COOKIE,
  isMobileAgent,
  localizedPath,
  normalizePath,
  type PageLocation,
  parsePath,
  relocatePath,
  type Surface,
  toPageCase,
} from "./paths";
import { findRoute, isPagePath } from "./routes";

export type RoutingCookies = {
  locale: Locale | null;
  hasSession: boolean;
  /** A phone has chosen the desktop pages; set until the browser is closed. */
  wantsDesktop?: boolean;
};
export type RouteRequest = {
  /** The requested path, before any rewrite. */
  pathname: string;
  /** Empty, or including the question mark. */
  search: string;
  userAgent: string | null | undefined;
  /** The device class found by a CDN, used instead of the user agent. */
  device?: Surface;
  cookies: RoutingCookies;
};
export type RouteDecision = { kind: "pass" } | { kind: "redirect"; location: string; status: 307 | 308 };

/** Next's cache-busting parameter of router requests. Redirects keep it, return addresses do not. */
const ROUTER_PARAM = "_rsc";

const PASS: RouteDecision = { kind: "pass" };

/** The parsed path and its canonical form; null if it is not the path of a page. */
const parsePagePath = memoize((pathname) => {
  if (!isPagePath(pathname)) return null;
  const normalized = toPageCase(normalizePath(pathname));
  const parsed = parsePath(normalized);
  return {
    ...parsed,
    normalized,
    canonical: relocatePath(normalized, parsed),
    ...routing(parsed),
  };
});

/** Under /mobile there are no single pages. */
function routing({ path, surface }: PageLocation & { path: string }) {
  const route = findRoute(path);
  return { access: route?.access, isSingle: route?.single === true && surface === "desktop" };
}

const isMobile = memoize(isMobileAgent);

/**
 * Decides whether a page request is redirected (docs/product.md#24-navigation): no /en prefix, no `/desktop` after a
 * language, no slash at the end, no needlessly encoded characters, no capitals in names, the prefix of the stored language, the mobile page for
 * mobile agents, the login for guests of a login-required page. All steps are one redirect to an address that needs no
 * further one. Only the presence of a session cookie counts; the page checks
 * the session.
 */
export function decideRoute({ pathname, search, userAgent, device, cookies }: RouteRequest): RouteDecision {
  const requested = parsePagePath(pathname);
  if (!requested) return withoutSlash(pathname, search);
  const locale = requested.locale === DEFAULT_LOCALE ? (cookies.locale ?? DEFAULT_LOCALE) : requested.locale;
  const hasMobile = device ? device === "mobile" : isMobile(userAgent ?? "");
  const wantsMobile = hasMobile && !cookies.wantsDesktop && !requested.isSingle;
  const surface = wantsMobile ? "mobile" : requested.surface;
  const target = { locale, surface };
  const isSameLocation = locale === requested.locale && surface === requested.surface;
  const address = isSameLocation ? requested.canonical : relocatePath(requested.normalized, target);
  // A target that would itself be redirected (`/zh/desktop/x`) is not used.
  if (address !== pathname && parsePagePath(address)?.canonical !== address)
    return withoutSlash(pathname, search);

  if (requested.access === "login" && !cookies.hasSession) {
    const location = localizedPath("/login", target) + loginQuery(address, search);
    return { kind: "redirect", location, status: 307 };
  }
  if (address === pathname) return PASS;
  return { kind: "redirect", location: address + search, status: isSameLocation ? 308 : 307 };
}

/**
 * Removes the trailing slash of an address that is not a page, which Next leaves to us (next.config.ts). Only for these
 * characters, because others could be dot segments, which a URL resolves.
 */
function withoutSlash(pathname: string, search: string): RouteDecision {
  if (!/^(?:\/[\w-]+)+\/$/.test(pathname)) return PASS;
  return { kind: "redirect", location: pathname.slice(0, -1) + search, status: 308 };
}

/** The query of the login page: the return address, and the attribution parameters for the login page to record. */
function loginQuery(address: string, search: string): string {
  const query = new URLSearchParams(search);
  const routerValue = query.get(ROUTER_PARAM);
  query.delete(ROUTER_PARAM);
  const returnAddress = query.size > 0 ? `${address}?${query}` : address;
  const login = new URLSearchParams({ redirect: returnAddress });
  for (const name of ATTRIBUTION_PARAMS) for (const value of query.getAll(name)) login.append(name, value);
  if (routerValue !== null) login.set(ROUTER_PARAM, routerValue);
  return `?${login}`;
}

/** Cookies of a next-auth session; the prefixed one is for https. */
export const SESSION_COOKIES = ["next-auth.session-token", "__Secure-next-auth.session-token"] as const;

/** Parses the cookies that `decideRoute` needs. */
export function routingCookies(header: string | null | undefined): RoutingCookies {
  const cookies = parseCookie(header ?? "");
  return {
    locale: isLocale(cookies.locale) ? cookies.locale : null,
    hasSession: SESSION_COOKIES.some((name) => cookies[name]),
    wantsDesktop: `surface=${cookies.surface}` === DESKTOP_COOKIE,
  };
}
