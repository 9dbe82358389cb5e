import type { IncomingMessage } from "node:http";
import { ShopError } from "@/lib/platform/errors";
import { DEFAULT_LOCALE } from "@/lib/platform/i18n/locales";
import { requestLocale } from "./guard";
import { findApiRoute } from "./path";
import { errorResponse } from "./response";

/** The `Allow` header. RFC 9110 §15.5.6 requires it, and Next's own 405 has neither it nor a body. */
const allowHeader = (methods: readonly string[]) =>
  [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");

/** The response to OPTIONS and to unsupported methods; null for supported ones. */
export async function methodNotAllowed(
  request: Pick<IncomingMessage, "method" | "headers">,
  pathname: string,
  targetLang: string | null,
): Promise<{ status: number; headers: Record<string, string>; body: string } | null> {
  const methods = findApiRoute(pathname)?.methods;
  if (!methods) return null;
  const method = request.method ?? "GET";
  const allow = allowHeader(methods);
  if (method === "OPTIONS") return { status: 204, headers: { allow, "cache-control": "no-store" }, body: "" };
  if (allow.split(", ").includes(method)) return null;
  const { "accept-language": language = "", cookie = "" } = request.headers;
  const headers = new Headers({ "accept-language": language, cookie });
  const { requested, stored } = requestLocale(headers, targetLang);
  const locale = requested ?? stored ?? DEFAULT_LOCALE;
  const { response } = errorResponse(new ShopError("method_not_allowed"), locale);
  const body = method === "HEAD" ? "" : await response.text();
  return { status: response.status, headers: { ...Object.fromEntries(response.headers), allow }, body };
}
