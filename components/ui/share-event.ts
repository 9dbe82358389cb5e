/** Dispatched on `window` when the link of a page was copied or shared. `detail` is the URL. */
export const SHARED_EVENT = "passlane:shared";

/** Announces a copied share link. The shell's share banner then shows what to do with it. */
export function announceShare(address: string): void {
  window.dispatchEvent(new CustomEvent(SHARED_EVENT, { detail: address }));
}
