"use client";

import { HTML_LANG, type Locale, TRANSLATIONS } from "@/lib/platform/i18n/locales";

const APOLOGY: Record<Locale, string> = {
  en: "Something went wrong on our side",
  zh: "我们这边出了点问题。",
  ja: "こちらで問題が発生しました。",
};
const RETRY: Record<Locale, string> = { en: "Try again", zh: "重试", ja: "もう一度試す" };

/** Shown when the root layout itself fails, which leaves no styles and no messages. */
export default function GlobalError({ retry }: { retry: () => void }) {
  return (
    <html lang="en" style={{ colorScheme: "light dark" }}>
      <body style={{ fontFamily: "system-ui", padding: "10vh 1.5rem", maxWidth: "40rem", margin: "auto" }}>
        <h1>{APOLOGY.en}</h1>
        {TRANSLATIONS.map((locale) => (
          <p key={locale} lang={HTML_LANG[locale]}>
            {APOLOGY[locale]}
          </p>
        ))}
        <button type="button" onClick={retry}>
          {Object.values(RETRY).join(" · ")}
        </button>
      </body>
    </html>
  );
}
