import { DEFAULT_LOCALE, isLocale, type Locale } from "../i18n/locales";
import { DESKTOP_NAMES, findRoute, isPagePath, MOBILE_NAMES, MOBILE_ONLY, PATH_ALIASES } from "./routes";

/** What a page is drawn for. The files of app/[locale]/[surface] serve both (next.config.ts). */
export const SURFACES = ["desktop", "mobile"] as const;
export type Surface = (typeof SURFACES)[number];
export const isSurface = (value: unknown): value is Surface => SURFACES.some((surface) => surface === value);
export type PageLocation = { locale: Locale; surface: Surface };

/** A window of this many CSS pixels or fewer counts as mobile (docs/product.md#10-constants). */
export const MOBILE_MAX_WIDTH = 768;

/** The cookie of a phone that wants the desktop pages all the same (the link in its footer). Ends with the browser. */
export const DESKTOP_COOKIE = "surface=desktop";

/** Query parameters that links carry from page to page (docs/product.md#24-navigation). */
export const ATTRIBUTION_PARAMS = [
  "id",
  "coupon",
  "tracking",
  "source",
  "campaign",
  "medium",
  "content",
] as const;

/** Says the language of the path to what Next renders without its parameters; the server writes it over whatever came. */
export const LOCALE_HEADER = "x-path-locale";

/**
 * Takes a pathname apart. `path` is the desktop path without locale, which is also what components write in
 * hrefs: `/zh/mobile/limited` → zh, mobile, `/limited-offer`; `name` is what the surface calls it (`/limited`). A trailing
 * slash is dropped, and so is `desktop` after a locale, which is a folder of app/ and no part of an address.
 */
export function parsePath(
  pathname: string,
): PageLocation & { path: string; name: string; prefixed: boolean } {
  const segments = pathname.split("/").filter(Boolean);
  const prefixed = isLocale(segments[0]);
  const locale = isLocale(segments[0]) ? segments[0] : DEFAULT_LOCALE;
  if (prefixed) segments.shift();
  // `/en/en` would otherwise lead to `/en`, which leads on.
  const dropped = locale === DEFAULT_LOCALE ? [DEFAULT_LOCALE, "desktop"] : ["desktop"];
  while (prefixed && segments[0] && dropped.includes(segments[0])) segments.shift();
  const surface: Surface = segments[0] === "mobile" ? "mobile" : "desktop";
  if (surface === "mobile") segments.shift();
  const name = `/${segments.join("/")}`;
  const path = surface === "mobile" ? (DESKTOP_NAMES[name] ?? name) : name;
  return { locale, surface, path: PATH_ALIASES[path] ?? path, name, prefixed };
}

/** The address of a desktop path on a surface and in a language; query and fragment are kept. */
export function localizedPath(path: string, { locale, surface }: PageLocation): string {
  const [bare, rest] = splitPath(path);
  const named = surface === "mobile" ? `/mobile${bare === "/" ? "" : (MOBILE_NAMES[bare] ?? bare)}` : bare;
  const prefix = locale === DEFAULT_LOCALE ? "" : `/${locale}`;
  return `${prefix && named === "/" ? prefix : prefix + named}${rest}`;
}

/** The page of a pathname at another place; one that only phones have stays itself among the mobile pages. */
export function relocatePath(pathname: string, place: PageLocation): string {
  const { path, name, surface } = parsePath(pathname);
  const stays = surface === "mobile" && place.surface === "mobile" && MOBILE_ONLY.includes(name);
  return localizedPath(stays ? name : path, place);
}

/** `/zh/limited-offer?id=1` → `/zh/mobile/limited?id=1`; a mobile address stays what it is. */
export const toMobilePath = (address: string): string => onSurface(address, "mobile");

/** `/zh/mobile/limited?id=1` → `/zh/limited-offer?id=1`; a desktop address stays what it is. */
export const toDesktopPath = (address: string): string => onSurface(address, "desktop");

function onSurface(address: string, surface: Surface): string {
  const [pathname, rest] = splitPath(address);
  const { locale, path } = parsePath(pathname);
  return localizedPath(path, { locale, surface }) + rest;
}

function splitPath(address: string): [path: string, rest: string] {
  const end = address.search(/[?#]/);
  return end < 0 ? [address, ""] : [address.slice(0, end), address.slice(end)];
}

/**
 * The address to go to after signing in, or null when the value is not a known page of this site: other origins,
 * `//`, backslashes, control characters, dot segments and their encoded forms, unknown paths, guest-only pages.
 */
export function safeRedirect(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 2000 || !/^\/[!-[\]-~]*$/.test(value)) return null;
  const [pathname] = splitPath(value);
  // No known path needs an encoded character, so none is taken: whatever decodes later decodes nothing.
  if (!isPagePath(pathname) || pathname.includes("%")) return null;
  const url = new URL(value, "https://self.invalid");
  if (url.origin !== "https://self.invalid" || url.pathname !== pathname) return null;
  const route = findRoute(parsePath(pathname).path);
  return route && route.access !== "guest-only" ? pathname + url.search : null;
}

/** Does this agent name a phone or tablet? Agents that name no device (crawlers, scripts, empty) do not. */
export function isMobileAgent(userAgent: string | null | undefined): boolean {
  return /Mobi|Android|iPhone|iPod|iPad|Opera Mini|BlackBerry|webOS|Windows Phone/i.test(userAgent ?? "");
}
