import { sql } from "drizzle-orm";
import { searchDb } from "@/db/client";
import { productImagePath, type SearchTerms } from "@/lib/catalog/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { toDecimal } from "@/lib/platform/money";
import type { Suggestions } from "./contract";
import { findReading } from "./find-reading";
import {
  matchesPrefixes,
  matchPassTypes,
  type SearchWord,
  searchWords,
  type TextQuery,
  toTextQuery,
} from "./rules";
import { candidatesSql } from "./search-sql";
import { withInflections } from "./with-inflections";

const SUGGESTION_LIMITS = { products: 6, categories: 3, types: 2 };

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
  // A guess is shown on the search page only, marked as one.
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
        'product_name', coalesce(t.name, translate_product_text(e.name, ${locale})), 'language', case when t.locale is null and translate_product_text(e.name, ${locale}) = e.name then 'en' else ${locale} end, 'product_tagline', coalesce(t.tagline, translate_product_text(e.tagline, ${locale})), 'image', p.image,
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
