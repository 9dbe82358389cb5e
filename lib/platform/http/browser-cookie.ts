/**
 * Writes a cookie of this browser's whole shop, as `name=value`; it ends with the browser when no seconds are given, and at
 * once with 0.
 */
export function writeCookie(pair: string, maxAgeSeconds?: number): void {
  const age = maxAgeSeconds === undefined ? "" : `; max-age=${maxAgeSeconds}`;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve.
  document.cookie = `${pair}; path=/; SameSite=Lax${age}`;
}
