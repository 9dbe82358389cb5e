import type { ProductList, SearchProductsInput } from "@/lib/catalog/contract";
import type { SearchQuery } from "@/lib/catalog/listing/contract";
import { listCards, pageOf, planned, type Source } from "@/lib/catalog/listing/queries";
import {
  bestPlan,
  conditions,
  type ListWindow,
  listingPage,
  type Piece,
  type PlanFilter,
  plain,
  type Sql,
} from "@/lib/catalog/listing/queries-index";
import { listCategories, listHotProducts } from "@/lib/catalog/queries";
import { CANDIDATES } from "@/lib/catalog/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { SearchResults, Suggestions } from "./contract";
import { findCorrection } from "./queries-typos";
import {
  isBegun,
  passTypesLike,
  type SearchWord,
  searchWords,
  type TextQuery,
  term,
  toTextQuery,
} from "./rules";

const POPULAR = 4;
const SUGGESTED = { products: 6, categories: 3, types: 2 };

/**
 * What a keyword finds (`/product/search`, docs/product.md#73-catalogue-search-blog): every word must occur, in whatever language, the last one at least
 * its beginning; names rank first. Any text is a legal keyword; an empty one finds everything. When nothing is found
 * and a word looks like a typo, what it was meant to be is searched for instead, and `corrected` says so.
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
  const query = toTextQuery(words);
  if (query === "everything") return listCards(() => pageOf(input, locale));
  const named = namedBy(words);
  return listCards(
    (sql) => {
      const selection = { ...pageOf(input, locale), named };
      return { ...selection, source: matches(sql, query, selection) };
    },
    { planEachTime: true },
  );
}

/** The kinds of pass that the words name. */
function namedBy(words: SearchWord[]): PlanFilter["named"] {
  const types = words.flatMap((word) => word.types);
  const days = words.flatMap((word) => word.days ?? []);
  return types.length + days.length > 0 ? { types, days } : undefined;
}

/** A page of what a query finds: ranked, of the most popular CANDIDATES; in the order of a price, of all matches. */
function matches(sql: Sql, query: TextQuery, selection: PlanFilter & ListWindow): Source {
  if (typeof query === "string")
    return { page: listingPage(sql, { products: sql`and false` }, selection), count: sql`0` };
  const { order, limit, offset = 0 } = selection;
  if (order !== "recommend") {
    const products = sql`and exists (select from search_documents d
      where d.product_id = o.product_id and d.document @@ ${documentQuery(query.all, selection)}::tsquery)`;
    return {
      page: listingPage(sql, { ...selection, products }, selection),
      count: sql`(select count(*)::int from (
        select from search_documents d where ${matching(sql, query.all, selection)} limit ${CANDIDATES}) counted)`,
    };
  }
  return {
    candidates: candidates(sql, query, selection),
    page: sql`(select o.*, row_number() over (order by s.score desc, o.sort_num desc, o.product_id) as place
      from (select c.product_id as id, c.score from candidates c order by c.score desc, c.sort_num desc, c.product_id
        limit ${limit} offset ${offset}) s
      cross join lateral ${bestPlan(sql, selection)} o)`,
    count: sql`(select count(*)::int from candidates)`,
  };
}

/**
 * The most popular products that match, each with its score: of every word 1 when it stands in the name, tagline, vendor
 * or category, 3 more when a word of the name begins with it, 1 more when it is a whole word of the name.
 */
function candidates(sql: Sql, { all, words }: Exclude<TextQuery, string>, filter: PlanFilter): Piece {
  const texts = (place: "inHead" | "startsInName" | "inName") => words.map((word) => word[place]);
  return sql`(
    select d.product_id, d.sort_num, (
      select sum((d.document @@ w.in_head)::int + 3 * (d.document @@ w.starts_in_name)::int
        + (d.document @@ w.in_name)::int)
      from unnest(${texts("inHead")}::text[]::tsquery[], ${texts("startsInName")}::text[]::tsquery[],
        ${texts("inName")}::text[]::tsquery[]) w(in_head, starts_in_name, in_name)) as score
    from search_documents d where ${matching(sql, all, filter)}
    order by d.sort_num desc, d.product_id limit ${CANDIDATES})`;
}

/**
 * The condition on a search document `d`: its words match, and it has a plan that meets the filter. `offset 0` makes
 * Postgres check the plans of a product only once its words match.
 */
function matching(sql: Sql, all: string, filter: PlanFilter): Piece {
  const { inStock, from, to, perDayTo } = filter;
  const words = sql`d.document @@ ${documentQuery(all, filter)}::tsquery`;
  if (!inStock && from === undefined && to === undefined && perDayTo === undefined) return words;
  return sql`${words} and exists (select from listing_index o
    where o.product_id = d.product_id ${conditions(sql, filter, sql`o`)} offset 0)`;
}

/** Category and type are terms of a document, so that the index of words filters by them too. */
const documentQuery = (all: string, { category, type }: PlanFilter): string =>
  [
    all,
    ...(category === undefined ? [] : [term("category", plain(category))]),
    ...(type === undefined ? [] : [term("type", type)]),
  ].join(" & ");

/**
 * What may follow on the letters typed so far (`GET /product/suggest`): products by name, then by tagline, vendor or
 * category, categories, kinds of pass. Nothing for blank letters.
 */
export async function suggestSearch(keyword: string, locale: Locale): Promise<Suggestions> {
  const words = searchWords(keyword);
  const query = toTextQuery(words);
  const vip_types = passTypesLike(keyword).slice(0, SUGGESTED.types);
  if (typeof query === "string") return { products: [], categories: [], vip_types };
  const found = await suggested(query, words, locale);
  if (found.products.length + found.categories.length + vip_types.length > 0) return { ...found, vip_types };
  const corrected = await findCorrection(keyword);
  return corrected ? suggestSearch(corrected, locale) : { ...found, vip_types };
}

async function suggested(
  query: Exclude<TextQuery, string>,
  words: SearchWord[],
  locale: Locale,
): Promise<Omit<Suggestions, "vip_types">> {
  type Row = {
    products: Suggestions["products"];
    categories: { category: string; names: Record<string, string> }[];
  };
  const [row] = await planned(
    (sql) => sql<Row[]>`
    select (select coalesce(json_agg(json_build_object('product_id', p.id, 'slug', p.slug, 'maker', p.vendor,
        'product_name', coalesce(t.name, e.name), 'language', coalesce(t.locale, 'en'))
        order by s.score desc, p.sort_num desc, p.id), '[]')
      from (select c.product_id, c.score from ${candidates(sql, query, {})} c
        where c.score > 0 order by c.score desc, c.sort_num desc, c.product_id limit ${SUGGESTED.products}) s
      join products p on p.id = s.product_id and p.listed
      join product_texts e on e.product_id = p.id and e.locale = 'en'
      left join product_texts t on t.product_id = p.id and t.locale = ${locale}) as products,
    (select coalesce(json_agg(json_build_object('category', c.slug, 'names', c.names) order by c.sort_num, c.slug), '[]')
      from categories c join catalog_counts n on n.kind = 'category' and n.name = c.slug and n.total > 0) as categories`,
  );
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
