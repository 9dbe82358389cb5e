import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { memoize } from "@/lib/platform/memoize";
import { ROUTED_HEADER } from "@/lib/platform/routing/decide-route";
import { LOOPBACK_HEADER } from "./loopback";

/** Headers that only the server itself may set: from outside they would change routing, rendering or the nonce. */
const INTERNAL = [
  /^x-middleware-/,
  /^x-nextjs-(?!request-id$|html-request-id$)/, // the development client sends those two
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

const isInternal = memoize(
  (name) =>
    name === ROUTED_HEADER || name === LOOPBACK_HEADER || INTERNAL.some((pattern) => pattern.test(name)),
  500,
);

export type Connection = { remoteAddress: string | undefined; trustedProxies: number };

/**
 * Prepares the headers of a request for Next, in place: removes internal ones, keeps what names the client only as far
 * as proxies are trusted, and sets the request id (the caller's, when it has a plain form). Returns the id.
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
  }
  const given = headers["x-request-id"];
  const id = typeof given === "string" && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
  headers["x-request-id"] = id;
  return id;
}

/**
 * The client's address: the one that the outermost trusted proxy saw, or the connection's own without proxies. The
 * client itself wrote the entries further left, so they prove nothing.
 */
function forwardedFor(chain: string | string[] | undefined, remoteAddress = "", trustedProxies = 0): string {
  if (trustedProxies === 0) return remoteAddress;
  const hops = String(chain ?? "")
    .split(",")
    .map((hop) => hop.trim())
    .filter(Boolean);
  return hops[Math.max(0, hops.length - trustedProxies)] ?? remoteAddress;
}
