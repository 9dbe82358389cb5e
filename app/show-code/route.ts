import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { clientIp, rateLimitCounters, rejectCrossOriginWrite, requestLocale } from "@/lib/platform/api/guard";
import { readBody } from "@/lib/platform/api/input";
import { errorResponse } from "@/lib/platform/api/response";
import { requireUser, resolveViewer } from "@/lib/platform/auth/session";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import { plainPage, plainResponse } from "@/lib/platform/http/refusal";
import { DEFAULT_LOCALE, isLocale, type Locale } from "@/lib/platform/i18n/locales";
import { MESSAGES } from "@/lib/platform/i18n/messages";
import { takeRateLimit } from "@/lib/platform/rate-limit";

export const dynamic = "force-dynamic";

/** The form of a ticket's stub without script: the call `/library/reveal`, with its answer as a page. */
export async function POST(request: Request): Promise<Response> {
  const { requested, stored } = requestLocale(request.headers, null);
  let locale: Locale = requested ?? stored ?? DEFAULT_LOCALE;
  const text = () => MESSAGES[locale].delivery.code;
  const link = () => ({ path: "/library", text: text().alone_back });
  try {
    // A browser names the origin of every form that it sends.
    if (request.headers.get("origin") === null) throw new ShopError("cross_origin");
    rejectCrossOriginWrite(request, "none");
    const { library_id, target_lang } = await readBody(request, locale);
    if (isLocale(target_lang)) locale = target_lang;
    const viewer = requireUser(await resolveViewer({ cookie: request.headers.get("cookie"), locale }));
    const call = { path: "/library/reveal", write: true, rate: undefined };
    await takeRateLimit(rateLimitCounters(call, viewer, clientIp(request.headers)));
    const { code } = await revealKey(viewer, { library_id: String(library_id).slice(0, 64) }, locale);
    return plainResponse(plainPage(locale, { title: text().alone_title, code, link: link() }));
  } catch (thrown) {
    const { response, error } = errorResponse(thrown, locale);
    const title = errorMessage(error.error, locale, error.params);
    return plainResponse(plainPage(locale, { title, link: link() }), response.status);
  }
}
