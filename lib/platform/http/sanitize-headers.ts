import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { memoize } from "@/lib/platform/memoize";

/** Headers that only the server itself may set. From outside they would change routing, rendering or the nonce. */
const INTERNAL_HEADERS = [
  /^x-middleware-/,
  /^x-nextjs-(?!request-id$|html-request-id$)/, // the development client sends these two
  /^x-invoke-/,
  /^x-matched-path$/,
  /^x-now-/,
  /^x-next-/,
  /^x-prerender-/,
  /^next-resume$/,
  /^next-action$/, // there are no server actions: writes go through /api/v1
  /^x-next-intl-locale$/,
  /^content-security-policy(-report-only)?$/,
];

const isInternal = memoize((name) => INTERNAL_HEADERS.some((pattern) => pattern.test(name)), 500);

export type Connection = { remoteAddress: string | undefined; trustedProxies: number };

/**
 * Prepares the headers of a request for Next, in place: removes internal headers, keeps forwarding headers only from
 * trusted proxies, and sets the request id. A valid id of the caller is kept. Returns the id.
 */
export function sanitizeHeaders(
  headers: IncomingHttpHeaders,
  { remoteAddress, trustedProxies }: Connection,
): string {
  for (const name of Object.keys(headers)) if (isInternal(name)) delete headers[name];
  headers["x-forwarded-for"] = forwardedFor(headers["x-forwarded-for"], remoteAddress, trustedProxies);
  if (trustedProxies === 0) {
    delete headers.forwarded;
    delete headers["x-forwarded-host"];
    delete headers["x-forwarded-proto"];
    delete headers["x-forwarded-port"];
    delete headers["x-real-ip"];
    // Other clients could force traces, or join foreign ones.
    delete headers.traceparent;
    delete headers.tracestate;
    delete headers.baggage;
  }
  const sentId = headers["x-request-id"];
  const id = typeof sentId === "string" && /^[\w.-]{8,64}$/.test(sentId) ? sentId : randomUUID();
  headers["x-request-id"] = id;
  return id;
}

/**
 * The client's address: the one that the outermost trusted proxy saw, or that of the connection without proxies. Entries
 * further left are written by the client and not trusted.
 */
function forwardedFor(chain: string | string[] | undefined, remoteAddress = "", trustedProxies = 0): string {
  if (trustedProxies === 0) return remoteAddress;
  const hops = String(chain ?? "")
    .split(",")
    .map((hop) => hop.trim())
    .filter(Boolean);
  return hops[Math.max(0, hops.length - trustedProxies)] ?? remoteAddress;
}
