import { LRUCache } from "lru-cache";
import { CachedPage, type RenderedPage } from "./cached-page";
import { UNSETTLED } from "./tags";

/** What a render gives; `until`: when time alone changes what the page shows, on the clock of `performance.now()`. */
export type Rendered = RenderedPage & { tags: Set<string>; until?: number };
type Render = () => Promise<Rendered>;

type Tagged = { page: CachedPage; tags: Set<string> };
/** A render under way; `since`: how many invalidations there were before it. */
type Rendering = { since: number; result: Promise<Tagged | null> };

const MAX_AGE_MS = 60_000;
const MAX_NOT_FOUND = 200;
/** What the headers, tags and bookkeeping of an entry take in memory, about. */
const ENTRY_BYTES = 2048;
/** Invalidated tags that are remembered for renders under way; past it all tags count as invalidated. */
const MAX_INVALIDATED = 10_000;

/** Cached pages, bounded by bytes. Missing pages have a bound of their own, so that unknown addresses evict no page. */
export class PageStore {
  private readonly pages: LRUCache<string, Tagged>;
  private readonly notFound: LRUCache<string, Tagged>;
  private readonly renderings = new Map<string, Rendering>();
  /** The number of the last invalidation of each tag. */
  private readonly invalidated = new Map<string, number>();
  private invalidations = 0;
  /** Renders that began before this invalidation are not stored, whatever they show. */
  private allInvalidatedAt = 0;

  constructor(
    maxBytes: number,
    private readonly clock: { now: () => number } = performance,
  ) {
    const sizeCalculation = ({ page }: Tagged, key: string) => page.bytes + key.length + ENTRY_BYTES;
    const options = { sizeCalculation, perf: clock, ttlResolution: 0 };
    this.pages = new LRUCache({ ...options, maxSize: maxBytes });
    this.notFound = new LRUCache({ ...options, maxSize: maxBytes / 8, max: MAX_NOT_FOUND });
  }

  /** The page of a key, if it is stored and not expired. */
  find(key: string): CachedPage | undefined {
    return (this.pages.get(key) ?? this.notFound.get(key))?.page;
  }

  /**
   * Renders a page, once for all who ask meanwhile, and stores it unless a tag of it was invalidated during the render;
   * who asked after that invalidation waits for the next render. null: the page is not to be shared (neither 200 nor
   * 404, no HTML, or it sets a cookie).
   */
  async render(key: string, render: Render): Promise<CachedPage | null> {
    const asked = this.invalidations;
    for (;;) {
      const rendering = this.renderings.get(key) ?? this.begin(key, render);
      const tagged = await rendering.result;
      if (!tagged || rendering.since >= asked || !this.isOutdated(tagged.tags, rendering.since))
        return tagged?.page ?? null;
    }
  }

  private begin(key: string, render: Render): Rendering {
    const rendering = { since: this.invalidations, result: this.renderAndStore(key, render) };
    const end = () => {
      if (this.renderings.get(key) === rendering) this.renderings.delete(key);
    };
    rendering.result.then(end, end);
    this.renderings.set(key, rendering);
    return rendering;
  }

  private async renderAndStore(key: string, render: Render): Promise<Tagged | null> {
    const since = this.invalidations;
    const { tags, until = Number.POSITIVE_INFINITY, ...rendered } = await render();
    if (!isShareable(rendered)) return null;
    const tagged = { page: new CachedPage(rendered), tags };
    const pages = rendered.status === 404 ? this.notFound : this.pages;
    const ttl = Math.floor(Math.min(until - this.clock.now(), MAX_AGE_MS));
    if (ttl > 0 && !this.isOutdated(tags, since)) pages.set(key, tagged, { ttl });
    return tagged;
  }

  private isOutdated(tags: Set<string>, since: number): boolean {
    if (since < this.allInvalidatedAt || tags.has(UNSETTLED)) return true;
    return [...tags].some((tag) => (this.invalidated.get(tag) ?? 0) > since);
  }

  /** Removes the pages that have this tag; renders under way that turn out to have it are not stored. */
  invalidate(tag: string): void {
    this.invalidations += 1;
    if (this.invalidated.size >= MAX_INVALIDATED) {
      this.invalidated.clear();
      this.allInvalidatedAt = this.invalidations;
    }
    this.invalidated.set(tag, this.invalidations);
    for (const pages of [this.pages, this.notFound])
      for (const [key, { tags }] of pages.entries()) if (tags.has(tag)) pages.delete(key);
  }

  /** Removes all pages, because notifications were lost; no render under way is stored. */
  clear(): void {
    this.invalidations += 1;
    this.allInvalidatedAt = this.invalidations;
    this.invalidated.clear();
    this.pages.clear();
    this.notFound.clear();
  }

  /** How many pages are stored, and their bytes. */
  size(): { pages: number; notFound: number; bytes: number } {
    const { pages, notFound } = this;
    const bytes = pages.calculatedSize + notFound.calculatedSize;
    return { pages: pages.size, notFound: notFound.size, bytes };
  }
}

const isShareable = ({ status, headers }: RenderedPage) =>
  (status === 200 || status === 404) &&
  !("set-cookie" in headers) &&
  (headers["content-type"] ?? "").startsWith("text/html");
