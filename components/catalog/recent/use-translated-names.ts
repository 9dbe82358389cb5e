import { useEffect, useState } from "react";
import { useSurface } from "@/components/ui/surface";
import { cachedTranslation } from "@/lib/platform/i18n/translation-cache";
import type { RecentProduct } from "./recent-products";

type Translate = (text: string, language: string) => string;

/**
 * The names of products in the page's language: as viewed in it, else by the dictionary, else in English. The dictionary
 * of product names is loaded when a name needs it.
 */
export function useTranslatedNames(products: readonly RecentProduct[]) {
  const { locale } = useSurface();
  const [translate, setTranslate] = useState<Translate>();
  const isIncomplete = products.some(({ names }) => names[locale] === undefined);
  useEffect(() => {
    if (!isIncomplete || locale === "en" || translate) return;
    import("@/lib/catalog/translation/rules-products").then(
      ({ translateProductText }) => setTranslate(() => translateProductText),
      () => {}, // The English name is shown.
    );
  }, [isIncomplete, locale, translate]);
  return products.map(({ names, slug }): { text: string; lang?: string } => {
    const own = names[locale];
    if (own !== undefined) return { text: own };
    const english = names.en;
    if (english === undefined) {
      const [lang, text] = Object.entries(names)[0] ?? [undefined, slug];
      return { text, lang };
    }
    const text = translate ? cachedTranslation(english, locale, () => translate(english, locale)) : english;
    return text === english ? { text, lang: "en" } : { text };
  });
}
