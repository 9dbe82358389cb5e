import type { IncomingMessage } from "node:http";
import { requestLocale } from "@/lib/platform/api/guard";
import { failureEnvelope } from "@/lib/platform/api/response";
import { RETRY_AFTER_SECONDS } from "@/lib/platform/database-failure";
import { errorMessage } from "@/lib/platform/error-messages";
import { ERRORS, type ShopError } from "@/lib/platform/errors";
import { DEFAULT_LOCALE, HTML_LANG, type Locale } from "@/lib/platform/i18n/locales";
import { MESSAGES } from "@/lib/platform/i18n/messages";
import { localizedPath, parsePath } from "@/lib/platform/routing/paths";
import { MAX_QUERY_LENGTH, splitTarget } from "./request-limits";
import { BASE_HEADERS } from "./security-headers";

type Request = Pick<IncomingMessage, "method" | "url" | "headers">;
export type PlainResponse = { status: number; headers: Record<string, string>; body: string };

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The response to a request that is refused before a page or call sees it: the envelope for a call, a small page for any other address,
 * in the language of the reader.
 */
export function renderRefusal(
  request: Request,
  error: ShopError,
  extraHeaders: Record<string, string> = {},
): PlainResponse {
  const { pathname, search } = splitTarget(request.url ?? "/");
  const isCall = pathname.startsWith("/api/");
  const locale = isCall ? callLocale(request, search) : pageLocale(request, pathname);
  const body = isCall ? JSON.stringify(failureEnvelope(error, locale)) : renderPage(error, locale);
  return {
    status: ERRORS[error.error].status,
    headers: {
      ...BASE_HEADERS,
      "Content-Type": isCall ? "application/json; charset=utf-8" : "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": PAGE_POLICY,
      Vary: "Accept-Language",
      "Content-Length": String(Buffer.byteLength(body)),
      ...extraHeaders,
    },
    body: request.method === "HEAD" ? "" : body,
  };
}

/** The refusal for a route handler or the middleware, with Retry-After. */
export function refusalResponse({ method, url, headers }: globalThis.Request, error: ShopError): Response {
  const { pathname, search } = new URL(url);
  const request = { method, url: pathname + search, headers: Object.fromEntries(headers) };
  const retryAfter = String(error.params.retryAfterSeconds ?? RETRY_AFTER_SECONDS);
  const { body, ...rest } = renderRefusal(request, error, { "Retry-After": retryAfter });
  return new Response(body, rest);
}

/** The language of a call's refusal. A query that is too long is not parsed for `target_lang`. */
function callLocale({ headers }: Request, search: string): Locale {
  const targetLang =
    search.length - 1 > MAX_QUERY_LENGTH ? null : new URLSearchParams(search).get("target_lang");
  return headerLocale(headers, targetLang);
}

/** The language of the path's prefix, else of the headers. */
function pageLocale({ headers }: Request, pathname: string): Locale {
  const { prefixed, locale } = parsePath(pathname);
  return prefixed ? locale : headerLocale(headers, null);
}

function headerLocale(
  { "accept-language": language = "", cookie = "" }: Request["headers"],
  targetLang: string | null,
): Locale {
  const { requested, stored } = requestLocale(
    new Headers({ "accept-language": language, cookie }),
    targetLang,
  );
  return requested ?? stored ?? DEFAULT_LOCALE;
}

function renderPage(error: ShopError, locale: Locale): string {
  return plainPage(locale, {
    title: errorMessage(error.error, locale, error.params),
    link: { path: "/", text: MESSAGES[locale].ui.not_found.home },
  });
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

type PlainPage = { title: string; code?: string; link: { path: string; text: string } };

/** A page without the shop's layout and scripts: a title, a code to select, and a link to a desktop path. */
export function plainPage(locale: Locale, { title, code, link }: PlainPage): string {
  const heading = escapeHtml(title);
  const shown =
    code && `<p><code style="font-size: 1.2rem; overflow-wrap: anywhere">${escapeHtml(code)}</code></p>\n`;
  return `<!doctype html>
<html lang="${HTML_LANG[locale]}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${heading}</title>
<body style="font: 1rem/1.6 system-ui; max-width: 40rem; margin: auto; padding: 10vh 1.5rem">
<h1 style="font-size: 1.4rem">${heading}</h1>
${shown ?? ""}<p><a href="${localizedPath(link.path, { locale, surface: "desktop" })}">${escapeHtml(link.text)}</a></p>
</html>
`;
}

/** The response with such a page: neither cached nor framed. */
export const plainResponse = (body: string, status = 200): Response =>
  new Response(body, {
    status,
    headers: {
      ...BASE_HEADERS,
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "private, no-store",
      "Content-Security-Policy": PAGE_POLICY,
    },
  });
