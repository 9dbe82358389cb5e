import { createHash } from "node:crypto";
import { compress, type Encoding } from "@/lib/platform/http/encoding";

/** A page as Next rendered it, without what belongs to one connection. */
export type RenderedPage = { status: number; headers: Record<string, string>; body: Buffer };

/** A rendered page with its validator and its bytes in each encoding, made when first asked for. */
export class CachedPage {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly etag: string;
  /** what the page takes in memory, about: the compressed bodies are a third each */
  readonly bytes: number;
  private readonly bodies = new Map<Encoding, Promise<Buffer>>();

  constructor({ status, headers, body }: RenderedPage) {
    this.status = status;
    this.headers = headers;
    this.etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    this.bytes = 2 * body.length;
    this.bodies.set("identity", Promise.resolve(body));
  }

  async body(encoding: Encoding): Promise<Buffer> {
    const known = this.bodies.get(encoding);
    if (known) return known;
    const made = compress(await this.body("identity"), encoding);
    this.bodies.set(encoding, made);
    return made;
  }
}
