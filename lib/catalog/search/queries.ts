import { type SQL, sql } from "drizzle-orm";
import { searchDb } from "@/db/client";
import type { ProductList, SearchProductsInput } from "@/lib/catalog/contract";
import type { SearchQuery } from "@/lib/catalog/listing/contract";
import {
  type ListSelection,
  type ListSource,
  listCards,
  toListSelection,
} from "@/lib/catalog/listing/queries";
import {
  bestPlanSql,
  type ListWindow,
  listingPageSql,
  orderSql,
  type PlanFilter,
  planConditions,
  stripInvalidCharacters,
} from "@/lib/catalog/listing/queries-index";
import { listCategories, listHotProducts } from "@/lib/catalog/queries";
import { CANDIDATES, LISTED_MATCHES, productImagePath, type SearchTerms } from "@/lib/catalog/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { toDecimal } from "@/lib/platform/money";
import type { SearchResults, Suggestions } from "./contract";
import { findCorrection, hasProducts, withInflections } from "./queries-typos";
import {
  documentTerm,
  findNamedPasses,
  isCertainSegmentation,
  matchesPrefixes,
  matchPassTypes,
  namedOffer,
  requiredWords,
  type SearchWord,
  searchWords,
  segmentSearchWords,
  type TextQuery,
  toAnyQuery,
  toTextQuery,
} from "./rules";

/** The number of matches up to which a search sorted by price reads all of them. */
const SORTED_MATCHES = 10_000;
const POPULAR_LIMIT = 4;
const SUGGESTION_LIMITS = { products: 6, categories: 3, types: 2 };

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
  pass_type,
  vip_type,
  in_stock,
  price_from,
  price_to,
  price_per_day_to,
}: SearchProductsInput) =>
  [category, pass_type ?? vip_type, in_stock, price_from, price_to, price_per_day_to].some(
    (value) => value !== undefined,
  );

type Reading = { words: SearchWord[]; query: TextQuery } & Pick<SearchResults, "match" | "corrected">;

/**
 * How a keyword without matches can be read: Chinese and Japanese separated into words, which is no guess; with corrected
 * typos, where a changed Chinese or Japanese word is a guess; or as products that have only some of the words.
 */
async function findReading(keyword: string, words: SearchWord[]): Promise<Reading | null> {
  const segmentations = segmentSearchWords(words);
  const certain = await findSegmentation(segmentations.filter(isCertainSegmentation));
  if (certain) return { ...certain, match: "exact", corrected: null };
  const correction = await findCorrection(keyword, words);
  if (correction) {
    const corrected = await withInflections(searchWords(correction.keyword));
    return {
      words: corrected,
      query: toTextQuery(corrected),
      match: correction.isGuess ? "closest" : "corrected",
      corrected: correction.keyword,
    };
  }
  const doubtful = await findSegmentation(segmentations.filter((each) => !isCertainSegmentation(each)));
  if (doubtful) return { ...doubtful, match: "closest", corrected: null };
  const separated = segmentations.at(-1) ?? words;
  const query = toAnyQuery(separated);
  return query && { words: separated, query, match: "closest", corrected: null };
}

async function findSegmentation(segmentations: SearchWord[][]) {
  for (const words of segmentations) {
    const query = toTextQuery(words);
    const hasLongWord = requiredWords(words).some(({ word }) => [...word].length > 1);
    if (hasLongWord && (await hasProducts(query))) return { words, query };
  }
  return null;
}

function search(
  input: SearchProductsInput,
  words: SearchWord[],
  query: TextQuery,
  locale: Locale,
): Promise<ProductList> {
  if (query === "everything") return listCards(withNamedOffer(toListSelection(input, locale), words));
  const namedPasses = findNamedPasses(words);
  const selection = { ...toListSelection(input, locale), namedPasses };
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

/** The matches of a query: ranked among the most popular CANDIDATES, or all matches when sorted by price. */
function searchSource(query: TextQuery, selection: PlanFilter & ListWindow): ListSource {
  if (typeof query === "string")
    return { page: listingPageSql({ productCondition: sql`and false` }, selection), count: sql`0` };
  if (selection.order !== "recommend") return priceSource(query.all, selection);
  const { limit, offset = 0 } = selection;
  return {
    candidates: candidatesSql(query, selection),
    page: sql`(select o.*, row_number() over (order by s.score desc, o.sort_num desc, o.product_id) as place
      from (select c.product_id as id, c.score from candidates c order by c.score desc, c.sort_num desc, c.product_id
        limit ${limit} offset ${offset}) s
      cross join lateral ${bestPlanSql(selection)} o)`,
    count: sql`(select count(*)::int from candidates)`,
  };
}

/**
 * All matches in the order of price. Up to SORTED_MATCHES are read and sorted; for more, the index on prices is read and
 * each product compared with the words. Postgres cannot make this choice: it estimates at least 0.5 % of all products
 * for any prefix, and would compare a million products with a word that occurs once.
 */
function priceSource(all: string, selection: PlanFilter & ListWindow): ListSource {
  const { order, limit, offset = 0 } = selection;
  const words = sql`${documentQuery(all, selection)}::tsquery`;
  const isFew = sql`(select count(*) from candidates) <= ${SORTED_MATCHES}`;
  const listed = sql`and not ${isFew} and exists (select from search_documents d
    where d.product_id = o.product_id and d.document @@ ${words})`;
  return {
    candidates: sql`(select d.product_id from search_documents d where d.document @@ ${words} limit ${SORTED_MATCHES + 1})`,
    page: sql`((select o.*, row_number() over (order by ${orderSql(order)}) as place
      from (select c.product_id as id from candidates c where ${isFew}) s
      cross join lateral ${bestPlanSql(selection)} o
      order by ${orderSql(order)} limit ${Math.max(0, Math.min(limit, LISTED_MATCHES - offset))} offset ${offset})
      union all ${listingPageSql({ ...selection, productCondition: listed }, selection)})`,
    count: sql`(select count(*)::int from (
      select from search_documents d where ${matchCondition(all, selection)} limit ${CANDIDATES}) counted)`,
  };
}

/**
 * The most popular matches. A word scores 1 in the head, 3 more where it begins a word of the name, 1 more as a whole; a
 * general word scores 1 in the head, all words as a phrase 2. Where one word is enough, each word that occurs scores 8.
 */
function candidatesSql({ all, words, general, phrase, any }: Exclude<TextQuery, string>, filter: PlanFilter) {
  const scores = [
    ...words.map(
      ({ inHead, startsInName, inName }) => sql`(d.document @@ ${inHead}::tsquery)::int
        + 3 * (d.document @@ ${startsInName}::tsquery)::int + (d.document @@ ${inName}::tsquery)::int`,
    ),
    ...general.map((inHead) => sql`(d.document @@ ${inHead}::tsquery)::int`),
    ...(phrase ? [sql`2 * (d.document @@ ${phrase}::tsquery)::int`] : []),
    ...(any ? words.map(({ anywhere }) => sql`8 * (d.document @@ ${anywhere}::tsquery)::int`) : []),
  ];
  const score = scores.reduce((sum, wordScore) => sql`${sum} + ${wordScore}`, sql`0`);
  return sql`(
    select d.product_id, d.sort_num, ${score} as score
    from search_documents d where ${matchCondition(all, filter)}
    order by d.sort_num desc, d.product_id limit ${CANDIDATES})`;
}

/** The words of a document `d` match, and a plan matches the filter. `offset 0`: plans are checked after the words. */
function matchCondition(all: string, filter: PlanFilter): SQL {
  const { inStock, minPriceCents: from, maxPriceCents: to, maxPerDayCents: perDayTo } = filter;
  const words = sql`d.document @@ ${documentQuery(all, filter)}::tsquery`;
  if (!inStock && from === undefined && to === undefined && perDayTo === undefined) return words;
  return sql`${words} and exists (select from listing_index o
    where o.product_id = d.product_id ${planConditions(filter, sql`o`)} offset 0)`;
}

/** The text query with category and type, which are terms of the document, so that one index covers them all. */
const documentQuery = (all: string, { category, type }: PlanFilter): string =>
  [
    `(${all})`,
    ...(category === undefined ? [] : [documentTerm("category", stripInvalidCharacters(category))]),
    ...(type === undefined ? [] : [documentTerm("type", type)]),
  ].join(" & ");

/** Suggestions for a typed prefix: products by name, then by tagline, vendor, category or search terms; categories; pass types. */
export async function suggestSearch(keyword: string, locale: Locale): Promise<Suggestions> {
  const words = await withInflections(searchWords(keyword));
  const query = toTextQuery(words);
  const vip_types = matchPassTypes(keyword).slice(0, SUGGESTION_LIMITS.types);
  if (typeof query === "string") return { products: [], categories: [], vip_types };
  const results = await findSuggestions(query, words, locale);
  if (results.products.length + results.categories.length + vip_types.length > 0)
    return { ...results, vip_types };
  const reading = await findReading(keyword, words);
  // A guess is shown on the search page only, which says so.
  if (!reading || reading.match === "closest" || typeof reading.query === "string")
    return { ...results, vip_types };
  return { ...(await findSuggestions(reading.query, reading.words, locale)), vip_types };
}

async function findSuggestions(query: Exclude<TextQuery, string>, words: SearchWord[], locale: Locale) {
  type Row = {
    products: (Omit<Suggestions["products"][number], "product_image" | "price"> & {
      image: string;
      cents: number;
    })[];
    categories: { category: string; names: Record<string, string>; terms: SearchTerms }[];
  };
  const [row] = await searchDb.execute<Row>(sql`
    select (select coalesce(json_agg(json_build_object('product_id', p.id, 'slug', p.slug, 'maker', p.vendor,
        'product_name', coalesce(t.name, translate_product_text(e.name, ${locale})), 'language', case when t.locale is null and translate_product_text(e.name, ${locale}) = e.name then 'en' else ${locale} end, 'image', p.image,
        'cents', o.price_cents)
        order by s.score desc, p.sort_num desc, p.id), '[]')
      from (select c.product_id, c.score from ${candidatesSql(query, {})} c
        where c.score > 0 order by c.score desc, c.sort_num desc, c.product_id limit ${SUGGESTION_LIMITS.products}) s
      join products p on p.id = s.product_id and p.listed
      join listing_index o on o.product_id = p.id and o.best
      join product_texts e on e.product_id = p.id and e.locale = 'en'
      left join product_texts t on t.product_id = p.id and t.locale = ${locale}) as products,
    (select coalesce(json_agg(json_build_object('category', c.slug, 'names', c.names,
        'terms', c.search_terms) order by c.sort_num, c.slug), '[]')
      from categories c join catalog_counts n on n.kind = 'category' and n.name = c.slug and n.total > 0) as categories`);
  const categories = row!.categories
    .filter(({ names, terms }) =>
      [...Object.values(names), ...Object.values(terms).flat()].some((text) => matchesPrefixes(text, words)),
    )
    .slice(0, SUGGESTION_LIMITS.categories)
    .map(({ category, names }) => ({ category, category_name: names[locale] ?? names.en! }));
  const products = row!.products.map(({ image, cents, ...product }) => ({
    ...product,
    product_image: productImagePath(product.product_id, image),
    price: toDecimal(cents),
  }));
  return { products, categories };
}

/** The data of the search page; popular products are read only when there are no results. */
export async function getSearchPage(query: SearchQuery, locale: Locale, { blankIsAll = false } = {}) {
  const [results, categories] = await Promise.all([
    query.blank && !blankIsAll ? null : searchProducts(query.search, locale),
    listCategories(locale),
  ]);
  const popular = results && results.items.length > 0 ? [] : (await listHotProducts(locale)).items;
  return { query, found: results, categories, popular: popular.slice(0, POPULAR_LIMIT) };
}
