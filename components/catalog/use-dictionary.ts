import { useEffect, useState } from "react";
import { useSurface } from "@/components/ui/surface";
import { cachedTranslation } from "@/lib/platform/i18n/translation-cache";

type Translate = (text: string, language: string) => string;

/**
 * Returns a function that translates English names of products and passes into the page's language. The dictionary is
 * loaded when `isNeeded`, on pages in another language; until then, and for unknown texts, the text stays as it is.
 */
export function useDictionary(isNeeded: boolean): (text: string) => string {
  const { locale } = useSurface();
  const [translate, setTranslate] = useState<Translate>();
  useEffect(() => {
    if (!isNeeded || locale === "en" || translate) return;
    import("@/lib/catalog/translation/rules-products").then(
      ({ translateProductText }) => setTranslate(() => translateProductText),
      () => {}, // The English text is shown.
    );
  }, [isNeeded, locale, translate]);
  return (text) => (translate ? cachedTranslation(text, locale, () => translate(text, locale)) : text);
}
