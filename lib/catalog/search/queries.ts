import { client } from "@/db/client";
import type { ProductList, SearchProductsInput } from "@/lib/catalog/contract";
import type { SearchQuery } from "@/lib/catalog/listing/contract";
import { listCards, pageOf } from "@/lib/catalog/listing/queries";
import { listCategories, listHotProducts } from "@/lib/catalog/queries";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { SearchResults, Suggestions } from "./contract";
import { findCorrection } from "./queries-correction";
import { foundBy } from "./queries-documents";
import {
  isBegun,
  passTypesLike,
  type SearchQuestion,
  type SearchWord,
  searchQuestion,
  searchWords,
} from "./rules";

const POPULAR = 4;
const SUGGESTED = { products: 6, categories: 3, types: 2 };

/**
 * What a keyword finds (`/product/search`, docs/product.md#73-catalogue-search-blog): every word must occur, in whatever language, the last one at least
 * its beginning; names rank first. Any text is a legal keyword; an empty one finds everything. When nothing is found
 * and a word looks like a slip of the finger, what it was meant to be is looked for instead, and `corrected` says so.
 */
export async function searchProducts(input: SearchProductsInput, locale: Locale): Promise<SearchResults> {
  const found = await search(input, locale);
  if (found.total > 0) return { ...found, corrected: null };
  const corrected = await findCorrection(input.keyword);
  return corrected
    ? { ...(await search({ ...input, keyword: corrected }, locale)), corrected }
    : { ...found, corrected };
}

function search({ keyword, ...input }: SearchProductsInput, locale: Locale): Promise<ProductList> {
  const words = searchWords(keyword);
  return listCards((sql) => {
    const found = foundBy(sql, searchQuestion(words), words);
    return { ...pageOf(input, locale), found, named: found?.named };
  });
}

/**
 * What may follow on the letters typed so far (`GET /product/suggest`): products by name, then by tagline, maker or
 * category, categories, kinds of pass. Nothing for blank letters.
 */
export async function suggestSearch(keyword: string, locale: Locale): Promise<Suggestions> {
  const words = searchWords(keyword);
  const question = searchQuestion(words);
  const vip_types = passTypesLike(keyword).slice(0, SUGGESTED.types);
  if (typeof question === "string") return { products: [], categories: [], vip_types };
  const found = await suggested(question, words, locale);
  if (found.products.length + found.categories.length + vip_types.length > 0) return { ...found, vip_types };
  const corrected = await findCorrection(keyword);
  return corrected ? suggestSearch(corrected, locale) : { ...found, vip_types };
}

async function suggested(
  question: Exclude<SearchQuestion, string>,
  words: SearchWord[],
  locale: Locale,
): Promise<Omit<Suggestions, "vip_types">> {
  const sql = client();
  const { hits } = foundBy(sql, question, words)!;
  type Row = {
    products: Suggestions["products"];
    categories: { category: string; names: Record<string, string> }[];
  };
  const [row] = await sql<Row[]>`
    select (select coalesce(json_agg(json_build_object('product_id', p.id, 'slug', p.slug, 'maker', p.maker,
        'product_name', coalesce(t.name, e.name), 'language', coalesce(t.locale, 'en'))
        order by s.name_hits desc, p.sort_num desc, p.id), '[]')
      from (select h.product_id, h.score as name_hits from ${hits({})} h
        where h.score > 0 order by h.score desc, h.sort_num desc, h.product_id limit ${sql.unsafe(String(SUGGESTED.products))}) s
      join products p on p.id = s.product_id and p.listed
      join product_texts e on e.product_id = p.id and e.locale = 'en'
      left join product_texts t on t.product_id = p.id and t.locale = ${locale}) as products,
    (select coalesce(json_agg(json_build_object('category', c.slug, 'names', c.names) order by c.sort_num, c.slug), '[]')
      from categories c join catalog_counts n on n.kind = 'category' and n.name = c.slug and n.total > 0) as categories`;
  const categories = row!.categories
    .filter(({ names }) => Object.values(names).some((name) => isBegun(name, words)))
    .slice(0, SUGGESTED.categories)
    .map(({ category, names }) => ({ category, category_name: names[locale] ?? names.en! }));
  return { products: row!.products, categories };
}

/** All that the search page shows; what goes best is looked up only where nothing else is there to show. */
export async function getSearchPage(query: SearchQuery, locale: Locale, { blankIsAll = false } = {}) {
  const [found, categories] = await Promise.all([
    query.blank && !blankIsAll ? null : searchProducts(query.search, locale),
    listCategories(locale),
  ]);
  const popular = found && found.items.length > 0 ? [] : (await listHotProducts(locale)).items;
  return { query, found, categories, popular: popular.slice(0, POPULAR) };
}
