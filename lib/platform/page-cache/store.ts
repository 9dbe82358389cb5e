import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { UNSETTLED } from "./tags";

/** A page as Next finished it. */
export type Rendered = { status: number; headers: Record<string, string>; body: Buffer; tags: Set<string> };

export type Encoding = "identity" | "gzip" | "br";

/** A finished page: its bytes in each encoding, made once, and its validator. */
export type FinishedPage = {
  /** what it takes in memory, about */
  bytes: number;
  status: number;
  headers: Record<string, string>;
  etag: string;
  encoded(encoding: Encoding): Promise<Buffer> | Buffer;
};

type Made = { page: FinishedPage; tags: Set<string> };
type Entry = Made & { until: number };
/** A render under way, and how many drops there were before it. */
type Making = { since: number; made: Promise<Made | null> };
type Render = () => Promise<Rendered & { until?: number }>;

const KEPT_MS = 60_000;
const MISSING_KEPT = 200;
/** What the headers, tags and places of an entry take in memory, about. */
const ENTRY_BYTES = 2048;
/** A page, or what the router in the browser asks for instead of it. */
export type PageType = "text/html" | "text/x-component";
/** Dropped tags remembered for renders under way; past it all of them count as dropped. */
const DROPS_KEPT = 10_000;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const compress = { gzip: promisify(gzip), br: promisify(brotliCompress) };

/**
 * Keeps finished pages, bounded by bytes; missing ones and the router's payloads in places of their own, so that invented
 * addresses and wishes push no page out.
 */
export class PageStore {
  private readonly pages: LRUCache<string, Entry>;
  private readonly missing: LRUCache<string, Entry>;
  private readonly payloads: LRUCache<string, Entry>;
  private readonly underWay = new Map<string, Making>();
  /** When each tag was dropped last, counted in drops. */
  private readonly dropped = new Map<string, number>();
  private drops = 0;
  private forgottenBefore = 0;

  constructor(
    maxBytes: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    const sizeCalculation = ({ page }: Entry, key: string) => page.bytes + key.length + ENTRY_BYTES;
    this.pages = new LRUCache({ maxSize: maxBytes, sizeCalculation });
    this.missing = new LRUCache({ max: MISSING_KEPT, maxSize: maxBytes / 8, sizeCalculation });
    this.payloads = new LRUCache({ maxSize: maxBytes / 4, sizeCalculation });
  }

  /** A page that is kept and still true. */
  find(key: string): FinishedPage | undefined {
    const entry = this.pages.get(key) ?? this.missing.get(key) ?? this.payloads.get(key);
    if (!entry) return undefined;
    if (entry.until > this.now()) return entry.page;
    for (const kept of this.places()) kept.delete(key);
    return undefined;
  }

  /**
   * Renders a page of this type, once for all who ask meanwhile, and keeps it unless something that it shows was dropped while it
   * was made; who asked after that waits for the next one. null: it is not to be shared (neither 200 nor 404, no page,
   * or it sets a cookie).
   */
  async make(key: string, render: Render, type: PageType = "text/html"): Promise<FinishedPage | null> {
    const asked = this.drops;
    for (;;) {
      const making = this.underWay.get(key) ?? this.begin(key, render, type);
      const made = await making.made;
      if (!made || making.since >= asked || !this.isOutdated(made.tags, making.since))
        return made?.page ?? null;
    }
  }

  private begin(key: string, render: Render, type: PageType): Making {
    const making = { since: this.drops, made: this.render(key, render, type) };
    const ended = () => {
      if (this.underWay.get(key) === making) this.underWay.delete(key);
    };
    making.made.then(ended, ended);
    this.underWay.set(key, making);
    return making;
  }

  private async render(key: string, render: Render, type: PageType): Promise<Made | null> {
    const since = this.drops;
    const { tags, until = Number.POSITIVE_INFINITY, ...rendered } = await render();
    if (!isShareable(rendered, type)) return null;
    const page = finish(rendered);
    const entry = { page, tags, until: Math.min(until, this.now() + KEPT_MS) };
    if (!this.isOutdated(tags, since)) this.placeOf(rendered.status, type).set(key, entry);
    return entry;
  }

  private placeOf(status: number, type: PageType): LRUCache<string, Entry> {
    if (status === 404) return this.missing;
    return type === "text/html" ? this.pages : this.payloads;
  }

  private places = () => [this.pages, this.missing, this.payloads];

  private isOutdated(tags: Set<string>, since: number): boolean {
    if (since < this.forgottenBefore || tags.has(UNSETTLED)) return true;
    return [...tags].some((tag) => (this.dropped.get(tag) ?? 0) > since);
  }

  /** Something that pages show has changed: those that show it go, and those under way that show it are not kept. */
  drop(tag: string): void {
    this.drops += 1;
    if (this.dropped.size >= DROPS_KEPT) {
      this.dropped.clear();
      this.forgottenBefore = this.drops;
    }
    this.dropped.set(tag, this.drops);
    for (const kept of this.places())
      for (const [key, entry] of kept.entries()) if (entry.tags.has(tag)) kept.delete(key);
  }

  /** What was told meanwhile is not known: nothing that is kept, or being made, counts. */
  clear(): void {
    this.drops += 1;
    this.forgottenBefore = this.drops;
    this.dropped.clear();
    for (const kept of this.places()) kept.clear();
  }

  /** Pages that are kept, and what all that is kept weighs in bytes. */
  size(): { pages: number; missing: number; payloads: number; bytes: number } {
    const { pages, missing, payloads } = this;
    const bytes = this.places().reduce((sum, { calculatedSize }) => sum + calculatedSize, 0);
    return { pages: pages.size, missing: missing.size, payloads: payloads.size, bytes };
  }
}

/** Level 9 of gzip costs a sixth more for 20 bytes of a page. */
export const compressed = (body: Buffer, encoding: Exclude<Encoding, "identity">): Promise<Buffer> =>
  encoding === "br" ? compress.br(body, BROTLI) : compress.gzip(body, { level: 7 });

const isShareable = ({ status, headers, body }: Omit<Rendered, "tags">, type: PageType) =>
  (status === 200 || (status === 404 && type === "text/html")) &&
  !("set-cookie" in headers) &&
  (headers["content-type"] ?? "").startsWith(type) &&
  !(type === "text/x-component" && FAILED.test(body.toString("latin1")));

/** A payload that fails half way says so in a row of its own, with status 200; `NEXT_` are redirects and the like. */
const FAILED = /^[0-9a-f]+:E\{(?!"digest":"NEXT_)/m;

function finish({ status, headers, body }: Omit<Rendered, "tags">): FinishedPage {
  const bodies: Partial<Record<Encoding, Promise<Buffer> | Buffer>> = { identity: body };
  return {
    status,
    headers,
    etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
    bytes: 2 * body.length, // the compressed ones are about a third each
    encoded(encoding) {
      const known = bodies[encoding];
      if (known || encoding === "identity") return known ?? body;
      const made = compressed(body, encoding);
      bodies[encoding] = made.then((bytes) => {
        bodies[encoding] = bytes;
        return bytes;
      });
      return made;
    },
  };
}
