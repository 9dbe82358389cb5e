import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "@/lib/platform/env";
import { memoryCache } from "@/lib/platform/memory-cache";
import type { Loopback } from "./loopback";
import { responseHeaders } from "./response-headers";

type File = { headers: Record<string, string>; body: Buffer };
type FileRequest = {
  pathname: string;
  /** the address and the accepted formats: all that the file depends on */
  address: string;
  accept: string;
};
export type FileCache = {
  /** Answers a file from memory; false: Next is to answer. */
  serve(request: IncomingMessage, response: ServerResponse, pathname: string): Promise<boolean>;
};

const MAX_BYTES = 32 * 1024 * 1024;
const DAY_SECONDS = 86_400;

/** Files of Next's that browsers ask for beside a page. */
const ICONS = new Set(["/favicon.ico", "/icon.svg", "/apple-icon.png", "/manifest.webmanifest"]);
const PICTURES = "/admin/product-image/";
const VERSIONED = /^\?v=[\w.%-]{1,64}(&width=\d{1,4})?$/;
const FORMATS = ["image/avif", "image/webp"];

/**
 * Icons and the pictures whose address names their version, in front of Next, which takes 2 to 5 ms for each: a third of
 * what a first view of a page costs the server (docs/performance.md).
 */
export function openFileCache(loopback: Loopback): FileCache {
  const files = memoryCache<File>("files", { maxBytes: MAX_BYTES, sizeOf: ({ body }) => body.length });
  const load = async ({ pathname, address, accept }: FileRequest): Promise<File | undefined> => {
    const { host } = new URL(env().APP_URL);
    const { status, headers, body } = await loopback.get(address, { host, accept });
    const lasting = ICONS.has(pathname) || headers["cache-control"]?.includes("immutable");
    if (status !== 200 || !lasting || headers["set-cookie"]) return undefined;
    const fileHeaders = responseHeaders(pathname);
    for (const name of ["content-type", "cache-control", "etag", "vary"])
      if (headers[name] !== undefined) fileHeaders[name] = String(headers[name]);
    if (ICONS.has(pathname)) fileHeaders["cache-control"] = `public, max-age=${DAY_SECONDS}`;
    fileHeaders["content-length"] = String(body.length);
    return { headers: fileHeaders, body };
  };
  return {
    async serve(request, response, pathname) {
      const asked = toFileRequest(request, pathname);
      const file = asked && (await files.get(`${asked.address} ${asked.accept}`, () => load(asked)));
      if (!file) return false;
      response.writeHead(200, { ...file.headers, "x-request-id": String(request.headers["x-request-id"]) });
      response.end(request.method === "HEAD" ? undefined : file.body);
      return true;
    },
  };
}

/** Undefined: not a file that lasts, or the request has conditions that Next is to judge. */
function toFileRequest(
  { method, url = "", headers }: IncomingMessage,
  pathname: string,
): FileRequest | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  if (ICONS.has(pathname)) return { pathname, address: pathname, accept: "*/*" };
  if (!pathname.startsWith(PICTURES) || !VERSIONED.test(url.slice(pathname.length))) return undefined;
  const accept = headers.accept?.toLowerCase() ?? "";
  if (headers["if-none-match"] !== undefined || accept.includes("q=0")) return undefined;
  const formats = FORMATS.filter((format) => accept.includes(format));
  return { pathname, address: url, accept: [...formats, "image/png"].join(",") };
}
