import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import type { DatabaseMonitor } from "@/db/monitor";
import { RETRY_AFTER_SECONDS } from "@/lib/platform/database-failure";
import { isShopError, ShopError } from "@/lib/platform/errors";
import { READ_COSTS, startExpensiveWork, takePoints } from "@/lib/platform/expensive-work";
import { renderRefusal } from "@/lib/platform/http/refusal";
import { responseHeaders } from "@/lib/platform/http/response-headers";
import { log } from "@/lib/platform/log";
import { currentRequest } from "@/lib/platform/request-scope";
import { closedNotice } from "@/lib/platform/routing/closed-pages";
import { withScriptHashes } from "./content-policy";
import { InvalidationListener } from "./invalidation-listener";
import { findNextChange } from "./next-change";
import { MISSING, UNSETTLED } from "./tags";

/** A rendered page as Next passes and accepts it: the fields that are used here. */
export type RenderedPage = {
  kind: "APP_PAGE";
  html: string;
  /** The RSC payload, which the router reads instead of the document. */
  rscData?: Buffer;
  segmentData?: Map<string, Buffer>;
  headers?: Record<string, unknown>;
  status?: number;
};
/** The page that is returned to Next, which sends bytes as they are. */
type SentPage = Omit<RenderedPage, "html"> & { html: string | Buffer };
type CachedPage = {
  page: RenderedPage;
  compressed?: Promise<Buffer>;
  tags: ReadonlySet<string>;
  generation: number;
  cachedAt: number;
};
/** A running render; `since` is the generation at its beginning. */
type Render = { since: number; release: () => void };
type Found = { lastModified: number; value: SentPage };
type Listener = Pick<InvalidationListener, "confirm" | "isTrusted" | "stop">;

/**
 * For nginx (deploy/nginx): an old page is sent for at most three seconds after a change, and for ten minutes during a
 * restart.
 */
const CACHE_CONTROL =
  "public, max-age=0, must-revalidate, s-maxage=1, stale-while-revalidate=1, stale-if-error=600";
/** The maximum age of figures that change constantly, such as the number of delivered codes. */
const MAX_AGE_MS = 60_000;
/** How long pages are sent after they were cached while the database is down. */
const STALE_MS = 600_000;
/** How long a page lives while notifications may be lost. */
const UNTRUSTED_MS = 2_000;
/** How long a write waits for renders that began before it. */
const SETTLE_MS = 2_000;
/** Writes within this time share one read of the next change. */
const REREAD_MS = 250;
/** The number of invalidated tags that are stored for running renders. Above it, all tags count as invalidated. */
const MAX_INVALIDATED = 10_000;
/** Estimated memory of an entry besides its page. */
const ENTRY_BYTES = 2_048;
const MAX_TIMER_MS = 2 ** 31 - 1;
/** The queries that Next turns into a part of the path (next.config.ts), and the router's query. */
const KEPT_QUERY = /^[^?]*(?:\?(?:(?:plan|sort|page|_rsc)=\w*&?)*)?$/;

/**
 * Caches Next's public pages (docs/decisions/0040-serve-with-next-and-nginx.md) in memory, up to a size in bytes. A
 * page is cached until a notification names one of its tags, or until the next change that no write announces. Missing
 * pages are not cached.
 */
export class PageCache {
  private readonly pages: LRUCache<string, CachedPage>;
  /** Counts invalidations, so that a page rendered before an invalidation is not cached after it. */
  private generation = 0;
  private allInvalidatedAt = 0;
  private readonly invalidated = new Map<string, number>();
  /** When a tag without a number, as generated files have, was invalidated; "" for all tags. */
  private readonly changedAt = new Map<string, number>();
  /** Running renders by key. */
  private readonly renders = new Map<string, Render>();
  private listener: Listener | undefined;
  private nextChange: NodeJS.Timeout | undefined;
  private rereading: NodeJS.Timeout | undefined;

  /** With `maxBytes` 0 nothing is cached. */
  constructor(
    maxBytes: number,
    private readonly database: Pick<
      DatabaseMonitor,
      "isDown" | "isFailing" | "failingFor" | "answered" | "onUp"
    >,
    private readonly clock: { now: () => number } = performance,
  ) {
    this.pages = new LRUCache({
      maxSize: Math.max(maxBytes, 1),
      sizeCalculation: ({ page }) => sizeOf(page),
    });
  }

  /** Starts to listen to changes. */
  async open(): Promise<void> {
    this.listener = await InvalidationListener.open({
      onTag: (tag) => this.invalidate(tag),
      onLost: () => this.invalidateAll(),
    });
    this.database.onUp(() => this.invalidateAll());
    void this.watchNextChange();
  }

  /**
   * The cached page of a key; a refusal instead while the shop is closed, the database is down or the server is
   * overloaded; null if Next has to render it.
   */
  async get(key: string): Promise<Found | null> {
    const closed = closedNotice(currentRequest()?.url ?? "/");
    if (closed) return found(refusalPage(closed));
    const kept = this.pages.peek(key);
    // A render would wait for a database that does not answer, and all readers of the page with it.
    if (kept && !this.isCurrent(kept)) await this.database.answered();
    const cached = this.pages.get(key);
    if (cached && this.isCurrent(cached)) return found(await pageFor(cached), "next; hit");
    const isStale = this.database.isFailing() && this.database.failingFor() < STALE_MS;
    if (cached && isStale && this.clock.now() - cached.cachedAt < STALE_MS)
      return found(cached.page, "next; hit; detail=stale");
    if (this.database.isDown()) return found(refusalPage(new ShopError("unavailable")));
    const release = await startRender();
    if (typeof release !== "function") return found(refusalPage(release));
    const render = { since: this.generation, release };
    this.renders.set(key, render);
    // A render that fails, or whose reader has disconnected, yields no page.
    currentRequest()?.onClose?.(() => this.end(key, render));
    return null;
  }

  /** Completes the headers of a page that Next has rendered, which it then sends, and caches the page. */
  set(key: string, page: RenderedPage): void {
    const render = this.renders.get(key);
    const since = render?.since ?? this.generation;
    this.end(key, render);
    const tags = currentRequest()?.tags ?? new Set([UNSETTLED]);
    if (tags.has(MISSING)) page.status = 404;
    // Next writes the reader's query into the page, which other readers must not see.
    const isForAll = KEPT_QUERY.test(currentRequest()?.rendered ?? "");
    const headers = {
      ...page.headers,
      "content-security-policy": withScriptHashes(
        responseHeaders("/")["Content-Security-Policy"] ?? "",
        page.html,
      ),
      "cache-control": isForAll ? CACHE_CONTROL : "private, no-store",
      etag: `"${createHash("sha256").update(page.html).digest("base64url").slice(0, 22)}"`,
    };
    if (page.status !== 404 && isForAll && !this.isOutdated(tags, since))
      this.pages.set(key, {
        page: { ...page, headers },
        tags,
        generation: since,
        cachedAt: this.clock.now(),
      });
    page.headers = { ...headers, "cache-status": "next; fwd=miss" };
  }

  /** Drops the pages with this tag, also those that are being rendered. */
  invalidate(tag: string): void {
    this.generation += 1;
    if (this.invalidated.size >= MAX_INVALIDATED) this.invalidateAll();
    this.invalidated.set(tag, this.generation);
    if (!tag.includes(":")) this.changedAt.set(tag, Date.now());
    for (const [key, { tags }] of this.pages.entries()) if (tags.has(tag)) this.pages.delete(key);
    this.rereading ??= setTimeout(() => {
      this.rereading = undefined;
      void this.watchNextChange();
    }, REREAD_MS).unref();
  }

  /** Drops all pages, but keeps them for a failure of the database. */
  invalidateAll(): void {
    this.generation += 1;
    this.allInvalidatedAt = this.generation;
    this.invalidated.clear();
    this.changedAt.set("", Date.now());
  }

  /**
   * Waits until this process has received all writes before this call, and until the renders that began before them
   * have ended, because Next shares a render among all requests for the page. The writer then sees the change on the
   * next page. False if no page has changed since the write began; `begun` was `version` then.
   */
  async settle(begun: number): Promise<boolean> {
    await this.listener?.confirm();
    const since = this.generation;
    if (since === begun && this.isTrusted()) return false;
    const deadline = performance.now() + SETTLE_MS;
    while ([...this.renders.values()].some((render) => render.since < since) && performance.now() < deadline)
      await wait(5);
    return true;
  }

  /** How long ago a tag was invalidated, in milliseconds; Infinity if it was not since the start. */
  changedMsAgo(tag: string): number {
    const never = Number.NEGATIVE_INFINITY;
    const changedAt = Math.max(this.changedAt.get(tag) ?? never, this.changedAt.get("") ?? never);
    return Date.now() - changedAt;
  }

  /** Grows with each change of a page. */
  version(): number {
    return this.generation;
  }

  isTrusted(): boolean {
    return (this.listener?.isTrusted() ?? false) && !this.database.isFailing();
  }

  /** The number of cached pages, and their size in bytes. */
  size(): { pages: number; bytes: number } {
    return { pages: this.pages.size, bytes: this.pages.calculatedSize };
  }

  /** True while the database fails and cached pages are sent. */
  sendsStale(): boolean {
    return this.database.isFailing() && this.database.failingFor() < STALE_MS && this.pages.size > 0;
  }

  stop(): void {
    clearTimeout(this.nextChange);
    clearTimeout(this.rereading);
    this.listener?.stop();
  }

  private end(key: string, render: Render | undefined): void {
    if (render && this.renders.get(key) === render) this.renders.delete(key);
    render?.release();
  }

  private isCurrent({ tags, generation, cachedAt }: CachedPage): boolean {
    if (this.isOutdated(tags, generation)) return false;
    return this.clock.now() - cachedAt < (this.isTrusted() ? MAX_AGE_MS : UNTRUSTED_MS);
  }

  private isOutdated(tags: ReadonlySet<string>, since: number): boolean {
    if (since < this.allInvalidatedAt || tags.has(UNSETTLED)) return true;
    for (const tag of tags) if ((this.invalidated.get(tag) ?? 0) > since) return true;
    return false;
  }

  /** Waits for the next change that no write announces, and then drops all pages. */
  private async watchNextChange(): Promise<void> {
    const at = await findNextChange().catch((error: unknown) => {
      log.warn({ err: error }, "page cache: the next change is not known");
      return performance.now() + UNTRUSTED_MS;
    });
    clearTimeout(this.nextChange);
    const ms = at === undefined ? MAX_TIMER_MS : Math.min(Math.max(at - performance.now(), 0), MAX_TIMER_MS);
    const onChange = () => {
      this.invalidateAll();
      void this.watchNextChange();
    };
    this.nextChange = setTimeout(onChange, ms).unref();
  }
}

const compress = promisify(gzip);

/**
 * A cached page in the encoding that its reader accepts. It is compressed once; Next would compress it for each reader.
 */
async function pageFor(cached: CachedPage): Promise<SentPage> {
  if (!currentRequest()?.takesGzip) return cached.page;
  cached.compressed ??= compress(cached.page.html);
  const headers = { ...cached.page.headers, "content-encoding": "gzip" };
  return { ...cached.page, html: await cached.compressed, headers };
}

const found = (page: SentPage, status?: string): Found => ({
  lastModified: Date.now(),
  value: status ? { ...page, headers: { ...page.headers, "cache-status": status } } : page,
});

/**
 * Takes a point of the reader's address group and waits for a slot. Returns the function that ends the render, or the
 * error if it may not start.
 */
async function startRender(): Promise<(() => void) | ShopError> {
  const { ip = "unknown" } = currentRequest() ?? {};
  try {
    await takePoints(ip, READ_COSTS.page);
    return await startExpensiveWork(ip);
  } catch (error) {
    if (isShopError(error)) return error;
    throw error;
  }
}

/** A refusal in place of a page, in the language of the reader. */
function refusalPage(error: ShopError): RenderedPage {
  const { url = "/", language = "" } = currentRequest() ?? {};
  const request = { method: "GET", url, headers: { "accept-language": language } };
  const retryAfter = String(error.params.retryAfterSeconds ?? RETRY_AFTER_SECONDS);
  const { status, headers, body } = renderRefusal(request, error, { "Retry-After": retryAfter });
  const { "Content-Length": _, "Content-Type": __, ...rest } = headers;
  return { kind: "APP_PAGE", html: body, status, headers: rest };
}

function sizeOf({ html, rscData, segmentData }: RenderedPage): number {
  const segments = [...(segmentData?.values() ?? [])].reduce((sum, part) => sum + part.length, 0);
  const compressed = Math.ceil(html.length / 4);
  return ENTRY_BYTES + 2 * html.length + compressed + (rscData?.length ?? 0) + segments;
}
