import { randomUUID } from "node:crypto";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { Viewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { DEFAULT_LOCALE, type Locale } from "@/lib/platform/i18n/locales";
import { log } from "@/lib/platform/log";
import { processState } from "@/lib/platform/process-state";
import type { LimitUse } from "@/lib/platform/rate-limit";
import { withTimeout } from "@/lib/platform/with-timeout";
import { type Declaration, listCallErrors } from "./declaration";
import { clientIp, requestLocale } from "./guard";
import { errorResponse } from "./response";

/** Deadline of every call (docs/product.md#52-requests). */
const DEADLINE_MS = 60_000;

/** What is known about a request so far, for the language of errors and for the log line. */
export type RequestLog = {
  requestId: string;
  ip: string;
  path: string;
  query: URLSearchParams;
  /** The languages that the request names and that the browser has stored (`requestLocale` in guard.ts). */
  requestedLocale: { requested?: Locale; stored?: Locale };
  locale: Locale;
  viewer?: Viewer;
  /** who acts for a merchant */
  merchant?: MerchantViewer;
  /** what a token may still do (`RateLimit` headers) */
  limitUse?: LimitUse | null;
};

/** Runs a request within its deadline, turns errors into the envelope, and logs one line. */
export async function withRequestLog(
  declaration: Declaration,
  request: Request,
  handle: (trace: RequestLog) => Promise<Response>,
): Promise<Response> {
  const startedAt = performance.now();
  const sentId = request.headers.get("x-request-id") ?? "";
  const { pathname, searchParams } = new URL(request.url);
  const requestedLocale = requestLocale(request.headers, searchParams.get("target_lang"));
  const trace: RequestLog = {
    requestId: /^[\w.-]{8,64}$/.test(sentId) ? sentId : randomUUID(),
    ip: clientIp(request.headers),
    path: pathname,
    query: searchParams,
    requestedLocale,
    locale: requestedLocale.requested ?? requestedLocale.stored ?? DEFAULT_LOCALE,
  };
  let outcome = "200";
  const timeout = () => new ShopError("timeout");
  const { database } = processState;
  const handled = database ? database.whileUp(() => handle(trace)) : handle(trace);
  const response = await withTimeout(handled, DEADLINE_MS, timeout).catch((thrown: unknown) => {
    const { error, response } = errorResponse(thrown, trace.locale);
    outcome = error.error;
    if (response.status >= 500 && isFailure(declaration, error))
      log.error({ requestId: trace.requestId, err: error.cause ?? error }, "call failed");
    else if (!listCallErrors(declaration, request.method !== "GET").includes(error.error) && !error.issues)
      log.warn({ path: trace.path, error: error.error }, "undeclared error of a call");
    return response;
  });
  response.headers.set("x-request-id", trace.requestId);
  if (trace.limitUse) setLimitHeaders(response.headers, trace.limitUse);
  log.info(
    {
      requestId: trace.requestId,
      method: request.method,
      path: trace.path,
      status: response.status,
      outcome,
      ms: Math.round(performance.now() - startedAt),
      user: trace.viewer?.kind === "user" ? trace.viewer.userId : undefined,
      merchant: trace.merchant?.merchant.handle,
      ...(trace.merchant?.role === null && { token: trace.merchant.actor }),
    },
    "call",
  );
  return response;
}

/** The headers of draft-ietf-httpapi-ratelimit-headers: what is left of the limit, and for how many seconds. */
function setLimitHeaders(headers: Headers, { limit, left, seconds }: LimitUse): void {
  headers.set("RateLimit-Policy", `"default";q=${limit};w=60`);
  headers.set("RateLimit", `"default";r=${Math.max(0, left)};t=${Math.max(0, seconds)}`);
}

/** A declared error, such as a sign-in that is not configured, is not a server failure. */
const isFailure = ({ errors }: Declaration, error: ShopError) =>
  error.cause !== undefined || !errors.includes(error.error);
