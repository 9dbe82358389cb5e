import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";

/** Merges `Vary` headers into one without duplicates. */
export const mergeVary = (...values: (string | undefined)[]): string =>
  [...new Set(values.flatMap((value) => value?.split(/,\s*/) ?? []))].join(", ");

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Next sends this header empty for rewrites that keep the query, and its router then treats /blog?page=2 as /blog. */
const REWRITTEN_QUERY = "x-nextjs-rewritten-query";

/**
 * A response whose `Vary` header always includes `varyBy`, because Next replaces a `Vary` header that was set earlier. What
 * Next writes after the server entry has ended the response is ignored: when the database fails, the entry responds in
 * its place. Passed to `createServer` as its `ServerResponse`.
 */
export class VaryingResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  varyBy: string | undefined;

  override setHeader(name: string, value: number | string | readonly string[]): this {
    return this.writableEnded ? this : super.setHeader(name, value);
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    return this.writableEnded ? this : super.appendHeader(name, value);
  }

  override removeHeader(name: string): void {
    if (!this.writableEnded) super.removeHeader(name);
  }

  override write(...chunk: unknown[]): boolean {
    return this.writableEnded || super.write(...(chunk as Parameters<ServerResponse["write"]>));
  }

  override end(...chunk: unknown[]): this {
    return this.writableEnded ? this : super.end(...(chunk as Parameters<ServerResponse["end"]>));
  }

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    if (this.writableEnded) return this;
    if (this.varyBy !== undefined) {
      this.setHeader("Vary", mergeVary(this.varyBy, this.getHeader("Vary")?.toString()));
    }
    if (this.getHeader(REWRITTEN_QUERY) === "") this.removeHeader(REWRITTEN_QUERY);
    return super.writeHead(status, reason as string, headers);
  }
}
