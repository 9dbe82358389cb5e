import type { IncomingMessage } from "node:http";
import { requestLocale } from "@/lib/platform/api/guard";
import { errorResponse } from "@/lib/platform/api/response";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import { DEFAULT_LOCALE, HTML_LANG, type Locale } from "@/lib/platform/i18n/locales";
import { parsePath } from "@/lib/platform/routing/paths";
import en from "@/messages/en.json";
import ja from "@/messages/ja.json";
import zh from "@/messages/zh.json";
import { responseHeaders } from "./response-headers";
import { RETRY_AFTER_SECONDS } from "./varying-response";

type Unavailable = { status: number; headers: Record<string, string>; body: string };

/**
 * The response while the database is down: 503 with `Retry-After`, in the reader's language. A call gets the envelope, a
 * page a short document without scripts. Neither needs Next or the database.
 */
export async function unavailable(
  request: Pick<IncomingMessage, "headers">,
  pathname: string,
  search: string,
): Promise<Unavailable> {
  if (pathname.startsWith("/api/")) return unavailableCall(request, search);
  const { locale } = parsePath(pathname);
  const headers = {
    ...responseHeaders(pathname),
    "Content-Type": "text/html; charset=utf-8",
    "Content-Language": locale,
    "Cache-Control": "no-store",
    "Retry-After": String(RETRY_AFTER_SECONDS),
  };
  return { status: 503, headers, body: unavailablePage(locale) };
}

async function unavailableCall(
  { headers }: Pick<IncomingMessage, "headers">,
  search: string,
): Promise<Unavailable> {
  const { "accept-language": language = "", cookie = "" } = headers;
  const targetLang = new URLSearchParams(search).get("target_lang");
  const { requested, stored } = requestLocale(new Headers({ "accept-language": language, cookie }), targetLang);
  const { response } = errorResponse(new ShopError("unavailable"), requested ?? stored ?? DEFAULT_LOCALE);
  const body = await response.text();
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

const TEXTS = { en: en.ui.failure, zh: zh.ui.failure, ja: ja.ui.failure };

const unavailablePage = (locale: Locale) => `<!doctype html>
<html lang="${HTML_LANG[locale]}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${TEXTS[locale].title}</title>
<style>:root{color-scheme:light dark}body{font-family:system-ui;padding:10vh 1.5rem;max-width:40rem;margin:auto}</style></head>
<body><main><h1>${TEXTS[locale].title}</h1><p>${errorMessage("unavailable", locale)}</p>
<p><a href="">${TEXTS[locale].retry}</a></p></main></body></html>
`;
