import type { IncomingMessage, ServerResponse } from "node:http";
import { acceptedEncoding } from "@/lib/platform/http/encoding";
import type { CachedPage } from "./cached-page";

/**
 * Sends a page in the best encoding that the request accepts, or 304 if its validator matches. `cacheStatus` is the value
 * of the Cache-Status header (RFC 9211); `more` are header lines for this request.
 */
export async function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  page: CachedPage,
  cacheStatus: string,
  more: string[] = [],
): Promise<void> {
  const { status, etag } = page;
  const requestLines = [
    ...["cache-status", cacheStatus, "x-request-id", String(request.headers["x-request-id"])],
    ...more,
  ];
  if (status === 200 && matches(request.headers["if-none-match"], etag)) {
    writeLines(response, 304, page.lines.concat(requestLines)).end();
    return;
  }
  const { lines, body } = await page.variant(acceptedEncoding(request.headers["accept-encoding"]));
  if (response.headersSent) return;
  writeLines(response, status, lines.concat(requestLines));
  response.end(request.method === "HEAD" ? undefined : body);
}

/**
 * Writes the header. Next's compression replaces `writeHead` of a response that reached Next before the database failed,
 * and that one reads no flat list.
 */
function writeLines(response: ServerResponse, status: number, lines: string[]): ServerResponse {
  if (!Object.hasOwn(response, "writeHead")) return response.writeHead(status, lines);
  for (let i = 0; i < lines.length; i += 2) response.setHeader(lines[i]!, lines[i + 1]!);
  return response.writeHead(status);
}

const matches = (validators: string | undefined, etag: string) =>
  validators === "*" ||
  validators?.split(",").some((validator) => validator.trim().replace(/^W\//, "") === etag);
