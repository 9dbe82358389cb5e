/** Sent on `window` when the link of a page was copied or handed on; `detail` is the address. */
export const SHARED_EVENT = "passlane:shared";

/** Call after a link was copied to be shared: the share banner of the shell says what to do with it. */
export function announceShare(address: string): void {
  window.dispatchEvent(new CustomEvent(SHARED_EVENT, { detail: address }));
}
