import { useTranslations } from "next-intl";
import { COMPARED_MAX } from "@/lib/catalog/rules";

export type CompareLabels = ReturnType<typeof useCompareLabels>;

/** The labels of the controls that choose passes to compare, formatted for the client. */
export function useCompareLabels() {
  const t = useTranslations("catalog.compare");
  return {
    toggle: t("toggle"),
    full: t("full", { max: COMPARED_MAX }),
    open: t("open", { count: "%s" }),
    one: t("one"),
    clear: t("clear"),
    bar: t("bar"),
  };
}
