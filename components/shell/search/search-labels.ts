import { useTranslations } from "next-intl";
import type { RefObject } from "react";
import { PASS_TYPES, type PassType } from "@/lib/catalog/rules";

export type SearchLabels = ReturnType<typeof useSearchLabels>;

/** The props that the suggestions below a field need. */
export type SuggestionsProps = { input: RefObject<HTMLInputElement | null>; labels: SearchLabels };

/** The labels of a search field and its suggestions, formatted for the client. */
export function useSearchLabels() {
  const t = useTranslations();
  const types = Object.fromEntries(PASS_TYPES.map((type) => [type, t(`catalog.pass_type.${type}`)]));
  return {
    label: t("ui.header.search_label"),
    placeholder: t("ui.header.search_placeholder"),
    submit: t("ui.header.search_submit"),
    recent: t("catalog.suggest.recent"),
    clear: t("catalog.suggest.clear"),
    products: t("catalog.suggest.products"),
    categories: t("catalog.suggest.categories"),
    passes: t("catalog.suggest.passes"),
    available: t("catalog.suggest.available"),
    none: t("catalog.suggest.none"),
    how: t("catalog.sort.how"),
    free: t("catalog.free"),
    /** with `{price}` where the browser writes the price */
    priceFrom: t("catalog.suggest.price_from", { price: "{price}" }),
    types: types as Record<PassType, string>,
  };
}
