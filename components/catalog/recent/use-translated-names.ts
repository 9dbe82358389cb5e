import { useDictionary } from "@/components/catalog/use-dictionary";
import { useSurface } from "@/components/ui/surface";
import type { RecentProduct } from "./record-product";

/** The names of products in the page's language: as viewed in it, else by the dictionary, else in English. */
export function useTranslatedNames(products: readonly RecentProduct[]) {
  const { locale } = useSurface();
  const translate = useDictionary(products.some(({ names }) => names[locale] === undefined));
  return products.map(({ names, slug }): { text: string; lang?: string } => {
    const own = names[locale];
    if (own !== undefined) return { text: own };
    const english = names.en;
    if (english === undefined) {
      const [lang, text] = Object.entries(names)[0] ?? [undefined, slug];
      return { text, lang };
    }
    const text = translate(english);
    return text === english ? { text, lang: "en" } : { text };
  });
}
