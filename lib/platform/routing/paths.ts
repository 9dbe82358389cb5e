import { DEFAULT_LOCALE, isLocale, LOCALES, type Locale } from "../i18n/locales";
import {
  DESKTOP_NAMES,
  findRoute,
  isPagePath,
  MOBILE_NAMES,
  MOBILE_ONLY,
  PATH_ALIASES,
  toRouteCase,
} from "./routes";

/** The two layouts of each page. The files of app/[locale]/[surface] serve both (next.config.ts). */
export const SURFACES = ["desktop", "mobile"] as const;
export type Surface = (typeof SURFACES)[number];
export const isSurface = (value: unknown): value is Surface => SURFACES.some((surface) => surface === value);
export type PageLocation = { locale: Locale; surface: Surface };

/** A window of this many CSS pixels or fewer counts as mobile (docs/product.md#10-constants). */
export const MOBILE_MAX_WIDTH = 768;

/**
 * The cookie of a phone that has chosen the desktop pages with the link in the footer. Lasts until the browser
 * closes.
 */
export const DESKTOP_COOKIE = "surface=desktop";

/** Query parameters that navigation keeps from page to page (docs/product.md#24-navigation). */
export const ATTRIBUTION_PARAMS = [
  "id",
  "coupon",
  "tracking",
  "source",
  "campaign",
  "medium",
  "content",
] as const;

/**
 * The path's language, for what Next renders without route parameters. The server overwrites any value from outside.
 */
export const LOCALE_HEADER = "x-path-locale";

/** Encoded letters, digits, `-`, `_` and `~`. */
const NEEDLESSLY_ENCODED = /%(?:2d|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi;

/** An encoded dot between letters. Elsewhere it stays encoded, because decoded it could be a dot segment. */
const ENCODED_DOT = /(?<=\w)%2e(?=\w)/gi;

/** The one spelling of a path: characters that need no encoding are decoded (RFC 3986 §6.2.2.2). */
export const normalizePath = (pathname: string): string =>
  pathname.includes("%")
    ? pathname.replace(NEEDLESSLY_ENCODED, (code) => decodeURIComponent(code)).replace(ENCODED_DOT, ".")
    : pathname;

/**
 * The path with language, surface and page in lower case, as all of their names are. What may be told apart by capitals
 * stays (`toRouteCase`), and so does a path that is not a page in lower case either.
 */
export function toPageCase(pathname: string): string {
  if (!/[A-Z]/.test(pathname)) return pathname;
  const segments = pathname.replace(/\/$/, "").split("/");
  let start = 1;
  const prefixes = ["desktop", "mobile", ...LOCALES];
  for (; prefixes.includes(segments[start]?.toLowerCase() ?? ""); start++)
    segments[start] = segments[start]?.toLowerCase() ?? "";
  const name = `/${segments.slice(start).join("/")}`;
  const lower = name.toLowerCase();
  const isAlias = Object.hasOwn(DESKTOP_NAMES, lower) || Object.hasOwn(PATH_ALIASES, lower);
  return [...segments.slice(0, start), (isAlias ? lower : toRouteCase(name)).slice(1)].join("/");
}

/**
 * Parses a pathname. `path` is the desktop path without locale, as components write it in hrefs, and `name` is the path
 * on this surface: `/zh/mobile/limited` has path `/limited-offer` and name `/limited`. A trailing slash is dropped, and so
 * is `desktop` after a locale, which is a folder of app/ and no part of an address.
 */
export function parsePath(
  pathname: string,
): PageLocation & { path: string; name: string; prefixed: boolean } {
  const segments = pathname.split("/").filter(Boolean);
  const prefixed = isLocale(segments[0]);
  const locale = isLocale(segments[0]) ? segments[0] : DEFAULT_LOCALE;
  if (prefixed) segments.shift();
  // `/en/en` would otherwise redirect to `/en`, which redirects again.
  const ignored = locale === DEFAULT_LOCALE ? [DEFAULT_LOCALE, "desktop"] : ["desktop"];
  while (prefixed && segments[0] && ignored.includes(segments[0])) segments.shift();
  const surface: Surface = segments[0] === "mobile" ? "mobile" : "desktop";
  if (surface === "mobile") segments.shift();
  const name = `/${segments.join("/")}`;
  const path = surface === "mobile" ? (DESKTOP_NAMES[name] ?? name) : name;
  return { locale, surface, path: PATH_ALIASES[path] ?? path, name, prefixed };
}

/** The address of a desktop path on a surface and in a language. Query and fragment are kept. */
export function localizedPath(path: string, { locale, surface }: PageLocation): string {
  const [desktopPath, rest] = splitPath(path);
  const mobilePath = desktopPath === "/" ? "" : (MOBILE_NAMES[desktopPath] ?? desktopPath);
  const surfacePath = surface === "mobile" ? `/mobile${mobilePath}` : desktopPath;
  const prefix = locale === DEFAULT_LOCALE ? "" : `/${locale}`;
  return `${prefix && surfacePath === "/" ? prefix : prefix + surfacePath}${rest}`;
}

/** The same page in another language or on another surface. A mobile-only name is kept among the mobile pages. */
export function relocatePath(pathname: string, target: PageLocation): string {
  const { path, name, surface } = parsePath(pathname);
  const keepsName = surface === "mobile" && target.surface === "mobile" && MOBILE_ONLY.includes(name);
  return localizedPath(keepsName ? name : path, target);
}

/** `/zh/limited-offer?id=1` → `/zh/mobile/limited?id=1`. A mobile address is returned unchanged. */
export const toMobilePath = (address: string): string => toSurface(address, "mobile");

/** `/zh/mobile/limited?id=1` → `/zh/limited-offer?id=1`. A desktop address is returned unchanged. */
export const toDesktopPath = (address: string): string => toSurface(address, "desktop");

function toSurface(address: string, surface: Surface): string {
  const [pathname, rest] = splitPath(address);
  const { locale, path } = parsePath(pathname);
  return localizedPath(path, { locale, surface }) + rest;
}

function splitPath(address: string): [path: string, rest: string] {
  const end = address.search(/[?#]/);
  return end < 0 ? [address, ""] : [address.slice(0, end), address.slice(end)];
}

/**
 * The address to open after sign-in, or null if the value is not a known page of this site. Rejects other origins,
 * `//`, backslashes, control characters, dot segments and their encoded forms, unknown paths and guest-only pages.
 */
export function safeRedirect(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 2000 || !/^\/[!-[\]-~]*$/.test(value)) return null;
  const [pathname] = splitPath(value);
  // No known path needs an encoded character. Without any, decoding the value again cannot change it.
  if (!isPagePath(pathname) || pathname.includes("%")) return null;
  const url = new URL(value, "https://self.invalid");
  if (url.origin !== "https://self.invalid" || url.pathname !== pathname) return null;
  const route = findRoute(parsePath(pathname).path);
  return route && route.access !== "guest-only" ? pathname + url.search : null;
}

/** What the user agents of phones and tablets contain, in any case. nginx reads the same words (scripts/write-front-files.ts). */
export const MOBILE_WORDS = [
  "Mobi",
  "Android",
  "iPhone",
  "iPod",
  "iPad",
  "Opera Mini",
  "BlackBerry",
  "webOS",
  "Windows Phone",
];
const MOBILE_AGENT = new RegExp(MOBILE_WORDS.join("|"), "i");

/** True if the user agent names a phone or tablet. False for crawlers, scripts and an empty value. */
export const isMobileAgent = (userAgent: string | null | undefined): boolean =>
  MOBILE_AGENT.test(userAgent ?? "");
