import { parsePath } from "@/lib/platform/routing/paths";

/** The pages that are prefetched when the browser is idle (docs/product.md#24-navigation). */
export const IDLE_PREFETCH_PATHS = [
  "/",
  "/blog",
  "/top-trending",
  "/limited-offer",
  "/free-voucher",
] as const;

/** The number of further pages that one page may prefetch on hover, touch or focus. */
const MAX_PREFETCHES = 5;

let prefetched = new Set<string>();

/** Resets the budget after each navigation, including back and forward. */
export function renewPrefetchBudget(): void {
  prefetched = new Set();
}

/** Whether the page may prefetch this URL: the idle paths always, and the first five others. */
export function mayPrefetch(address: string): boolean {
  const pathname = address.split(/[?#]/, 1)[0] ?? "";
  if (IDLE_PREFETCH_PATHS.some((path) => path === parsePath(pathname).path) || prefetched.has(address))
    return true;
  if (prefetched.size >= MAX_PREFETCHES) return false;
  prefetched.add(address);
  return true;
}
