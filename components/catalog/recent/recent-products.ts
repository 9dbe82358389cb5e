import { createBrowserList } from "@/components/ui/browser-list";
import type { Locale } from "@/lib/platform/i18n/locales";

/** A product as it was when its page was viewed. `names` has one for each language in which it was viewed. */
export type RecentProduct = {
  slug: string;
  image: string;
  maker: string;
  names: Partial<Record<Locale, string>>;
};

/** Products kept, one more than are shown beside the current one. */
const MAX_ENTRIES = 7;

const isText = (value: unknown): value is string => typeof value === "string" && value.length <= 300;

function parseEntry(entry: unknown): RecentProduct | null {
  const { slug, image, maker, names } = (entry ?? {}) as Record<keyof RecentProduct, unknown>;
  if (!isText(slug) || !/^[\w-]+$/.test(slug) || !isText(maker)) return null;
  if (!isText(image) || !image.startsWith("/admin/product-image/")) return null;
  if (names === null || typeof names !== "object" || !Object.values(names).every(isText)) return null;
  return { slug, image, maker, names };
}

const viewed = createBrowserList<RecentProduct>("recent_products", { max: MAX_ENTRIES, parse: parseEntry });

export const useRecentProducts = viewed.useEntries;
export const clearRecentProducts = viewed.clear;

/** Puts a product first. Its names in other languages are kept. */
export function recordProduct(product: RecentProduct): void {
  const known = viewed.entries().find(({ slug }) => slug === product.slug);
  const others = viewed.entries().filter(({ slug }) => slug !== product.slug);
  viewed.store([{ ...product, names: { ...known?.names, ...product.names } }, ...others]);
}
