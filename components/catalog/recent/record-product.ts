import type { Locale } from "@/lib/platform/i18n/locales";

/** A product as it was when its page was viewed. `names` has one for each language in which it was viewed. */
export type RecentProduct = {
  slug: string;
  image: string;
  maker: string;
  names: Partial<Record<Locale, string>>;
};

export const RECENT_KEY = "recent_products";
/** Products kept, one more than are shown beside the current one. */
export const RECENT_MAX = 7;

/**
 * Puts a product first in this browser's list, with the names it had in other languages. Part of every product page, so it
 * is small; recent-products.ts checks what is stored when it is shown.
 */
export function recordProduct(product: RecentProduct): void {
  try {
    const stored = readStored();
    const previous = stored.find((entry) => entry?.slug === product.slug);
    const names = { ...previous?.names, ...product.names };
    const list = [{ ...product, names }, ...stored.filter((entry) => entry !== previous)];
    localStorage.setItem(RECENT_KEY, JSON.stringify(list.slice(0, RECENT_MAX)));
  } catch {
    // Storage may be blocked or full. The product is not kept.
  }
}

function readStored(): (RecentProduct | null)[] {
  const text = localStorage.getItem(RECENT_KEY);
  try {
    const stored: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}
