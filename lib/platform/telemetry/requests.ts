import type { IncomingMessage, ServerResponse } from "node:http";
import { networkPrefix } from "@/lib/platform/http/ip";
import { memoize } from "@/lib/platform/memoize";
import { hideSecrets } from "@/lib/platform/routing/hide-secrets";
import { routePattern } from "./route-pattern";
import { type ResponseRecord, telemetry } from "./telemetry";

/** Node answers other methods too, of which there may be any number. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const methodOf = ({ method = "" }: IncomingMessage) => (METHODS.includes(method) ? method : "other");
const networkOf = memoize((address) => networkPrefix(address) ?? "unknown");

/** Reports a response when it has ended, to the metrics and the access log. Without either it does nothing. */
export function reportResponse(request: IncomingMessage, response: ServerResponse, pathname: string): void {
  if (telemetry.onResponse.length === 0) return;
  const startedAt = performance.now();
  const { socket } = request;
  const written = socket.bytesWritten;
  response.once("close", () => {
    const { statusCode: status } = response;
    const cache = cacheResult(response.getHeader("cache-status"));
    const record: ResponseRecord = {
      method: methodOf(request),
      route: routePattern(pathname, status),
      path: hideSecrets(pathname),
      status,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
      bytes: socket.bytesWritten - written,
      requestId: String(request.headers["x-request-id"] ?? ""),
      network: networkOf(String(request.headers["x-forwarded-for"] ?? "")),
      ...(cache && { cache }),
      ...(!response.writableFinished && { aborted: true }),
    };
    for (const report of telemetry.onResponse) report(record);
  });
}

/** What `Cache-Status` says (lib/platform/page-cache/page-cache.ts). */
function cacheResult(header: unknown): ResponseRecord["cache"] {
  if (typeof header !== "string") return undefined;
  if (header.includes("detail=stale")) return "stale";
  return header.includes("; hit") ? "hit" : "miss";
}
