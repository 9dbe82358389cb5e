/**
 * The attribution cookie (docs/product.md#33-what-the-browser-keeps): readable by scripts, kept 7 days, sent to this shop
 * only. The server sets it on responses that are not cached pages, the browser on cached ones. Browser-safe.
 */
export const ATTRIBUTION_COOKIE = "attribution";
export const ATTRIBUTION_SECONDS = 604_800;

/** The values that orders keep. An address names each by its plain name or as `utm_<name>`; the plain name counts first. */
export const CAPTURED_NAMES = ["source", "medium", "campaign", "content"] as const;
type CapturedName = (typeof CAPTURED_NAMES)[number];
export type CapturedAttribution = { [name in CapturedName]?: string };

export const isCapturedName = (name: string): name is CapturedName =>
  CAPTURED_NAMES.some((captured) => captured === name);

/** The value of a parameter of a landing address, by its plain name or as `utm_<name>`. */
export const capturedValue = (query: URLSearchParams, name: CapturedName): string | null =>
  query.get(name) || query.get(`utm_${name}`);

/** The attribution that a query names, without control characters, which cannot be stored; undefined without any. */
export function captureAttribution(query: URLSearchParams): CapturedAttribution | undefined {
  const entries = CAPTURED_NAMES.flatMap((name) => {
    const value = capturedValue(query, name)
      ?.replace(/\p{Cc}/gu, " ")
      .trim()
      .slice(0, 200);
    return value ? [[name, value] as const] : [];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** The cookie's value: a query with the plain names. `encodeURIComponent` keeps it a single valid cookie value. */
export const toCookieText = (captured: [string, string][]): string =>
  encodeURIComponent(String(new URLSearchParams(captured)));

/** Parses the decoded value of the cookie. */
export const parseCookieText = (text: string | undefined): CapturedAttribution =>
  captureAttribution(new URLSearchParams(text ?? "")) ?? {};
