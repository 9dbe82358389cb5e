import { ServerResponse } from "node:http";

type WriteHead = (...args: unknown[]) => VaryingResponse;

/**
 * A response whose `Vary` header starts with `varyBy`: Next replaces the header that was set before it. The class is
 * given to `createServer` as its `ServerResponse`.
 */
export class VaryingResponse extends ServerResponse {
  varyBy: string | undefined;

  override writeHead(...args: unknown[]): this {
    if (this.varyBy !== undefined) {
      const names = [this.varyBy, this.getHeader("Vary") ?? []].flat().join(", ").split(/,\s*/);
      this.setHeader("Vary", [...new Set(names)].join(", "));
    }
    return (super.writeHead as WriteHead).apply(this, args) as this;
  }
}
