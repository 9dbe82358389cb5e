import type { IncomingMessage, ServerResponse } from "node:http";
import { acceptedEncoding } from "@/lib/platform/http/encoding";
import type { CachedPage } from "./cached-page";

/** Sends a page in the encoding that the request accepts, or 304 to one that has it; `cacheStatus` as in RFC 9211. */
export async function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  page: CachedPage,
  cacheStatus: string,
): Promise<void> {
  const { status, etag } = page;
  const own = ["cache-status", cacheStatus, "x-request-id", String(request.headers["x-request-id"])];
  if (status === 200 && matches(request.headers["if-none-match"], etag)) {
    response.writeHead(304, page.lines.concat(own)).end();
    return;
  }
  const { lines, body } = await page.variant(acceptedEncoding(request.headers["accept-encoding"]));
  response.writeHead(status, lines.concat(own));
  response.end(request.method === "HEAD" ? undefined : body);
}

const matches = (validators: string | undefined, etag: string) =>
  validators !== undefined &&
  (validators === "*" || validators.split(",").some((one) => one.trim().replace(/^W\//, "") === etag));
