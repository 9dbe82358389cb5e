import { searchDb } from "@/db/client";
import type { ProductList, SearchProductsInput } from "@/lib/catalog/contract";
import { type ListSelection, listCards, toListSelection } from "@/lib/catalog/listing/list-cards";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { SearchResults } from "./contract";
import { hasProducts } from "./find-correction";
import { findReading } from "./find-reading";
import {
  findNamedPasses,
  namedOffer,
  type SearchWord,
  searchWords,
  type TextQuery,
  toTextQuery,
} from "./rules";
import { searchSource } from "./search-sql";
import { withInflections } from "./with-inflections";

/**
 * The products that match a keyword (`/product/search`, docs/product.md#88-search). Every word must occur in any
 * language; the last word may be a prefix. Matches in names rank first. Any text is a valid keyword; an empty one matches
 * everything. Without results, the readings of `findReading` are tried; `match` and `corrected` say which was used.
 */
export async function searchProducts(input: SearchProductsInput, locale: Locale): Promise<SearchResults> {
  const words = await withInflections(searchWords(input.keyword));
  const query = toTextQuery(words);
  const results = await search(input, words, query, locale);
  const asTyped = { ...results, match: "exact", corrected: null } as const;
  if (results.total > 0 || (isFiltered(input) && (await hasProducts(query)))) return asTyped;
  const reading = await findReading(input.keyword, words);
  if (!reading) return asTyped;
  const { match, corrected } = reading;
  const read = await search(input, reading.words, reading.query, locale);
  return read.total > 0 || corrected ? { ...read, match, corrected } : asTyped;
}

/** Whether the input restricts the plans or products, so that a keyword with matches can have no results. */
const isFiltered = ({
  category,
  seller,
  pass_type,
  vip_type,
  in_stock,
  price_from,
  price_to,
  price_per_day_to,
}: SearchProductsInput) =>
  [category, seller, pass_type ?? vip_type, in_stock, price_from, price_to, price_per_day_to].some(
    (value) => value !== undefined,
  );

function search(
  input: SearchProductsInput,
  words: SearchWord[],
  query: TextQuery,
  locale: Locale,
): Promise<ProductList> {
  const filtered = { ...toListSelection(input, locale), seller: input.seller };
  if (query === "everything") return listCards(withNamedOffer(filtered, words));
  const selection = { ...filtered, namedPasses: findNamedPasses(words) };
  return listCards({ ...selection, source: searchSource(query, selection) }, searchDb);
}

/** A keyword of price words only: "cheap" lists all passes from the cheapest, "sale" those with a running deal. */
function withNamedOffer(selection: ListSelection, words: SearchWord[]): ListSelection {
  const offer = namedOffer(words);
  if (offer === "deals") return { ...selection, onDeal: true };
  return offer === "cheap" && selection.order === "recommend"
    ? { ...selection, order: "price_asc" }
    : selection;
}
