import { randomUUID } from "node:crypto";
import type { Viewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { DEFAULT_LOCALE, type Locale } from "@/lib/platform/i18n/locales";
import { log } from "@/lib/platform/log";
import type { Declaration } from "./declaration";
import { clientIp, requestLocale } from "./guard";
import { errorResponse } from "./response";

/** Deadline of every call (docs/product.md#52-requests). */
const DEADLINE_MS = 60_000;

/** What is known of a request so far, for the error's language and the log line. */
export type RequestLog = {
  requestId: string;
  ip: string;
  path: string;
  query: URLSearchParams;
  /** the requested language, and the one stored in the browser (guard.ts) */
  requestedLocale: { asked?: Locale; stored?: Locale };
  locale: Locale;
  viewer?: Viewer;
};

const ANYWHERE = new Set([
  "invalid_input",
  "session_required",
  "session_ended",
  "wrong_actor",
  "staff_only",
  "cross_origin",
  "too_many_requests",
  "body_too_large",
  "unsupported_media",
  "idempotency_reused",
  "idempotency_in_progress",
]);

/** Runs a request within its deadline, turns errors into the envelope, and logs one line. */
export async function withRequestLog(
  declaration: Declaration,
  request: Request,
  work: (trace: RequestLog) => Promise<Response>,
): Promise<Response> {
  const began = performance.now();
  const given = request.headers.get("x-request-id") ?? "";
  const { pathname, searchParams } = new URL(request.url);
  const wish = requestLocale(request.headers, searchParams.get("target_lang"));
  const trace: RequestLog = {
    requestId: /^[\w.-]{8,64}$/.test(given) ? given : randomUUID(),
    ip: clientIp(request.headers),
    path: pathname,
    query: searchParams,
    requestedLocale: wish,
    locale: wish.asked ?? wish.stored ?? DEFAULT_LOCALE,
  };
  let code = "200";
  const response = await withinDeadline(work(trace)).catch((error: unknown) => {
    const { refusal, response } = errorResponse(error, trace.locale);
    code = refusal.error;
    if (response.status >= 500 && isFailure(declaration, refusal))
      log.error({ requestId: trace.requestId, err: refusal.cause ?? refusal }, "call failed");
    else if (!declaration.errors.includes(refusal.error) && isOwn(refusal))
      log.warn({ path: trace.path, error: refusal.error }, "this refusal is not declared");
    return response;
  });
  response.headers.set("x-request-id", trace.requestId);
  log.info(
    {
      requestId: trace.requestId,
      method: request.method,
      path: trace.path,
      status: response.status,
      outcome: code,
      ms: Math.round(performance.now() - began),
      user: trace.viewer?.kind === "user" ? trace.viewer.userId : undefined,
    },
    "call",
  );
  return response;
}

/** A declared error, such as a sign-in that is not configured, is no server failure. */
const isFailure = ({ errors }: Declaration, refusal: ShopError) =>
  refusal.cause !== undefined || !errors.includes(refusal.error);

/** Errors of the domain, as opposed to those of the endpoint. */
const isOwn = (refusal: ShopError) => !ANYWHERE.has(refusal.error) && !refusal.issues;

async function withinDeadline(work: Promise<Response>): Promise<Response> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ShopError("timeout")), DEADLINE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
