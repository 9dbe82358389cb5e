import { createBrowserList } from "@/components/ui/browser-list";
import { RECENT_KEY, RECENT_MAX, type RecentProduct } from "./record-product";

const isText = (value: unknown): value is string => typeof value === "string" && value.length <= 300;

/** The product in a stored entry, or null for anything else. */
export function parseRecentProduct(entry: unknown): RecentProduct | null {
  const { slug, image, maker, names } = (entry ?? {}) as Record<keyof RecentProduct, unknown>;
  if (!isText(slug) || !/^[\w-]+$/.test(slug) || !isText(maker)) return null;
  if (!isText(image) || !image.startsWith("/admin/product-image/")) return null;
  if (names === null || typeof names !== "object" || !Object.values(names).every(isText)) return null;
  return { slug, image, maker, names };
}

const viewed = createBrowserList<RecentProduct>(RECENT_KEY, { max: RECENT_MAX, parse: parseRecentProduct });

export const useRecentProducts = viewed.useEntries;
export const clearRecentProducts = viewed.clear;
