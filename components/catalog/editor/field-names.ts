import { useTranslations } from "next-intl";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { PASS_TYPES } from "@/lib/catalog/rules";
import { isLocale } from "@/lib/platform/i18n/locales";

const FIELDS = [
  "slug",
  "listed",
  "vendor",
  "vendor_email",
  "category",
  "sort_num",
  "image",
  "search_terms",
  "activation",
  "plan_order",
  "name",
  "tagline",
  "description",
  "price",
  "list_price",
  "deal",
  "quantity",
  "ends_at",
  "availability",
  "releases_on",
  "purchase_limit",
  "redeem_margin_days",
  "region",
  "includes",
  "url",
  "steps",
  "type",
  "duration_days",
  "hue",
  "names",
  "texts",
  "terms",
] as const;
type FieldName = (typeof FIELDS)[number];
const isField = (name: string): name is FieldName => (FIELDS as readonly string[]).includes(name);

/** A plan's kind, `week:7`, as the pass that it is. */
function parseKind(kind: string) {
  const [name, days] = kind.split(":");
  const type = PASS_TYPES.find((candidate) => candidate === name);
  return type && { pass_type: type, duration_days: days === undefined ? null : Number(days) };
}

/** Names of fields and plans in the reader's language: `texts.zh.tagline` is "Chinese · Tagline". */
export function useFieldNames() {
  const t = useTranslations("console.editor");
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
        return isField(part) ? t(`field.${part}`) : planName(part);
      })
      .join(" · ");
  };
  return { fieldName, planName };
}
