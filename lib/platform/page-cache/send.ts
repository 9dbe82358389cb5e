import type { IncomingMessage, ServerResponse } from "node:http";
import { acceptedEncoding } from "@/lib/platform/http/encoding";
import type { CachedPage } from "./cached-page";

/**
 * Sends a page in the best encoding that the request accepts, or 304 if its validator matches. `cacheStatus` is the value
 * of the Cache-Status header (RFC 9211).
 */
export async function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  page: CachedPage,
  cacheStatus: string,
): Promise<void> {
  const { status, etag } = page;
  const requestLines = ["cache-status", cacheStatus, "x-request-id", String(request.headers["x-request-id"])];
  if (status === 200 && matches(request.headers["if-none-match"], etag)) {
    response.writeHead(304, page.lines.concat(requestLines)).end();
    return;
  }
  const { lines, body } = await page.variant(acceptedEncoding(request.headers["accept-encoding"]));
  if (response.headersSent) return;
  response.writeHead(status, lines.concat(requestLines));
  response.end(request.method === "HEAD" ? undefined : body);
}

const matches = (validators: string | undefined, etag: string) =>
  validators === "*" ||
  validators?.split(",").some((validator) => validator.trim().replace(/^W\//, "") === etag);
