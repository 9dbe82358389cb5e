import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

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
      const names = [this.varyBy, this.getHeader("Vary") ?? []].flat().join(", ").split(/,\s*/);
      this.setHeader("Vary", [...new Set(names)].join(", "));
    }
    return super.writeHead(status, reason as string, headers);
  }
}
