import { clientIp, rejectCrossOriginWrite, requestLocale } from "@/lib/platform/api/guard";
import { readBody } from "@/lib/platform/api/input";
import { errorResponse } from "@/lib/platform/api/response";
import { resolveViewer } from "@/lib/platform/auth/session";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import { plainPage, plainResponse } from "@/lib/platform/http/refusal";
import { DEFAULT_LOCALE, isLocale, type Locale } from "@/lib/platform/i18n/locales";
import { MESSAGES } from "@/lib/platform/i18n/messages";
import { takeRateLimit, toCounters } from "@/lib/platform/rate-limit";
import { isSurface, localizedPath, type Surface } from "@/lib/platform/routing/paths";
import { AppealInput, ReportInput } from "@/lib/support/reports/contract";
import { fileAppeal } from "@/lib/support/reports/file-appeal";
import { fileReport } from "@/lib/support/reports/file-report";
import { REPORT_LIMITS } from "@/lib/support/reports/limits";

export const dynamic = "force-dynamic";

/** The form of `/report`, which has no script: the calls `/report/create` and `/report/appeal`, with their answers as pages. */
export async function POST(request: Request): Promise<Response> {
  const { requested, stored } = requestLocale(request.headers, null);
  let locale: Locale = requested ?? stored ?? DEFAULT_LOCALE;
  let surface: Surface = "desktop";
  try {
    // A browser names the origin of every form that it sends.
    if (request.headers.get("origin") === null) throw new ShopError("cross_origin");
    rejectCrossOriginWrite(request, "none");
    const { target_lang, surface: from, ...fields } = await readBody(request, locale);
    if (isLocale(target_lang)) locale = target_lang;
    if (typeof from === "string" && isSurface(from)) surface = from;
    const viewer = await resolveViewer({ cookie: request.headers.get("cookie"), locale });
    const ip = clientIp(request.headers);
    const userId = viewer.kind === "user" ? viewer.userId : undefined;
    const take = () => takeRateLimit(toCounters(REPORT_LIMITS, "report", { userId, ip }));
    const leadTo = (path: string) =>
      new Response(null, {
        status: 303,
        headers: { "Cache-Control": "no-store", Location: localizedPath(path, { locale, surface }) },
      });
    if ("token" in fields) {
      const input = AppealInput.safeParse(fields);
      if (!input.success) throw new ShopError("report_incomplete");
      await take();
      await fileAppeal(input.data);
      return leadTo(`/report?appeal=${input.data.token}`);
    }
    const input = ReportInput.safeParse(fields);
    if (!input.success)
      throw new ShopError(
        input.error.issues.some(({ path }) => path[0] === "email") ? "email_invalid" : "report_incomplete",
      );
    await take();
    const { receipt } = await fileReport(viewer, input.data, locale, ip);
    return leadTo(`/report?receipt=${receipt}`);
  } catch (thrown) {
    const { response, error } = errorResponse(thrown, locale);
    const { back, again } = MESSAGES[locale].support.report;
    const title = `${errorMessage(error.error, locale, error.params)} ${again}`;
    return plainResponse(plainPage(locale, { title, link: { path: "/help", text: back } }), response.status);
  }
}
