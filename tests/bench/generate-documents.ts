import { storedTokens, textParts } from "@/lib/catalog/search/rules-text";
import type { Made } from "./generate-products";

/**
 * The search's document of a product, as text of the type tsvector: the same as refresh_product_documents writes
 * (migration search_depths), made of the shop's own tokens. generate-shop.ts compares a sample of both.
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

const written = (places: Places) => [...places].map(([token, at]) => `'${token}':${at.join(",")}`).join(" ");

export function documentOf(product: Made, categoryNames: readonly string[]) {
  const places: Places = new Map();
  const texts = [product.texts.en, product.texts.ja, product.texts.zh].filter((text) => text !== undefined);
  const joined = (parts: readonly string[]) => parts.join(" | ");
  let last = add(places, joined(texts.map(({ name }) => name)), "A", 0);
  const about = [...texts.map(({ tagline }) => tagline), product.maker, ...categoryNames];
  last = add(places, joined(about), "B", last);
  const head = written(places);
  const inHead = new Map([...places].map(([token, at]) => [token, at[0]!.endsWith("A") ? 0 : 1]));
  add(places, joined(texts.map(({ description }) => description)), "", last);
  const marks = [...marksOf(product), ...beginnings(inHead.keys()), ...letters(places.keys())];
  const marked = [...new Set(marks)].map((mark) => `'${mark}'`).join(" ");
  return { head, document: `${written(places)} ${marked}`, inHead, tokens: places.keys() };
}

const isRun = (token: string) => textParts(token)[0]?.kind === "run";

const beginnings = (tokens: Iterable<string>) =>
  [...tokens]
    .filter((token) => !isRun(token))
    .flatMap((token) => {
      const all = [...token];
      return [1, 2, 3].filter((n) => all.length >= n).map((n) => `~<${all.slice(0, n).join("")}`);
    });

const letters = (tokens: Iterable<string>) => [...tokens].filter(isRun).map((token) => `~${[...token][0]}`);

function marksOf({ id, sortNum, category, plans }: Made): string[] {
  const p = 1_048_576 - sortNum;
  return [
    ...plans.flatMap(({ type, days }) => [`~${type}`, ...(days === null ? [] : [`~d${days}`])]),
    `~c_${category}`,
    ...Array.from({ length: 21 }, (_, n) => `~p${n}_${p >> n}`),
    `~pb_${p}_${id >> 14}`,
  ];
}
