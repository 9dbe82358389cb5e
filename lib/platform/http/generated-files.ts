import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { DatabaseDownError, isDatabaseFailure, RETRY_AFTER_SECONDS } from "@/lib/platform/database-failure";
import { env } from "@/lib/platform/env";
import { isShopError, ShopError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { acceptsGzip } from "./encoding";
import { GeneratedFile } from "./generated-file";
import type { Loopback } from "./loopback";
import { clientOf, READ_COSTS, type ReadLimits } from "./read-limits";
import { responseHeaders } from "./response-headers";

type Kept = { file: GeneratedFile; headers: Record<string, string>; madeAt: number; tookMs: number };
export type GeneratedFiles = ReturnType<typeof openGeneratedFiles>;

const FILES =
  /^\/(?:robots\.txt|llms\.txt|\.well-known\/security\.txt|sitemap\.xml|sitemaps\/(?:pages|collections|posts)\.xml|feeds\/products\.jsonl)$/;
/** Unknown numbers are 404 and not kept, so making such a file counts for its client like a page. */
const NUMBERED_FILES = /^\/sitemaps\/products-[1-9]\d{0,5}\.xml$/;
/** A file is kept for a minute, and for 20 times as long as it took, so that making it takes 5 % of the time at most. */
const KEPT_MS = 60_000;
const KEPT_TIMES = 20;
/** The files that show what a tag stands for (lib/platform/page-cache/tags.ts). They are made again when it changes. */
const TAGGED_FILES: Readonly<Record<string, readonly string[]>> = {
  posts: ["/sitemap.xml", "/sitemaps/posts.xml"],
  feed: ["/feeds/products.jsonl"],
};
/** After that time the file is sent for as long while a new one is made, or cannot be made. */
const STALE_MS = 600_000;
/** After a failure to write a file, it is not made again for as long. */
const PAUSE_MS = RETRY_AFTER_SECONDS * 1000;
/** A client that takes nothing for this long is disconnected. */
const STALL_MS = 20_000;
const NEXT_HEADERS = ["content-type", "cache-control", "x-robots-tag"];

type Options = { stallMs?: number; clock?: { now: () => number } };

/**
 * Serves the files for machines: robots.txt, sitemaps, feed (docs/product.md#28-files-and-addresses-for-machines). Next
 * makes each once for all readers, and once it is complete they read it at their own pace: a reader holds no connection to
 * the database and no copy of the file, and never gets a part of one. Reading is not limited.
 */
export function openGeneratedFiles(
  loopback: Loopback,
  limits: Pick<ReadLimits, "run" | "hold" | "join">,
  { stallMs = STALL_MS, clock = performance }: Options = {},
) {
  const kept = new Map<string, Kept>();
  const making = new Map<string, Promise<Kept | null>>();
  /** When the content of a file changed. */
  const changedAt = new Map<string, number>();
  /** When a file could not be written. */
  const failedAt = new Map<string, number>();

  /** Resolves once the file is complete, with null when there is none. Its client's slot is held until then. */
  const make = (pathname: string, client: string): Promise<Kept | null> => {
    const work = async (): Promise<Kept | null> => {
      const madeAt = clock.now();
      const response = await loopback.stream(pathname, { host: new URL(env().APP_URL).host });
      if (response.statusCode !== 200) {
        response.destroy();
        if (response.statusCode === 404) return null;
        if (response.statusCode === 503) throw new DatabaseDownError("the file was not made");
        throw new Error(`${pathname} responded ${response.statusCode}`);
      }
      const file = await GeneratedFile.write(response).catch((cause: unknown) => {
        failedAt.set(pathname, clock.now());
        throw unavailable(cause);
      });
      failedAt.delete(pathname);
      const headers = fileHeaders(pathname, response);
      const made = { file, headers, madeAt, tookMs: clock.now() - madeAt };
      await kept.get(pathname)?.file.replace();
      kept.set(pathname, made);
      return made;
    };
    const read = { client, key: pathname, long: true };
    const made = NUMBERED_FILES.test(pathname)
      ? limits.run({ ...read, cost: READ_COSTS.page }, work)
      : limits.hold(read, work);
    return made
      .catch((error: unknown) => {
        if (!isShopError(error, "too_many_requests"))
          log.warn({ err: error, path: pathname }, "file not made");
        throw error;
      })
      .finally(() => making.delete(pathname));
  };

  const find = async (pathname: string, client: string): Promise<Kept | null> => {
    const current = kept.get(pathname);
    const staleSince = current ? current.madeAt + Math.max(KEPT_MS, KEPT_TIMES * current.tookMs) : 0;
    const isOutdated = current && current.madeAt <= (changedAt.get(pathname) ?? Number.NEGATIVE_INFINITY);
    if (current && !isOutdated && clock.now() < staleSince) return current;
    const stale = current && clock.now() <= staleSince + STALE_MS ? current : null;
    if (clock.now() < (failedAt.get(pathname) ?? Number.NEGATIVE_INFINITY) + PAUSE_MS) {
      if (stale) return stale;
      throw unavailable();
    }
    limits.join(client, pathname);
    const next = making.get(pathname) ?? make(pathname, client);
    if (!making.has(pathname)) making.set(pathname, next);
    const madeNow = next.catch((error: unknown) => {
      if (isShopError(error) || isDatabaseFailure(error)) throw error;
      return null;
    });
    if (!stale) return madeNow;
    if (isOutdated) return madeNow.then((made) => made ?? stale).catch(() => stale);
    madeNow.catch(() => {});
    return stale;
  };

  return {
    /**
     * Sends a complete file. Resolves with false if Next must respond: the file is unknown, or Next has failed.
     * @throws ShopError too_many_requests when the file must be made and the client has reached its read limits,
     * unavailable when it breaks off or there is no room for it
     * @throws DatabaseDownError when it cannot be made because of the database
     */
    async serve(request: IncomingMessage, response: ServerResponse, pathname: string): Promise<boolean> {
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      if (!FILES.test(pathname) && !NUMBERED_FILES.test(pathname)) return false;
      const found = await find(pathname, clientOf(request));
      if (!found) return false;
      response.setTimeout(stallMs, () => response.destroy());
      await send(request, response, found);
      return true;
    },
    /** The content of the tag's files has changed: the next reader waits for a new one. */
    invalidate(tag: string): void {
      for (const pathname of TAGGED_FILES[tag] ?? []) changedAt.set(pathname, clock.now());
    },
    /** Closes the files that nobody reads. */
    async stop(): Promise<void> {
      await Promise.all([...kept.values()].map(({ file }) => file.replace()));
    },
  };
}

const unavailable = (cause?: unknown) =>
  new ShopError("unavailable", { cause, params: { retryAfterSeconds: RETRY_AFTER_SECONDS } });

function fileHeaders(pathname: string, { headers }: IncomingMessage): Record<string, string> {
  const result: Record<string, string> = { ...responseHeaders(pathname), vary: "Accept-Encoding" };
  for (const name of NEXT_HEADERS) if (headers[name] !== undefined) result[name] = String(headers[name]);
  return result;
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { file, headers }: Kept,
): Promise<void> {
  const gzip = acceptsGzip(request.headers["accept-encoding"]);
  response.writeHead(200, {
    ...headers,
    ...(gzip && { "content-encoding": "gzip" }),
    ...(gzip && { "content-length": String(file.size) }),
    "x-request-id": String(request.headers["x-request-id"]),
  });
  if (request.method === "HEAD") return void response.end();
  try {
    await file.read((chunks) =>
      gzip ? pipeline(chunks, response) : pipeline(chunks, createGunzip(), response),
    );
  } catch (error) {
    log.debug({ err: error, path: request.url }, "file not sent to its end");
    response.destroy();
  }
}
