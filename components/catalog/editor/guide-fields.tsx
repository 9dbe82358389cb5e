import { useTranslations } from "next-intl";
import { TextArea, TextInput } from "@/components/ui/text-input";
import type { DraftGuide } from "@/lib/catalog/console/rules-draft";
import { HTML_LANG, LOCALES } from "@/lib/platform/i18n/locales";
import type { SectionProps } from "./section";

/** How a code is redeemed: the vendor's page, and the steps in each language. `path` is that of the guide in the record. */
export function GuideFields({
  guide,
  onChange,
  path,
  problemAt,
}: {
  guide: DraftGuide;
  onChange: (guide: DraftGuide) => void;
  path: string;
} & Pick<SectionProps, "problemAt">) {
  const t = useTranslations("console.editor");
  return (
    <div className="flex flex-col gap-4">
      <TextInput
        type="url"
        label={t("field.url")}
        placeholder="https://"
        value={guide.url}
        autoComplete="off"
        error={problemAt(`${path}.url`)}
        onChange={(event) => onChange({ ...guide, url: event.target.value })}
        className="max-w-text"
      />
      <div className="grid gap-x-5 gap-y-4 min-[1100px]:grid-cols-3">
        {LOCALES.map((locale) => (
          <TextArea
            key={locale}
            lang={HTML_LANG[locale]}
            label={`${t("field.steps")} · ${t(`language.${locale}`)}`}
            hint={t("hint.lines")}
            rows={5}
            value={guide.steps[locale]}
            error={problemAt(`${path}.steps.${locale}`)}
            onChange={(event) =>
              onChange({ ...guide, steps: { ...guide.steps, [locale]: event.target.value } })
            }
          />
        ))}
      </div>
    </div>
  );
}
