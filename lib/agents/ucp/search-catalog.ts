import { preparedDb } from "@/db/client";
import type { ProductList } from "@/lib/catalog/contract";
import { listProductPages } from "@/lib/catalog/product/find-product-page";
import { searchProducts } from "@/lib/catalog/search/search-products";
import type { Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import { type Message, type SearchRequest, type SearchResponse, toPageSize } from "./contract";
import { featuredFirst, toPolicies, toProduct, ucpMeta } from "./rules-products";
import { responseWording } from "./wording";

const MAX_PAGE = 80;

/** Searches the catalogue for an agent (`search_catalog`, docs/agents.md): the shop's own search, products with all their passes. */
export async function searchCatalog(request: SearchRequest, locale: Locale): Promise<SearchResponse> {
  const { query = "", filters = {}, pagination, context } = request;
  const page = parseCursor(pagination?.cursor);
  const size = toPageSize(pagination?.limit);
  const messages: Message[] = [];
  const inDollars = (context?.currency ?? "USD").toUpperCase() === "USD";
  if (filters.price && !inDollars)
    messages.push({
      type: "info",
      code: "price_filter_ignored",
      content: shopTranslator(locale)("agents.answers.currency"),
    });
  const prices = inDollars ? filters.price : undefined;
  const input = {
    keyword: query.trim(),
    sort: "recommend" as const,
    page,
    size,
    ...(filters.in_stock && { in_stock: true }),
    ...(filters.pass_type && { pass_type: filters.pass_type }),
    ...(prices?.min !== undefined && { price_from: prices.min / 100 }),
    ...(prices?.max !== undefined && { price_to: prices.max / 100 }),
  };
  const categories = [...new Set(filters.categories ?? [])];
  const lists = await Promise.all(
    (categories.length > 0 ? categories : [undefined]).map((category) =>
      searchProducts({ ...input, ...(category && { category }) }, locale),
    ),
  );
  const found = merge(lists, size);
  const details = await listProductPages(found.ids, locale, preparedDb);
  const byId = new Map(details.map((product) => [product.product_id, product]));
  const products = found.ids.flatMap((id) => byId.get(id) ?? []);
  const wording = responseWording(locale);
  const plans = products.map((product) => featuredFirst(product));
  const hasNext = found.hasNext(page) && page < MAX_PAGE;
  return {
    ucp: ucpMeta("catalog.search"),
    products: products.map((product, index) => toProduct(product, plans[index]!, wording)),
    pagination: {
      ...(hasNext && { cursor: `page-${page + 1}` }),
      has_next_page: hasNext,
      ...(found.total !== undefined && { total_count: found.total }),
    },
    ...(messages.length > 0 && { messages }),
    policies: toPolicies(
      plans.flatMap((list, i) => list.map((plan, j) => ({ path: `$.products[${i}].variants[${j}]`, plan }))),
      wording,
    ),
  };
}

const parseCursor = (cursor: string | undefined) =>
  Math.min(MAX_PAGE, Number(/^page-([1-9]\d?)$/.exec(cursor ?? "")?.[1] ?? 1));

/** The products of one search, or of one search per category, interleaved. */
function merge(lists: readonly ProductList[], size: number) {
  const ids: number[] = [];
  for (let i = 0; i < size; i++)
    for (const { items } of lists) {
      const id = items[i]?.product_id;
      if (id !== undefined && !ids.includes(id)) ids.push(id);
    }
  return {
    ids,
    total: lists.every(({ total_exact }) => total_exact)
      ? lists.reduce((sum, { total }) => sum + total, 0)
      : undefined,
    hasNext: (page: number) => lists.some(({ total }) => total > page * size),
  };
}
