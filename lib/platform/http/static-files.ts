import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, sep } from "node:path";
import { lookup } from "mrmime";
import { acceptedEncoding } from "./encoding";
import type { PublishedFiles } from "./published-files";
import { BASE_HEADERS } from "./security-headers";

/** The path of Next's scripts, styles and fonts. */
const PREFIX = "/_next/static/";
const CACHE_CONTROL = "public,max-age=31536000,immutable";
/** The endings of the compressed copies that scripts/browser-files.mjs writes. */
const ENDINGS = { identity: "", gzip: ".gz", br: ".br" };

/** Answers a request for a static file, with 404 if no release has it. Resolves with false for any other request. */
export type ServeStaticFile = (
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
  search: string,
) => Promise<boolean>;

type Options = {
  /** The id of this release, which its pages send with each file as `dpl`. */
  release?: string;
  /** Where releases publish their files. */
  published?: PublishedFiles;
};

type FindFile = (name: string) => Promise<Buffer | undefined>;

/**
 * Serves the static files of a build from memory (2 MB) in front of Next. A file never changes under its name. Next would
 * compress each file for every request; reading files from disk is a fifth of the CPU time of a page view. Pages of other
 * releases ask for their files here too, behind a balancer; those are read from the shared folder or bucket.
 */
export async function openStaticFiles(
  folder: string,
  { release, published }: Options = {},
): Promise<ServeStaticFile> {
  const files = await readFiles(folder);
  const findOwn: FindFile = async (name) => files.get(name);
  return async (request, response, pathname, search) => {
    const { method } = request;
    if ((method !== "GET" && method !== "HEAD") || !pathname.startsWith(PREFIX)) return false;
    const name = pathname.slice(PREFIX.length);
    const wanted = new URLSearchParams(search).get("dpl") ?? release;
    const findPublished: FindFile = async (file) => published?.find(file, wanted);
    // Files of another release may have the same name, such as Next's manifests.
    const order = wanted === release ? [findOwn, findPublished] : [findPublished, findOwn];
    for (const find of order) if (await sendFile(request, response, name, find)) return true;
    // Not kept by anyone: the file may be published a moment later.
    response.writeHead(404, { ...BASE_HEADERS, "Content-Type": "text/plain", "Cache-Control": "no-store" });
    response.end(method === "HEAD" ? undefined : "Not found.\n");
    return true;
  };
}

async function sendFile(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  name: string,
  find: FindFile,
): Promise<boolean> {
  const accepted = acceptedEncoding(headers["accept-encoding"]);
  const compressed = accepted === "identity" ? undefined : await find(name + ENDINGS[accepted]);
  const body = compressed ?? (await find(name));
  if (!body) return false;
  const range = parseRange(headers.range, body.length);
  const sent = range ? body.subarray(range.start, range.end + 1) : body;
  response.writeHead(range ? 206 : 200, {
    ...BASE_HEADERS,
    "Content-Type": lookup(name) ?? "application/octet-stream",
    "Content-Length": sent.length,
    "Cache-Control": CACHE_CONTROL,
    Vary: "Accept-Encoding",
    ...(compressed && { "Content-Encoding": accepted }),
    ...(range && { "Content-Range": `bytes ${range.start}-${range.end}/${body.length}` }),
  });
  response.end(method === "HEAD" ? undefined : sent);
  return true;
}

/** One range of bytes, both ends included. Undefined for anything else, which RFC 9110 allows to answer with the whole. */
function parseRange(header: string | undefined, length: number): { start: number; end: number } | undefined {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === undefined) return undefined;
  const start = Number(first);
  const end = Math.min(last ? Number(last) : length - 1, length - 1);
  return start <= end ? { start, end } : undefined;
}

/** The files of a folder by their path in it, with slashes. */
async function readFiles(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, Buffer>();
  for (const entry of entries.filter((item) => item.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(join(folder, sep).length).replaceAll(sep, "/"), await readFile(path));
  }
  return files;
}
