import { isDatabaseFailure, RETRY_AFTER_SECONDS } from "@/lib/platform/database-failure";
import { errorMessage } from "@/lib/platform/error-messages";
import { ERRORS, type FieldIssue, isShopError, ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";

/** The envelope of every response (docs/product.md#71-conventions). */
export type Envelope = {
  code: string;
  state: number;
  success: boolean;
  message: string;
  data: unknown;
  errors?: FieldIssue[];
};

/** Responses are personal by default: no caching, no content sniffing. */
const HEADERS = {
  "cache-control": "private, no-store",
  "x-content-type-options": "nosniff",
  vary: "Accept-Language",
};

/** A response with Set-Cookie headers. */
export class WithCookies<T> {
  constructor(
    readonly data: T,
    readonly cookies: string[],
  ) {}
}

/** Lets a handler set cookies: `return withCookies(data, [session.cookie])`. */
export const withCookies = <T>(data: T, cookies: string[]) => new WithCookies(data, cookies);

/** Declares that a call returns bytes of this media type; its handler returns a Response. */
export type Binary = { binary: string };
export const binary = (mediaType: string): Binary => ({ binary: mediaType });

/** A personal document that the browser saves. */
export const pdfResponse = (file: Buffer, fileName: string) =>
  new Response(new Uint8Array(file), {
    headers: {
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="${fileName.replace(/[^\w.-]/g, "_")}"`,
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    },
  });

/** `body`: an envelope, or its JSON. */
export function jsonResponse(
  status: number,
  body: Envelope | string,
  extraHeaders: Record<string, string> = {},
  cookies: string[] = [],
): Response {
  const headers = new Headers({
    "content-type": "application/json; charset=utf-8",
    ...HEADERS,
    ...extraHeaders,
  });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });
}

export function successBody(data: unknown, locale: Locale): Envelope {
  return { code: "200", state: 0, success: true, message: errorMessage("none", locale), data: data ?? null };
}

/** A failure of the database becomes `unavailable`, any other thrown value but a ShopError `system_error`. */
function toShopError(thrown: unknown): ShopError {
  if (isShopError(thrown)) return thrown;
  return new ShopError(isDatabaseFailure(thrown) ? "unavailable" : "system_error", { cause: thrown });
}

/** The envelope of an error. */
export function failureEnvelope({ error, params, issues }: ShopError, locale: Locale): Envelope {
  const { code } = ERRORS[error];
  return {
    code,
    state: Number(code),
    success: false,
    message: errorMessage(error, locale, params),
    data: null,
    ...(issues && { errors: issues }),
  };
}

/** The response to a thrown value, and its error. */
export function errorResponse(thrown: unknown, locale: Locale): { response: Response; error: ShopError } {
  const error = toShopError(thrown);
  const retryAfter =
    error.params.retryAfterSeconds ?? (error.error === "unavailable" ? RETRY_AFTER_SECONDS : undefined);
  const headers: Record<string, string> = retryAfter ? { "retry-after": String(retryAfter) } : {};
  const { status } = ERRORS[error.error];
  return { error, response: jsonResponse(status, failureEnvelope(error, locale), headers) };
}
