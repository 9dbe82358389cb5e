import type { IncomingMessage } from "node:http";
import { ShopError } from "@/lib/platform/errors";

/**
 * Limits of every request (docs/product.md#52-requests). Lengths are in bytes. Each is several times what the pages and
 * calls of the shop send.
 */
export const MAX_PATH_LENGTH = 1024;
export const MAX_QUERY_LENGTH = 4096;
/** Parameters of a query, and fields of a form. */
export const MAX_FIELDS = 100;
export const MAX_HEADERS = 100;

const CONTROL = /\p{Cc}/u;
const HOST = /^(?:[\w.-]*|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Splits a request target. `search` is empty, or begins with the question mark. */
export function splitTarget(url: string): { pathname: string; search: string } {
  const start = url.indexOf("?");
  return start < 0
    ? { pathname: url, search: "" }
    : { pathname: url.slice(0, start), search: url.slice(start) };
}

/** Why a request is refused before anything parses it; null for an acceptable one. */
export function findRefusal({
  url = "/",
  rawHeaders,
}: Pick<IncomingMessage, "url" | "rawHeaders">): ShopError | null {
  const { pathname, search } = splitTarget(url);
  if (pathname.length > MAX_PATH_LENGTH || search.length - 1 > MAX_QUERY_LENGTH)
    return new ShopError("address_too_long");
  if (rawHeaders.length > 2 * MAX_HEADERS)
    return new ShopError("too_many_headers", { params: { limit: MAX_HEADERS } });
  if (!hasValidHost(rawHeaders)) return new ShopError("host_invalid");
  if (!isValidPath(pathname) || search.includes("%00")) return new ShopError("address_invalid");
  if (search.split("&", MAX_FIELDS + 1).length > MAX_FIELDS)
    return new ShopError("too_many_fields", { params: { limit: MAX_FIELDS } });
  return null;
}

/**
 * False for two Host headers, because a proxy could read the other one, and for a value that is not a host. Only a
 * request of HTTP/1.0 may have none: Node refuses others.
 */
function hasValidHost(rawHeaders: readonly string[]): boolean {
  let host: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length !== 4 || rawHeaders[i]?.toLowerCase() !== "host") continue;
    if (host !== undefined) return false;
    host = rawHeaders[i + 1];
  }
  return host === undefined || HOST.test(host);
}

/** Next responds with 500 to invalid percent encoding, and Postgres cannot store a control character such as NUL. */
function isValidPath(pathname: string): boolean {
  if (!pathname.startsWith("/")) return false; // `*`, and addresses for a proxy
  if (!pathname.includes("%")) return true;
  try {
    return !CONTROL.test(decodeURIComponent(pathname));
  } catch {
    return false;
  }
}
