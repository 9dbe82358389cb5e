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
  const { etag, status } = page;
  const id = String(request.headers["x-request-id"]);
  const headers = { ...page.headers, etag, "cache-status": cacheStatus, "x-request-id": id };
  if (status === 200 && matches(request.headers["if-none-match"], etag)) {
    response.writeHead(304, { ...headers, "content-type": undefined }).end();
    return;
  }
  const encoding = acceptedEncoding(request.headers["accept-encoding"]);
  const body = await page.body(encoding);
  const compressed = encoding === "identity" ? {} : { "content-encoding": encoding };
  response.writeHead(status, { ...headers, ...compressed, "content-length": body.length });
  response.end(request.method === "HEAD" ? undefined : body);
}

const matches = (validators: string | undefined, etag: string) =>
  validators !== undefined &&
  (validators === "*" || validators.split(",").some((one) => one.trim().replace(/^W\//, "") === etag));
