import { useTranslations } from "next-intl";
import { RecordSection } from "@/components/console/record";
import { Checkbox } from "@/components/ui/checkbox";
import { Select } from "@/components/ui/select";
import { TextArea, TextInput } from "@/components/ui/text-input";
import type { PlainField } from "@/lib/catalog/import/rules-fields";
import { HTML_LANG, LOCALES } from "@/lib/platform/i18n/locales";
import { useAudience } from "./audience";
import { useFieldNames } from "./field-names";
import { PictureField } from "./picture-field";
import type { SectionProps } from "./section";

export type CategoryOption = { value: string; label: string };

/** What a product is besides its texts: vendor, category, address, place in lists, picture. */
export function DetailsSection({
  draft,
  change,
  problemAt,
  categories,
  isNew,
}: SectionProps & { categories: readonly CategoryOption[]; isNew: boolean }) {
  const t = useTranslations("console.editor");
  const setsShopFields = useAudience() === "staff";
  const { fieldName } = useFieldNames();
  const text = (name: PlainField | "sort_num") => ({
    label: fieldName(name),
    value: draft[name],
    error: problemAt(name),
    autoComplete: "off",
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  return (
    <RecordSection id="details" title={t("section.details")}>
      <div className="flex flex-col gap-4">
        <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-2 min-[1100px]:grid-cols-3">
          {isNew && (
            <TextInput {...text("slug")} hint={t("hint.slug")} autoCapitalize="none" spellCheck={false} />
          )}
          <TextInput {...text("vendor")} maxLength={80} />
          {setsShopFields && (
            <TextInput {...text("vendor_email")} type="email" hint={t("hint.vendor_email")} />
          )}
          <Select
            label={fieldName("category")}
            value={draft.category}
            options={categories}
            error={problemAt("category")}
            onChange={(event) => change({ category: event.target.value })}
          />
          {setsShopFields && (
            <TextInput {...text("sort_num")} inputMode="numeric" hint={t("hint.sort_num")} />
          )}
        </div>
        <PictureField
          image={draft.image}
          problem={problemAt("image")}
          onChange={(image) => change({ image })}
        />
        {setsShopFields && (
          <Checkbox
            label={t("field.listed")}
            hint={t("hint.listed")}
            checked={draft.listed}
            onChange={(event) => change({ listed: event.target.checked })}
          />
        )}
      </div>
    </RecordSection>
  );
}

/** Search terms of the product, which are not shown. */
export function SearchSection({ draft, change, problemAt }: SectionProps) {
  const t = useTranslations("console.editor");
  return (
    <RecordSection id="search" title={t("field.search_terms")}>
      <div className="grid gap-x-5 gap-y-4 min-[1100px]:grid-cols-3">
        {LOCALES.map((locale) => (
          <TextArea
            key={locale}
            lang={HTML_LANG[locale]}
            label={t(`language.${locale}`)}
            hint={t("hint.lines")}
            rows={6}
            value={draft.search_terms[locale]}
            error={problemAt(`search_terms.${locale}`)}
            onChange={(event) =>
              change({ search_terms: { ...draft.search_terms, [locale]: event.target.value } })
            }
          />
        ))}
      </div>
    </RecordSection>
  );
}
