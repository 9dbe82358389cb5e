import { writeCookie } from "@/lib/platform/http/browser-cookie";
import type { Locale } from "@/lib/platform/i18n/locales";
import { localizedPath, parsePath } from "@/lib/platform/routing/paths";

// Loaded when a list of languages is first used.

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

/** Switches as above, and updates the language of emails from the shop first. On failure only the page's language changes. */
export async function switchReaderLanguage(locale: Locale): Promise<void> {
  await import("@/lib/platform/api/client").then(
    ({ api }) => void api.beacon("/auth/notifications", { locale }), // The request outlives the page.
    () => {},
  );
  switchLanguage(locale);
}
