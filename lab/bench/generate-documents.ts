import { storedTokens } from "@/lib/catalog/search/rules-text";
import type { GeneratedProduct } from "./generate-products";

/**
 * The search document of a product as text of the type tsvector: equal to what refresh_search_documents writes, made
 * from the tokens of lib/catalog/search. generate-catalog.ts compares a sample of both.
 */

type Positions = Map<string, string[]>;
const MAX_POSITION = 16_383;

/** Adds the tokens of a text after position `from`; returns the last position. */
function addTokens(positions: Positions, text: string, weight: string, from: number): number {
  const tokens = storedTokens(text);
  tokens.forEach((token, i) => {
    const position = `${Math.min(from + i + 1, MAX_POSITION)}${weight}`;
    const existing = positions.get(token);
    if (existing) existing.push(position);
    else positions.set(token, [position]);
  });
  return from + tokens.length;
}

/** Returns the document, its tokens, and the vocabulary rank of tokens in names (0) and in other short texts (1). */
export function createDocument(product: GeneratedProduct, categoryNames: readonly string[]) {
  const positions: Positions = new Map();
  const texts = [product.texts.en, product.texts.ja, product.texts.zh].filter((text) => text !== undefined);
  const join = (parts: readonly string[]) => parts.join(" | ");
  let last = addTokens(positions, join(texts.map(({ name }) => name)), "A", 0);
  const shortTexts = [...texts.map(({ tagline }) => tagline), product.vendor, ...categoryNames];
  last = addTokens(positions, join(shortTexts), "B", last);
  const ranks = new Map(
    [...positions].map(([token, positionList]) => [token, positionList[0]!.endsWith("A") ? 0 : 1]),
  );
  addTokens(positions, join(texts.map(({ description }) => description)), "", last);
  const lexemes = [...positions].map(([token, positionList]) => `'${token}':${positionList.join(",")}`);
  return { document: [...lexemes, ...listTerms(product)].join(" "), ranks, tokens: positions.keys() };
}

const listTerms = ({ category, plans }: GeneratedProduct): Set<string> =>
  new Set([
    `'category:${category}'`,
    ...(plans.some(({ cents }) => cents === 0) ? ["'price:free'"] : []),
    ...plans.flatMap(({ type, days }) => [`'type:${type}'`, ...(days === null ? [] : [`'days:${days}'`])]),
  ]);
