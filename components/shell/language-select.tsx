"use client";

import { useSessionSummary } from "@/components/shell/session-summary";
import { Icon } from "@/components/ui/icon";
import { useSurface } from "@/components/ui/surface";
import { writeCookie } from "@/lib/platform/http/browser-cookie";
import { HTML_LANG, isLocale, LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { localizedPath, parsePath } from "@/lib/platform/routing/paths";

/** Each language in its own words. */
const NAMES: Record<Locale, string> = { en: "English", zh: "简体中文", ja: "日本語" };
const YEAR_SECONDS = 31_536_000;

/** Remembers the language (docs/product.md#24-navigation: local storage; the cookie is for the server) and loads this page in it. */
function change(locale: Locale): void {
  try {
    localStorage.setItem("locale", locale);
  } catch {
    // Storage may be closed; the address alone is enough.
  }
  writeCookie(`locale=${locale}`, YEAR_SECONDS);
  const { path, surface } = parsePath(location.pathname);
  location.assign(localizedPath(path, { locale, surface }) + location.search + location.hash);
}

/** Has what the shop writes by itself follow; the code that asks is loaded when somebody reaches for the list. */
const caller = () => import("@/lib/platform/api/client");
function keep(locale: Locale): void {
  caller().then(
    ({ api }) => api.tell("/auth/notifications", { locale }), // outlives the page, which leaves at once
    () => {}, // the pages change all the same
  );
}

/**
 * The language of the shop: the browser's own list, so that it works the same everywhere. As wide as the chosen one: to
 * be as wide as any, the browser would have to find faces for letters that the page has nowhere.
 */
export function LanguageSelect({ label }: { label: string }) {
  const { locale } = useSurface();
  const signedIn = useSessionSummary()?.signedIn === true;
  return (
    <label className="relative inline-flex items-center rounded-control hover:bg-tint">
      <span className="sr-only">{label}</span>
      <Icon name="globe" className="pointer-events-none absolute left-2.5" />
      <select
        defaultValue={locale}
        autoComplete="off"
        onFocus={signedIn ? () => void caller().catch(() => {}) : undefined}
        onChange={(event) => {
          const chosen = event.target.value;
          // This page stays in its language, also when the browser brings it back later.
          event.target.value = locale;
          if (!isLocale(chosen)) return;
          if (signedIn) keep(chosen);
          change(chosen);
        }}
        className="field-sizing-content min-h-11 cursor-pointer appearance-none rounded-control bg-transparent pr-8 pl-9.5 font-medium [&>option]:bg-raised [&>option]:text-ink"
      >
        {LOCALES.map((each) => (
          <option key={each} value={each} lang={HTML_LANG[each]}>
            {NAMES[each]}
          </option>
        ))}
      </select>
      <Icon name="down" size={16} className="pointer-events-none absolute right-2.5 text-quiet" />
    </label>
  );
}
