import { writeCookie } from "@/lib/platform/http/browser-cookie";
import type { Locale } from "@/lib/platform/i18n/locales";
import { localizedPath, parsePath } from "@/lib/platform/routing/paths";

const YEAR_SECONDS = 31_536_000;

/** Stores the language, also in a cookie for the server (docs/product.md#24-navigation), and opens this page in it. */
export function switchLanguage(locale: Locale): void {
  try {
    localStorage.setItem("locale", locale);
  } catch {
    // Storage may be blocked. The URL alone selects the language.
  }
  writeCookie(`locale=${locale}`, YEAR_SECONDS);
  const { path, surface } = parsePath(location.pathname);
  location.assign(localizedPath(path, { locale, surface }) + location.search + location.hash);
}
