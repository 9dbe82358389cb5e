import { createHash } from "node:crypto";
import { compress, type Encoding } from "@/lib/platform/http/encoding";

/** A page as Next rendered it, without what belongs to one connection. */
export type RenderedPage = { status: number; headers: Record<string, string>; body: Buffer };

/** The body of a page in one encoding, with its header lines (name, value, name, value …) as `writeHead` takes them. */
type Variant = { lines: string[]; body: Buffer };

/**
 * A rendered page with its ETag and its compressed variants. A variant is made at the first request for its encoding.
 */
export class CachedPage {
  readonly status: number;
  readonly etag: string;
  /** Estimated memory use: the body, and two compressed bodies of about half its size together. */
  readonly bytes: number;
  /** The header lines that every variant and a 304 share. */
  readonly lines: string[];
  /** Until when others may keep it, on the clock of `performance.now()`; 0 when it is not stored. */
  sharedUntil = 0;
  private readonly variants = new Map<Encoding, Promise<Variant>>();

  constructor(
    private readonly page: RenderedPage,
    readonly tags: ReadonlySet<string>,
  ) {
    const { status, headers, body } = page;
    this.status = status;
    this.etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    this.bytes = 2 * body.length;
    this.lines = [...Object.entries(headers).flat(), "etag", this.etag];
  }

  /** True if the page noted that it is another one with this query (`noteQueries` in tags.ts). */
  isChangedBy(query: string): boolean {
    return this.tags.has(query);
  }

  variant(encoding: Encoding): Promise<Variant> {
    const variant = this.variants.get(encoding) ?? this.createVariant(encoding);
    this.variants.set(encoding, variant);
    return variant;
  }

  private async createVariant(encoding: Encoding): Promise<Variant> {
    const body = await compress(this.page.body, encoding);
    const encodingLine = encoding === "identity" ? [] : ["content-encoding", encoding];
    return { body, lines: [...this.lines, ...encodingLine, "content-length", String(body.length)] };
  }
}
