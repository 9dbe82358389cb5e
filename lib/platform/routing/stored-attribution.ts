import { attempt, readAttribution, SOURCE_KEY, type StoredAttribution, URL_KEY } from "./attribution";

// Changes of the stored attribution that public pages do not need at load.

/** The minimum interval between reports of a source, and between renewals (docs/product.md#10-constants). */
const WINDOW_MS = 2000;

/** The coupon code of this address, else of the stored attribution. */
export function storedCouponCode(): string | undefined {
  return (
    new URLSearchParams(location.search).get("coupon")?.slice(0, 60) ||
    readAttribution()?.coupon?.slice(0, 60)
  );
}

/** Removes the coupon from this address and the stored attribution. */
export function removeStoredCoupon(): void {
  const url = new URL(location.href);
  if (url.searchParams.has("coupon")) {
    url.searchParams.delete("coupon");
    history.replaceState(history.state, "", url);
  }
  attempt(() => {
    for (const key of [URL_KEY, SOURCE_KEY]) {
      const { coupon: _, ...rest } = JSON.parse(
        localStorage.getItem(key) ?? "{}",
      ) as Partial<StoredAttribution>;
      if (Object.keys(rest).length > 0) localStorage.setItem(key, JSON.stringify(rest));
    }
  });
}

/**
 * Takes the right to report or renew the stored source, once in `WINDOW_MS` for all documents and tabs. False without a
 * stored source. Two tabs may both take it in the same millisecond; the server checks too.
 */
export function takeSourceWindow(name: "reportedAt" | "renewedAt"): boolean {
  const source = readAttribution();
  if (!source) return false;
  // A time far in the future is a clock that was set back.
  if (Math.abs(Date.now() - (source[name] ?? 0)) < WINDOW_MS) return false;
  attempt(() => localStorage.setItem(SOURCE_KEY, JSON.stringify({ ...source, [name]: Date.now() })));
  return true;
}
