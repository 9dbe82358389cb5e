"use client";

import { useSessionSummary } from "@/components/shell/session-summary";
import { switchLanguage } from "@/components/shell/switch-language";
import { Icon } from "@/components/ui/icon";
import { useSurface } from "@/components/ui/surface";
import { HTML_LANG, isLocale, LOCALES, type Locale } from "@/lib/platform/i18n/locales";

/** The name of each language in that language. */
const NAMES: Record<Locale, string> = { en: "English", zh: "简体中文", ja: "日本語" };
/** Updates the language of emails from the shop. The API client is loaded when the list is first used. */
const loadApiClient = () => import("@/lib/platform/api/client");
function saveMailLanguage(locale: Locale): void {
  loadApiClient().then(
    ({ api }) => api.tell("/auth/notifications", { locale }), // The request outlives the page.
    () => {}, // On failure only the page language changes.
  );
}

/**
 * Native and as wide as the selected name: the widest name would load fonts that the page does not use. `compact` shows
 * the globe alone.
 */
export function LanguageSelect({ label, compact = false }: { label: string; compact?: boolean }) {
  const { locale } = useSurface();
  const signedIn = useSessionSummary()?.signedIn === true;
  return (
    <label className="relative inline-flex items-center rounded-control hover:bg-tint">
      <span className="sr-only">{label}</span>
      <Icon name="globe" className={`pointer-events-none absolute ${compact ? "left-3" : "left-2.5"}`} />
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
        className={`min-h-11 cursor-pointer appearance-none rounded-control bg-transparent font-medium [&>option]:bg-raised [&>option]:text-ink ${compact ? "w-11 text-transparent" : "field-sizing-content pr-8 pl-9.5"}`}
      >
        {LOCALES.map((option) => (
          <option key={option} value={option} lang={HTML_LANG[option]}>
            {NAMES[option]}
          </option>
        ))}
      </select>
      {!compact && (
        <Icon name="down" size={16} className="pointer-events-none absolute right-2.5 text-quiet" />
      )}
    </label>
  );
}
