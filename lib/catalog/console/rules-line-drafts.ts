import { type ByLocale, joinItems, splitItems, toNumber } from "@/lib/catalog/console/rules-draft";
import type { CategoryRecord, SynonymsRecord } from "@/lib/catalog/import/contract";
import { byLocale, LOCALES } from "@/lib/platform/i18n/locales";

// Records of categories and of groups of synonyms as the fields of their forms hold them.

export type CategoryDraft = {
  slug: string;
  sort_num: string;
  hue: string;
  names: ByLocale<string>;
  texts: ByLocale<string>;
  search_terms: ByLocale<string>;
};
export type SynonymsDraft = { slug: string; terms: ByLocale<string> };

/** The languages that have a text. */
const written = (texts: ByLocale<string>) =>
  Object.fromEntries(
    LOCALES.flatMap((locale) => (texts[locale].trim() === "" ? [] : [[locale, texts[locale]]])),
  );
const writtenItems = (texts: ByLocale<string>) =>
  Object.fromEntries(
    LOCALES.flatMap((locale) => {
      const items = splitItems(texts[locale]);
      return items.length === 0 ? [] : [[locale, items]];
    }),
  );

export const toCategoryDraft = ({
  slug,
  sort_num,
  hue,
  names,
  texts,
  search_terms,
}: CategoryRecord): CategoryDraft => ({
  slug,
  sort_num: String(sort_num),
  hue: String(hue),
  names: byLocale((locale) => names[locale] ?? ""),
  texts: byLocale((locale) => texts?.[locale] ?? ""),
  search_terms: byLocale((locale) => joinItems(search_terms[locale])),
});

export const newCategoryDraft = (): CategoryDraft => ({
  slug: "",
  sort_num: "",
  hue: "",
  names: byLocale(() => ""),
  texts: byLocale(() => ""),
  search_terms: byLocale(() => ""),
});

/** The record of a draft; invalid fields are refused by the call. */
export function fromCategoryDraft(draft: CategoryDraft) {
  const texts = written(draft.texts);
  return {
    kind: "category",
    slug: draft.slug.trim(),
    sort_num: toNumber(draft.sort_num),
    hue: toNumber(draft.hue),
    names: written(draft.names),
    ...(Object.keys(texts).length > 0 && { texts }),
    search_terms: writtenItems(draft.search_terms),
  };
}

export const toSynonymsDraft = (line: SynonymsRecord | null): SynonymsDraft => ({
  slug: line?.slug ?? "",
  terms: byLocale((locale) => joinItems(line?.terms[locale])),
});

export const fromSynonymsDraft = ({ slug, terms }: SynonymsDraft) => ({
  kind: "synonyms",
  slug: slug.trim(),
  terms: writtenItems(terms),
});
