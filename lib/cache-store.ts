import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";

/** A page as Next finished it. */
export type Rendered = { status: number; headers: Record<string, string>; body: Buffer; tags: Set<string> };

export type Encoding = "identity" | "gzip" | "br";

/** A finished page: its bytes in each encoding, made once, and its validator. */
export type FinishedPage = {
  status: number;
  headers: Record<string, string>;
  etag: string;
  encoded(encoding: Encoding): Promise<Buffer> | Buffer;
};

type Entry = { page: FinishedPage; tags: Set<string>; until: number };

const KEPT_MS = 60_000;
const MISSING_KEPT = 200;
/** Dropped tags remembered for renders under way; past it all of them count as dropped. */
const DROPS_KEPT = 10_000;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const compress = { gzip: promisify(gzip), br: promisify(brotliCompress) };

export type PageStore = ReturnType<typeof createPageStore>;

/**
 * Keeps finished pages, bounded by bytes; missing ones in a place of their own, so that invented addresses push no page
 * out. `renewed` is called with each page that is finished, and may add headers.
 */
export function createPageStore({ maxBytes, now = Date.now }: { maxBytes: number; now?: () => number }) {
  const sizeOf = ({ page }: Entry) => (page as Sized).bytes;
  const pages = new LRUCache<string, Entry>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  const missing = new LRUCache<string, Entry>({
    max: MISSING_KEPT,
    maxSize: maxBytes / 8,
    sizeCalculation: sizeOf,
  });
  const underWay = new Map<string, Promise<FinishedPage | null>>();
  const dropped = new Map<string, number>();
  let drops = 0;
  let forgottenBefore = 0;

  const isOutdated = (tags: Set<string>, since: number) =>
    since < forgottenBefore || [...tags].some((tag) => (dropped.get(tag) ?? 0) > since);

  return {
    /** A page that is kept and still true. */
    find(key: string): FinishedPage | undefined {
      const entry = pages.get(key) ?? missing.get(key);
      if (!entry) return undefined;
      if (entry.until > now()) return entry.page;
      pages.delete(key);
      missing.delete(key);
      return undefined;
    },

    /**
     * Renders a page, once for all who ask meanwhile, and keeps it unless something that it shows was dropped while it
     * was made, it is none of ours (neither 200 nor 404), or it sets a cookie. null: it is not to be shared at all.
     */
    async make(
      key: string,
      render: () => Promise<Rendered & { until?: number }>,
    ): Promise<FinishedPage | null> {
      const making = underWay.get(key);
      if (making) return making;
      const since = drops;
      const made = (async () => {
        const { tags, until = Number.POSITIVE_INFINITY, ...rendered } = await render();
        if (!isShareable(rendered)) return null;
        const page = finish(rendered);
        const entry = { page, tags, until: Math.min(until, now() + KEPT_MS) };
        if (!isOutdated(tags, since)) (rendered.status === 404 ? missing : pages).set(key, entry);
        return page;
      })().finally(() => {
        if (underWay.get(key) === made) underWay.delete(key);
      });
      underWay.set(key, made);
      return made;
    },

    /** Something that pages show has changed: those that show it go, and no render under way is joined any more. */
    drop(tag: string): void {
      drops += 1;
      if (dropped.size >= DROPS_KEPT) {
        dropped.clear();
        forgottenBefore = drops;
      }
      dropped.set(tag, drops);
      underWay.clear();
      for (const kept of [pages, missing])
        for (const [key, entry] of kept.entries()) if (entry.tags.has(tag)) kept.delete(key);
    },

    /** What was told meanwhile is not known: nothing that is kept, or being made, counts. */
    clear(): void {
      drops += 1;
      forgottenBefore = drops;
      dropped.clear();
      underWay.clear();
      pages.clear();
      missing.clear();
    },

    size: () => ({
      pages: pages.size,
      missing: missing.size,
      bytes: pages.calculatedSize + missing.calculatedSize,
    }),
  };
}

const isShareable = ({ status, headers }: Omit<Rendered, "tags">) =>
  (status === 200 || status === 404) &&
  !("set-cookie" in headers) &&
  (headers["content-type"] ?? "").startsWith("text/html");

type Sized = FinishedPage & { bytes: number };

function finish({ status, headers, body }: Omit<Rendered, "tags">): Sized {
  const bodies: Partial<Record<Encoding, Promise<Buffer> | Buffer>> = { identity: body };
  return {
    status,
    headers,
    etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
    bytes: 2 * body.length, // the compressed ones are about a third each
    encoded(encoding) {
      const known = bodies[encoding];
      if (known || encoding === "identity") return known ?? body;
      const made = encoding === "br" ? compress.br(body, BROTLI) : compress.gzip(body);
      bodies[encoding] = made.then((bytes) => {
        bodies[encoding] = bytes;
        return bytes;
      });
      return made;
    },
  };
}
