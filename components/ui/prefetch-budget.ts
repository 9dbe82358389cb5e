import { parsePath } from "@/lib/platform/routing/paths";

/** The pages behind the phone's bar and home: fetched ahead when the browser is idle (docs/product.md#24-navigation). */
export const IDLE_PREFETCH_PATHS = [
  "/",
  "/blog",
  "/top-trending",
  "/limited-offer",
  "/free-voucher",
] as const;

/** Further pages that one page may fetch ahead, on hover, touch or focus. */
const CHILD_ROUTES = 5;

let children = new Set<string>();

/** Begins the count anew: after each navigation, also the one back. */
export function renewPrefetchBudget(): void {
  children = new Set();
}

/**
 * May this address be fetched ahead from the page one is on? The five named pages always, of all others the first
 * five that are hovered or touched.
 */
export function mayPrefetch(address: string): boolean {
  const pathname = address.split(/[?#]/, 1)[0] ?? "";
  if (IDLE_PREFETCH_PATHS.some((path) => path === parsePath(pathname).path) || children.has(address))
    return true;
  if (children.size >= CHILD_ROUTES) return false;
  children.add(address);
  return true;
}
