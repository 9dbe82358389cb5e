import type { IncomingMessage } from "node:http";
import { ShopError } from "@/lib/platform/errors";
import { type PlainResponse, renderRefusal } from "@/lib/platform/http/refusal";
import { splitTarget } from "@/lib/platform/http/request-limits";
import { isPagePath } from "@/lib/platform/routing/routes";
import { findApiRoute } from "./path";

/** The `Allow` header. RFC 9110 §15.5.6 requires it, and Next's own 405 has neither it nor a body. */
const allowHeader = (methods: readonly string[]) =>
  [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");

const READ = ["GET"];
const UNSUBSCRIBE_CALL = "/api/v1/subscription/unsubscribe";

/**
 * The response to OPTIONS and to unsupported methods; null for supported ones. A page is only read: a form that is sent
 * before its script has loaded leads back to its page. No address takes TRACE, which would return the request's headers.
 */
export function methodNotAllowed(
  request: Pick<IncomingMessage, "method" | "url" | "headers">,
): PlainResponse | null {
  const { url = "/", method = "GET" } = request;
  const { pathname, search } = splitTarget(url);
  const isPage = isPagePath(pathname);
  const methods = findApiRoute(pathname)?.methods ?? (isPage || method === "TRACE" ? READ : undefined);
  if (!methods) return null;
  const allow = allowHeader(methods);
  const noStore = { "Cache-Control": "no-store" };
  if (method === "OPTIONS") return { status: 204, headers: { ...noStore, Allow: allow }, body: "" };
  if (allow.split(", ").includes(method)) return null;
  // The address of an email's `List-Unsubscribe`, which some programs open instead of sending their form.
  if (pathname === UNSUBSCRIBE_CALL && (method === "GET" || method === "HEAD")) {
    const location = `/unsubscribe${search}`;
    return { status: 303, headers: { ...noStore, Location: location, "Content-Length": "0" }, body: "" };
  }
  if (isPage && method === "POST")
    return { status: 303, headers: { ...noStore, Location: url, "Content-Length": "0" }, body: "" };
  return renderRefusal(request, new ShopError("method_not_allowed"), { Allow: allow });
}
