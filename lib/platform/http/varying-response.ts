import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";
import { RETRY_AFTER_SECONDS } from "@/lib/platform/database-failure";
import type { RequestScope } from "@/lib/platform/request-scope";

/** Merges `Vary` headers into one without duplicates. */
export const mergeVary = (...values: (string | undefined)[]): string =>
  [...new Set(values.flatMap((value) => value?.split(/,\s*/) ?? []))].join(", ");

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Next sends this header empty for rewrites that keep the query, and its router then treats /blog?page=2 as /blog. */
const REWRITTEN_QUERY = "x-nextjs-rewritten-query";

/**
 * A response whose `Vary` header always includes `varyBy`, because Next replaces a `Vary` header that was set earlier. An
 * error page is sent with 503 if the database failed its request. What Next writes after the server entry has ended the
 * response is ignored: while the database is down, the entry answers in its place. Passed to `createServer` as its
 * `ServerResponse`.
 */
export class VaryingResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  varyBy: string | undefined;
  readonly scope: RequestScope = {};

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
    if (status === 500 && this.scope.databaseFailed) {
      this.setHeader("Retry-After", RETRY_AFTER_SECONDS);
      return this.writeHead(503, headers ?? (typeof reason === "string" ? undefined : reason));
    }
    if (this.varyBy !== undefined) {
      this.setHeader("Vary", mergeVary(this.varyBy, this.getHeader("Vary")?.toString()));
    }
    if (this.getHeader(REWRITTEN_QUERY) === "") this.removeHeader(REWRITTEN_QUERY);
    return super.writeHead(status, reason as string, headers);
  }
}
