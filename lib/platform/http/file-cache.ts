import type { IncomingMessage, ServerResponse } from "node:http";
import { DatabaseDownError } from "@/lib/platform/database-failure";
import { env } from "@/lib/platform/env";
import { memoryCache } from "@/lib/platform/memory-cache";
import type { Loopback } from "./loopback";
import { clientOf, READ_COSTS, type ReadLimits } from "./read-limits";
import { responseHeaders } from "./response-headers";

type CachedFile = { headers: Record<string, string>; body: Buffer };
type FileRequest = {
  pathname: string;
  /** Address and accepted formats: the file depends on nothing else. */
  address: string;
  accept: string;
};
export type FileCache = ReturnType<typeof openFileCache>;

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_SHARE_BYTES = 16 * 1024 * 1024;
const SHARE_AGE_MS = 60_000;
const DAY_SECONDS = 86_400;

/** Next's metadata files, which browsers request along with a page. */
const ICONS = new Set(["/favicon.ico", "/icon.svg", "/apple-icon.png", "/manifest.webmanifest"]);
/** What older browsers and bookmark tools request for the home screen, in any size, without reading the page. */
const APPLE_TOUCH_ICON = /^\/apple-touch-icon(?:-\d{2,3}x\d{2,3})?(?:-precomposed)?\.png$/;
/** A versioned picture. Each has one address here; Next serves it at other spellings of the number too. */
const PICTURE = /^\/admin\/product-image\/[1-9]\d{0,8}\?v=[\w.-]{1,64}(&width=[1-9]\d{0,3})?$/;
const SHARE_IMAGES = "/share-image/";
const FORMATS = ["image/avif", "image/webp"];

/**
 * Caches icons, versioned pictures and share images in front of Next. Next takes 2 to 5 ms for each, which is a third of
 * the server's CPU time for a first page view (docs/performance.md). An image that must be made counts for its client.
 */
export function openFileCache(loopback: Loopback, limits: Pick<ReadLimits, "run" | "join">) {
  const sizeOf = ({ body }: CachedFile) => body.length;
  const files = memoryCache<CachedFile>("files", { maxBytes: MAX_BYTES, sizeOf });
  const shareImages = memoryCache<CachedFile>("share-images", {
    maxBytes: MAX_SHARE_BYTES,
    sizeOf,
    maxAgeMs: SHARE_AGE_MS,
  });
  const load = async ({ pathname, address, accept }: FileRequest): Promise<CachedFile | undefined> => {
    const { host } = new URL(env().APP_URL);
    const { status, headers, body } = await loopback.get(address, { host, accept });
    if (status === 503) throw new DatabaseDownError("the file was not read");
    const cacheable =
      ICONS.has(pathname) || isShareImage(pathname) || headers["cache-control"]?.includes("immutable");
    if (status !== 200 || !cacheable || headers["set-cookie"]) return undefined;
    const fileHeaders = responseHeaders(pathname);
    for (const name of ["content-type", "cache-control", "etag", "vary"])
      if (headers[name] !== undefined) fileHeaders[name] = String(headers[name]);
    if (ICONS.has(pathname)) fileHeaders["cache-control"] = `public, max-age=${DAY_SECONDS}`;
    fileHeaders["content-length"] = String(body.length);
    return { headers: fileHeaders, body };
  };
  return {
    /** Sends a file from memory. Resolves with false if Next must respond. */
    async serve(request: IncomingMessage, response: ServerResponse, requested: string): Promise<boolean> {
      const pathname = APPLE_TOUCH_ICON.test(requested) ? "/apple-icon.png" : requested;
      const fileRequest = toFileRequest(request, pathname);
      if (!fileRequest) return false;
      const key = `${fileRequest.address} ${fileRequest.accept}`;
      const client = clientOf(request);
      const cache = isShareImage(pathname) ? shareImages : files;
      limits.join(client, key);
      const file = await cache.get(key, () =>
        limits.run({ client, cost: fileCost(pathname), key, long: true }, () => load(fileRequest)),
      );
      if (!file) return false;
      response.writeHead(200, { ...file.headers, "x-request-id": String(request.headers["x-request-id"]) });
      response.end(request.method === "HEAD" ? undefined : file.body);
      return true;
    },
  };
}

/** Icons are few and made once. */
function fileCost(pathname: string): number {
  if (ICONS.has(pathname)) return 0;
  return isShareImage(pathname) ? READ_COSTS.shareImage : READ_COSTS.picture;
}

const isShareImage = (pathname: string) => pathname.startsWith(SHARE_IMAGES);

/** Undefined if the address is no cacheable file, or the request has conditions that Next must evaluate. */
function toFileRequest(
  { method, url = "", headers }: IncomingMessage,
  pathname: string,
): FileRequest | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  if (ICONS.has(pathname) || isShareImage(pathname)) return { pathname, address: pathname, accept: "*/*" };
  if (!PICTURE.test(url)) return undefined;
  const accept = headers.accept?.toLowerCase() ?? "";
  if (headers["if-none-match"] !== undefined || accept.includes("q=0")) return undefined;
  const formats = FORMATS.filter((format) => accept.includes(format));
  return { pathname, address: url, accept: [...formats, "image/png"].join(",") };
}
