import type { IncomingMessage, ServerResponse } from "node:http";
import { networkPrefix } from "@/lib/platform/http/ip";
import { splitTarget } from "@/lib/platform/http/request-limits";
import { memoize } from "@/lib/platform/memoize";
import { hideSecrets } from "@/lib/platform/routing/hide-secrets";
import { routePattern } from "./route-pattern";
import { observe, type ResponseRecord, telemetry } from "./telemetry";

/** Node answers other methods too, of which there may be any number. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const methodOf = ({ method = "" }: IncomingMessage) => (METHODS.includes(method) ? method : "other");
const networkOf = memoize((address) => networkPrefix(address) ?? "unknown");

type Options = {
  /** A request of this process to itself: a render for the page cache, which is no request of a client. */
  internal: boolean;
  /** Whether a proxy in front may continue its trace. Anyone else could force traces, or join those of others. */
  trusted: boolean;
};

/**
 * Runs the handler of a request whose headers are sanitized, with a span, and reports its response. Without telemetry it only
 * runs it.
 */
export function observeRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { internal, trusted }: Options,
  run: () => Promise<void>,
): Promise<void> {
  const { observers, onResponse } = telemetry;
  if (observers.length === 0 && onResponse.length === 0) return run();
  const { pathname } = splitTarget(request.url ?? "/");
  if (!internal && onResponse.length > 0) reportResponse(request, response, pathname);
  if (observers.length === 0) return run();
  const method = methodOf(request);
  const route = routePattern(pathname, 0);
  return observe(
    {
      kind: "request",
      name: `${internal ? "render" : method} ${route}`,
      attributes: {
        "http.request.method": method,
        "http.route": route,
        "passlane.request_id": String(request.headers["x-request-id"] ?? ""),
        ...(internal && { "passlane.internal": true }),
      },
      outcome: () => ({ "http.response.status_code": response.statusCode }),
      headers: internal || trusted ? request.headers : {},
    },
    run,
  );
}

function reportResponse(request: IncomingMessage, response: ServerResponse, pathname: string): void {
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
