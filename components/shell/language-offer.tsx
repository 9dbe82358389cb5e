"use client";

import { useEffect, useState } from "react";
import { switchLanguage } from "@/components/shell/switch-language";
import { Icon } from "@/components/ui/icon";
import { useSurface } from "@/components/ui/surface";
import { DEFAULT_LOCALE, HTML_LANG, isLocale, type Locale } from "@/lib/platform/i18n/locales";

/** The offer and its dismissal, each in the language it offers. */
const TEXTS: Record<Locale, { offer: string; dismiss: string }> = {
  en: { offer: "View in English", dismiss: "No, thanks" },
  zh: { offer: "用中文浏览", dismiss: "不用了" },
  ja: { offer: "日本語で見る", dismiss: "今はしない" },
};
const DISMISSED = "language_offer_dismissed";

/**
 * Offers this page in the browser's language when it differs, until the reader accepts, chooses a language or dismisses
 * it. It never redirects. It has its own place in the header, on narrow phones a row (shell.css), and covers nothing there.
 */
export function LanguageOffer() {
  const { locale } = useSurface();
  const [offered, setOffered] = useState<Locale>();
  useEffect(() => setOffered(findOffer(locale)), [locale]);
  if (!offered) return null;
  const { offer, dismiss } = TEXTS[offered];
  return (
    <span className="language-offer" lang={HTML_LANG[offered]}>
      <button type="button" onClick={() => switchLanguage(offered)}>
        {offer}
      </button>
      <button
        type="button"
        aria-label={dismiss}
        onClick={() => {
          store();
          setOffered(undefined);
        }}
      >
        <Icon name="close" size={16} />
      </button>
    </span>
  );
}

function store(): void {
  try {
    localStorage.setItem(DISMISSED, "1");
  } catch {
    // Storage may be blocked. The offer returns on the next page.
  }
}

/** The browser's first language that the shop speaks, unless it is this page's or the reader has decided before. */
function findOffer(locale: Locale): Locale | undefined {
  try {
    if (localStorage.getItem("locale") ?? localStorage.getItem(DISMISSED)) return undefined;
  } catch {
    return undefined;
  }
  const preferred = navigator.languages
    .map((tag) => tag.toLowerCase().split("-", 1)[0])
    .find((language): language is Locale => isLocale(language));
  // Only a first choice counts for English: many browsers list it after the reader's own language.
  if (preferred === DEFAULT_LOCALE && !navigator.language.toLowerCase().startsWith(DEFAULT_LOCALE))
    return undefined;
  return preferred === locale ? undefined : preferred;
}
