"use client";

import { useSessionSummary } from "@/components/shell/session-summary";
import { Icon } from "@/components/ui/icon";
import { useSurface } from "@/components/ui/surface";
import { writeCookie } from "@/lib/platform/http/browser-cookie";
import { HTML_LANG, isLocale, LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { localizedPath, parsePath } from "@/lib/platform/routing/paths";

/** The name of each language in that language. */
const NAMES: Record<Locale, string> = { en: "English", zh: "简体中文", ja: "日本語" };
const YEAR_SECONDS = 31_536_000;

/** Stores the language, also in a cookie for the server (docs/product.md#24-navigation), and opens this page in it. */
function switchLanguage(locale: Locale): void {
  try {
    localStorage.setItem("locale", locale);
  } catch {
    // Storage may be blocked. The URL alone selects the language.
  }
  writeCookie(`locale=${locale}`, YEAR_SECONDS);
  const { path, surface } = parsePath(location.pathname);
  location.assign(localizedPath(path, { locale, surface }) + location.search + location.hash);
}

/** Updates the language of emails from the shop. The API client is loaded when the list is first used. */
const loadApiClient = () => import("@/lib/platform/api/client");
function saveMailLanguage(locale: Locale): void {
  loadApiClient().then(
    ({ api }) => api.tell("/auth/notifications", { locale }), // The request outlives the page.
    () => {}, // On failure only the page language changes.
  );
}

/** Native and as wide as the selected name: the widest name would load fonts that the page does not use. */
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
        onFocus={signedIn ? () => void loadApiClient().catch(() => {}) : undefined}
        onChange={(event) => {
          const chosen = event.target.value;
          // Resets the control, because this page keeps its language when it is restored from the back/forward cache.
          event.target.value = locale;
          if (!isLocale(chosen)) return;
          if (signedIn) saveMailLanguage(chosen);
          switchLanguage(chosen);
        }}
        className="field-sizing-content min-h-11 cursor-pointer appearance-none rounded-control bg-transparent pr-8 pl-9.5 font-medium [&>option]:bg-raised [&>option]:text-ink"
      >
        {LOCALES.map((option) => (
          <option key={option} value={option} lang={HTML_LANG[option]}>
            {NAMES[option]}
          </option>
        ))}
      </select>
      <Icon name="down" size={16} className="pointer-events-none absolute right-2.5 text-quiet" />
    </label>
  );
}
