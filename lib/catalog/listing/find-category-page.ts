import { type CategoryPage, ListProductsInput } from "@/lib/catalog/contract";
import type { Locale } from "@/lib/platform/i18n/locales";
import { listCategoryCards } from "./list-categories";
import type { PageInput } from "./list-product-range";
import { listProducts } from "./list-products";

/**
 * The page of a category (`/category/{slug}`, docs/product.md#21-pages), or null for an unknown or empty one. Its artwork
 * shows the most popular products.
 */
export async function findCategoryPage(
  slug: string,
  input: PageInput,
  locale: Locale,
): Promise<CategoryPage | null> {
  const all = await listCategoryCards(locale);
  const category = all.find((card) => card.category === slug);
  if (!category) return null;
  const products = await listProducts(ListProductsInput.parse({ ...input, category: slug }), locale);
  return { category, products, others: all.filter((card) => card !== category) };
}
