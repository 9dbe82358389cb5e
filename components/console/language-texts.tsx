import { TextArea } from "@/components/ui/text-input";
import { byLocale, HTML_LANG, LANGUAGE_NAMES, LOCALES, type Locale } from "@/lib/platform/i18n/locales";

type Texts = Record<Locale, string>;
type Props = { maxLength: number; rows: number; texts?: Texts | undefined };

/** A text in each language, to be written; `readLanguageTexts` reads the fields. */
export const LanguageFields = ({ maxLength, rows, texts }: Props) =>
  LOCALES.map((locale) => (
    <TextArea
      key={locale}
      name={locale}
      lang={HTML_LANG[locale]}
      label={LANGUAGE_NAMES[locale]}
      required
      maxLength={maxLength}
      rows={rows}
      defaultValue={texts?.[locale]}
    />
  ));

export const readLanguageTexts = (fields: FormData): Texts =>
  byLocale((locale) => String(fields.get(locale) ?? "").trim());

/** A text in each language, to be read. */
export const LanguageTexts = ({ texts }: { texts: Texts }) => (
  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
    {LOCALES.map((locale) => (
      <div key={locale} className="contents">
        <dt className="text-13 leading-6 text-quiet">{LANGUAGE_NAMES[locale]}</dt>
        <dd lang={HTML_LANG[locale]} className="line-clamp-3 wrap-anywhere whitespace-pre-line">
          {texts[locale]}
        </dd>
      </div>
    ))}
  </dl>
);
