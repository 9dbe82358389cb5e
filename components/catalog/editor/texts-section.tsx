import { useTranslations } from "next-intl";
import { Pill } from "@/components/console/pill";
import { RecordSection } from "@/components/console/record";
import { TextArea, TextInput } from "@/components/ui/text-input";
import type { DraftTexts } from "@/lib/catalog/console/rules-draft";
import type { GateVerdict } from "@/lib/catalog/translation/rules-gate";
import { HTML_LANG, LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import type { SectionProps } from "./section";

const TONES = { shown: "good", english: "plain", refused: "bad" } as const;

/** The texts in three languages side by side, each with the verdict of the translation gate. */
export function TextsSection({
  draft,
  change,
  problemAt,
  verdicts,
}: SectionProps & { verdicts: readonly GateVerdict[] }) {
  const t = useTranslations("console.editor");
  return (
    <RecordSection id="texts" title={t("section.texts")}>
      <div className="grid gap-x-5 gap-y-8 min-[1100px]:grid-cols-3 min-[1100px]:grid-rows-[auto_auto_auto_1fr_auto] min-[1100px]:gap-y-4">
        {LOCALES.map((locale) => {
          const verdict = verdicts.find(({ language }) => language === locale);
          const setTexts = (texts: Partial<DraftTexts>) =>
            change({ texts: { ...draft.texts, [locale]: { ...draft.texts[locale], ...texts } } });
          return (
            <fieldset
              key={locale}
              aria-label={t(`language.${locale}`)}
              className="grid min-w-0 gap-4 min-[1100px]:row-span-5 min-[1100px]:grid-rows-subgrid"
            >
              <p className="flex flex-wrap items-center gap-2 font-semibold">
                {t(`language.${locale}`)}
                {verdict && <Pill tone={TONES[verdict.state]}>{t(`verdict.${verdict.state}`)}</Pill>}
              </p>
              <Fields locale={locale} texts={draft.texts[locale]} onChange={setTexts} problemAt={problemAt} />
            </fieldset>
          );
        })}
      </div>
    </RecordSection>
  );
}

type FieldsProps = Pick<SectionProps, "problemAt"> & {
  locale: Locale;
  texts: DraftTexts;
  onChange: (texts: Partial<DraftTexts>) => void;
};

function Fields({ locale, texts, onChange, problemAt }: FieldsProps) {
  const t = useTranslations("console.editor");
  const control = (name: keyof DraftTexts) => ({
    lang: HTML_LANG[locale],
    label: t(`field.${name}`),
    value: texts[name],
    error: problemAt(`texts.${locale}.${name}`),
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  });
  return (
    <>
      <TextInput {...control("name")} maxLength={80} autoComplete="off" />
      <TextArea {...control("tagline")} rows={2} maxLength={160} />
      <TextArea {...control("description")} rows={8} maxLength={4000} />
      <TextArea {...control("includes")} rows={5} hint={t("hint.lines")} />
    </>
  );
}
