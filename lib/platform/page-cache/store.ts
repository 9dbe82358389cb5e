import { LRUCache } from "lru-cache";
import { CachedPage, type RenderedPage } from "./cached-page";
import { UNSETTLED } from "./tags";

/**
 * The result of a render. From `validUntil` on, on the clock of `performance.now()`, the page may show something
 * else.
 */
export type Rendered = RenderedPage & { tags: Set<string>; validUntil?: number };
type Render = () => Promise<Rendered>;

/** From `expiresAt` on, the page is sent only while the database is down. */
type Entry = { page: CachedPage; tags: Set<string>; expiresAt: number };
type Segment = LRUCache<string, Entry>;
/** A running render. `since` is the number of invalidations when it started. */
type Rendering = { since: number; result: Promise<Entry | null> };

const MAX_AGE_MS = 60_000;
const MAX_NOT_FOUND = 200;
/** The share of the bytes that pages requested once may use. */
const ONCE_SHARE = 1 / 4;
/** Estimated memory use of an entry's headers, tags and bookkeeping. */
const ENTRY_BYTES = 2048;
/** Number of invalidated tags that are kept for running renders. Beyond it all tags count as invalidated. */
const MAX_INVALIDATED = 10_000;

/**
 * Cached pages, bounded by bytes, in segments that do not evict each other's pages: those requested again, those requested
 * once, and responses with status 404. So no number of addresses that are each requested once evicts a page that is
 * requested often.
 */
export class PageStore {
  private readonly pages: Segment;
  private readonly requestedOnce: Segment;
  private readonly notFound: Segment;
  private readonly renderings = new Map<string, Rendering>();
  /** The number of the last invalidation of each tag. */
  private readonly invalidated = new Map<string, number>();
  private invalidations = 0;
  /** Renders that started before this invalidation are not stored, whatever their tags. */
  private allInvalidatedAt = 0;

  constructor(
    maxBytes: number,
    private readonly clock: { now: () => number } = performance,
  ) {
    const sizeCalculation = ({ page }: Entry, key: string) => page.bytes + key.length + ENTRY_BYTES;
    const segment = (share: number, max?: number): Segment =>
      new LRUCache({ sizeCalculation, maxSize: Math.floor(maxBytes * share), max });
    this.pages = segment(1 - ONCE_SHARE);
    this.requestedOnce = segment(ONCE_SHARE);
    this.notFound = segment(1 / 8, MAX_NOT_FOUND);
  }

  /** The stored page of a key, unless expired. A page that was requested once moves to those requested again. */
  find(key: string): CachedPage | undefined {
    const entry = this.get(key);
    if (!entry || entry.expiresAt <= this.clock.now()) return undefined;
    if (this.requestedOnce.delete(key)) this.pages.set(key, entry);
    return entry.page;
  }

  /** The stored page of a key, unless it expired more than `maxMs` ago. */
  findStale(key: string, maxMs: number): CachedPage | undefined {
    const entry = this.get(key);
    return entry && entry.expiresAt > this.clock.now() - maxMs ? entry.page : undefined;
  }

  private get(key: string): Entry | undefined {
    return this.pages.get(key) ?? this.requestedOnce.get(key) ?? this.notFound.get(key);
  }

  /**
   * Renders a page and stores it, unless one of its tags was invalidated during the render. Concurrent calls for a key
   * share one render; a call that came after such an invalidation waits for a new one. Resolves with null if the
   * response must not be shared: its status is neither 200 nor 404, it is not HTML, or it sets a cookie.
   */
  async render(key: string, render: Render): Promise<CachedPage | null> {
    const requestedAt = this.invalidations;
    for (;;) {
      const rendering = this.renderings.get(key) ?? this.start(key, render);
      const entry = await rendering.result;
      if (!entry) return null;
      const startedAfterRequest = rendering.since >= requestedAt;
      if (startedAfterRequest || !this.isOutdated(entry.tags, rendering.since)) return entry.page;
    }
  }

  private start(key: string, render: Render): Rendering {
    const rendering = { since: this.invalidations, result: this.renderAndStore(key, render) };
    const remove = () => {
      if (this.renderings.get(key) === rendering) this.renderings.delete(key);
    };
    rendering.result.then(remove, remove);
    this.renderings.set(key, rendering);
    return rendering;
  }

  private async renderAndStore(key: string, render: Render): Promise<Entry | null> {
    const since = this.invalidations;
    const { tags, validUntil = Number.POSITIVE_INFINITY, ...rendered } = await render();
    if (!isShareable(rendered)) return null;
    const now = this.clock.now();
    const expiresAt = Math.min(validUntil, now + MAX_AGE_MS);
    const entry = { page: new CachedPage(rendered, tags), tags, expiresAt };
    if (expiresAt > now && !this.isOutdated(tags, since)) this.keep(key, rendered.status, entry);
    return entry;
  }

  /** Stores a page in one segment. A page that has expired among those requested again remains one. */
  private keep(key: string, status: number, entry: Entry): void {
    const known = this.pages.has(key) ? this.pages : this.requestedOnce;
    const segment = status === 404 ? this.notFound : known;
    for (const other of this.segments()) if (other !== segment) other.delete(key);
    segment.set(key, entry);
    entry.page.sharedUntil = entry.expiresAt;
  }

  private isOutdated(tags: Set<string>, since: number): boolean {
    if (since < this.allInvalidatedAt || tags.has(UNSETTLED)) return true;
    return [...tags].some((tag) => (this.invalidated.get(tag) ?? 0) > since);
  }

  /** Removes the pages with this tag. Running renders that turn out to have it are not stored. */
  invalidate(tag: string): void {
    this.invalidations += 1;
    if (this.invalidated.size >= MAX_INVALIDATED) {
      this.invalidated.clear();
      this.allInvalidatedAt = this.invalidations;
    }
    this.invalidated.set(tag, this.invalidations);
    for (const segment of this.segments())
      for (const [key, { tags }] of segment.entries()) if (tags.has(tag)) segment.delete(key);
  }

  /**
   * Expires all pages, as of `at`, when notifications may have been lost. No running render is stored. The pages remain for
   * a failure of the database, within its limit (`findStale`).
   */
  expireAll(at = this.clock.now()): void {
    this.invalidations += 1;
    this.allInvalidatedAt = this.invalidations;
    this.invalidated.clear();
    for (const segment of this.segments())
      for (const entry of segment.values()) entry.expiresAt = Math.min(entry.expiresAt, at);
  }

  private segments(): Segment[] {
    return [this.pages, this.requestedOnce, this.notFound];
  }

  /** The number of stored pages, and their size in bytes. */
  size(): { pages: number; notFound: number; bytes: number } {
    const bytes = this.segments().reduce((sum, { calculatedSize }) => sum + calculatedSize, 0);
    return { pages: this.pages.size + this.requestedOnce.size, notFound: this.notFound.size, bytes };
  }
}

const isShareable = ({ status, headers }: RenderedPage) =>
  (status === 200 || status === 404) &&
  !("set-cookie" in headers) &&
  (headers["content-type"] ?? "").startsWith("text/html");
