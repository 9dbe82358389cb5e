import { createHash } from "node:crypto";
import { compress, type Encoding } from "@/lib/platform/http/encoding";

/** A page as Next rendered it, without what belongs to one connection. */
export type RenderedPage = { status: number; headers: Record<string, string>; body: Buffer };

/** The body of a page in one encoding, with its header lines (name, value, name, value …) as `writeHead` takes them. */
type Variant = { lines: string[]; body: Buffer };

/** A rendered page with its validator and its variants, each made when first asked for. */
export class CachedPage {
  readonly status: number;
  readonly etag: string;
  /** what the page takes in memory, about: the compressed bodies are a third each */
  readonly bytes: number;
  /** the header lines of a 304 */
  readonly lines: string[];
  private readonly variants = new Map<Encoding, Promise<Variant>>();

  constructor(private readonly page: RenderedPage) {
    const { status, headers, body } = page;
    this.status = status;
    this.etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    this.bytes = 2 * body.length;
    this.lines = [...Object.entries(headers).flat(), "etag", this.etag];
  }

  variant(encoding: Encoding): Promise<Variant> {
    const known = this.variants.get(encoding);
    if (known) return known;
    const made = this.make(encoding);
    this.variants.set(encoding, made);
    return made;
  }

  private async make(encoding: Encoding): Promise<Variant> {
    const body = await compress(this.page.body, encoding);
    const compressed = encoding === "identity" ? [] : ["content-encoding", encoding];
    return { body, lines: [...this.lines, ...compressed, "content-length", String(body.length)] };
  }
}
