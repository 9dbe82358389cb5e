/**
 * Writes a cookie, given as `name=value`, for all paths. Without `maxAgeSeconds` it lasts until the browser is closed; 0
 * deletes it.
 */
export function writeCookie(pair: string, maxAgeSeconds?: number): void {
  const age = maxAgeSeconds === undefined ? "" : `; max-age=${maxAgeSeconds}`;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve.
  document.cookie = `${pair}; path=/; SameSite=Lax${age}`;
}
