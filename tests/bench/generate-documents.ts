import { storedTokens } from "@/lib/catalog/search/rules-text";
import type { Made } from "./generate-products";

/**
 * The search document of a product, as text of the type tsvector: the same as refresh_search_documents writes, made of
 * the shop's own tokens. generate-shop.ts compares a sample of both.
 */

type Places = Map<string, string[]>;
const LAST_PLACE = 16_383;

/** Adds the tokens of a text behind place `from`; gives the last place. */
function add(places: Places, text: string, weight: string, from: number): number {
  const tokens = storedTokens(text);
  tokens.forEach((token, i) => {
    const place = `${Math.min(from + i + 1, LAST_PLACE)}${weight}`;
    const known = places.get(token);
    if (known) known.push(place);
    else places.set(token, [place]);
  });
  return from + tokens.length;
}

/** The document, its tokens, and the vocabulary's rank of each that stands in a name (0) or beside it (1). */
export function documentOf(product: Made, categoryNames: readonly string[]) {
  const places: Places = new Map();
  const texts = [product.texts.en, product.texts.ja, product.texts.zh].filter((text) => text !== undefined);
  const joined = (parts: readonly string[]) => parts.join(" | ");
  let last = add(places, joined(texts.map(({ name }) => name)), "A", 0);
  const about = [...texts.map(({ tagline }) => tagline), product.vendor, ...categoryNames];
  last = add(places, joined(about), "B", last);
  const ranks = new Map([...places].map(([token, at]) => [token, at[0]!.endsWith("A") ? 0 : 1]));
  add(places, joined(texts.map(({ description }) => description)), "", last);
  const words = [...places].map(([token, at]) => `'${token}':${at.join(",")}`);
  return { document: [...words, ...termsOf(product)].join(" "), ranks, tokens: places.keys() };
}

const termsOf = ({ category, plans }: Made): Set<string> =>
  new Set([
    `'category:${category}'`,
    ...plans.flatMap(({ type, days }) => [`'type:${type}'`, ...(days === null ? [] : [`'days:${days}'`])]),
  ]);
