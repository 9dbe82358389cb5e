import type { Locale } from "@/lib/platform/i18n/locales";

/** The operator's announcement on every page: ANNOUNCEMENT (docs/product.md#23-header-footer-banners). */
export function Announcement({
  texts,
  locale,
  label,
}: {
  texts: Partial<Record<Locale, string>>;
  locale: Locale;
  label: string;
}) {
  const text = texts[locale] ?? texts.en;
  if (!text) return null;
  return (
    <aside aria-label={label} className="border-b border-hairline bg-raised px-4 py-2.5 text-center">
      <p lang={texts[locale] ? undefined : "en"}>{text}</p>
    </aside>
  );
}
