import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";

/** `Vary` headers as one, each name once. */
export const mergeVary = (...values: (string | undefined)[]): string =>
  [...new Set(values.flatMap((value) => value?.split(/,\s*/) ?? []))].join(", ");

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Next sends it empty for rewrites that keep the query, and its router then takes /blog?page=2 for /blog. */
const REWRITTEN_QUERY = "x-nextjs-rewritten-query";

/**
 * A response whose `Vary` header starts with `varyBy`: Next replaces the header that was set before it. The class is
 * given to `createServer` as its `ServerResponse`.
 */
export class VaryingResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  varyBy: string | undefined;

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    if (this.varyBy !== undefined) {
      this.setHeader("Vary", mergeVary(this.varyBy, this.getHeader("Vary")?.toString()));
    }
    if (this.getHeader(REWRITTEN_QUERY) === "") this.removeHeader(REWRITTEN_QUERY);
    return super.writeHead(status, reason as string, headers);
  }
}
