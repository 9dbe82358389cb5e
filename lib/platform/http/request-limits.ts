/** The longest query, in bytes (docs/product.md#52-requests). */
export const MAX_QUERY_LENGTH = 4096;

/** Splits a request target. `search` is empty, or begins with the question mark. */
export function splitTarget(url: string): { pathname: string; search: string } {
  const start = url.indexOf("?");
  return start < 0
    ? { pathname: url, search: "" }
    : { pathname: url.slice(0, start), search: url.slice(start) };
}
