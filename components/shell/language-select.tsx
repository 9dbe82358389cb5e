"use client";

import { useSessionSummary } from "@/components/shell/session-summary";
import { useSurface } from "@/components/ui/surface";
import { HTML_LANG, LANGUAGE_NAMES, LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { PlainSelect } from "./plain-select";

const loadSwitch = () => import("./switch-language");

/** The page's language. A page that is restored from the back/forward cache shows its own again. */
export function LanguageSelect({ label, compact = false }: { label: string; compact?: boolean }) {
  const { locale } = useSurface();
  const signedIn = useSessionSummary()?.signedIn === true;
  return (
    <PlainSelect
      label={label}
      icon="globe"
      options={LOCALES.map((option) => ({
        value: option,
        text: LANGUAGE_NAMES[option],
        lang: HTML_LANG[option],
      }))}
      value={locale}
      onFocus={() => void loadSwitch().catch(() => {})}
      onChoose={(chosen) => {
        loadSwitch().then(
          ({ switchLanguage, switchReaderLanguage }) =>
            (signedIn ? switchReaderLanguage : switchLanguage)(chosen as Locale),
          () => location.reload(), // The page is older than the server's files.
        );
      }}
      compact={compact}
    />
  );
}
