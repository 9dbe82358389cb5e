import { useTranslations } from "next-intl";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { isFieldName } from "@/lib/catalog/console/rules-changes";
import { isPlainField } from "@/lib/catalog/import/rules-fields";
import { PASS_TYPES } from "@/lib/catalog/rules";
import { isLocale } from "@/lib/platform/i18n/locales";

/** Fields of categories and of groups of synonyms besides those that a product has too. */
const OTHER_FIELDS = ["hue", "names", "terms"] as const;
const isOtherField = (name: string): name is (typeof OTHER_FIELDS)[number] =>
  (OTHER_FIELDS as readonly string[]).includes(name);

/** A plan's kind, `week:7`, as the pass that it is. */
function parseKind(kind: string) {
  const [name, days] = kind.split(":");
  const type = PASS_TYPES.find((candidate) => candidate === name);
  return type && { pass_type: type, duration_days: days === undefined ? null : Number(days) };
}

/** Names of fields and plans in the reader's language: `texts.zh.tagline` is "Chinese · Tagline". */
export function useFieldNames() {
  const t = useTranslations("console.editor");
  const plain = useTranslations("catalog.field");
  const passes = usePassLabels();
  const planName = (kind: string): string => {
    const pass = parseKind(kind);
    return pass ? passes.name(pass) : kind;
  };
  const fieldName = (path: string): string => {
    const [first, ...rest] = path.split(".");
    const parts = first === "plans" || first === "texts" ? rest : [first ?? "", ...rest];
    return parts
      .map((part) => {
        if (isLocale(part)) return t(`language.${part}`);
        if (isPlainField(part)) return plain(part);
        return isFieldName(part) || isOtherField(part) ? t(`field.${part}`) : planName(part);
      })
      .join(" · ");
  };
  return { fieldName, planName };
}
