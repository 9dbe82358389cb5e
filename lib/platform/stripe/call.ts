import { isDeepStrictEqual } from "node:util";
import Stripe from "stripe";
import { z } from "zod";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { observe } from "@/lib/platform/telemetry/telemetry";
import { ProviderError, type ProviderErrorKind } from "./errors";

/** stripe-node 23 resolves any JSON without `error`, a proxy's 404 or 502 included, so the status is checked again. */
const WithStatus = z.object({ lastResponse: z.object({ statusCode: z.int() }) });

/** Parses a response into its view, and checks status, shape, mode and the expected fields. Throws ProviderError. */
function parseResponse<S extends z.ZodType>(
  operation: string,
  schema: S,
  response: unknown,
  expected: Partial<z.output<S>>,
): z.output<S> {
  const status = WithStatus.safeParse(response).data?.lastResponse.statusCode ?? 0;
  if (status >= 500) throw new ProviderError("unavailable", operation, `HTTP ${status}`);
  if (status < 200 || status > 299)
    throw new ProviderError("invalid_answer", operation, `HTTP ${status} without an error`);
  const parsed = schema.safeParse(response);
  if (!parsed.success) {
    const paths = parsed.error.issues.map((issue) => issue.path.join(".")).join(", ");
    throw new ProviderError("invalid_answer", operation, `unexpected values in: ${paths}`);
  }
  for (const [field, value] of Object.entries({ ...expected, ...modeOf(parsed.data) })) {
    if (isDeepStrictEqual(z.record(z.string(), z.unknown()).parse(parsed.data)[field], value)) continue;
    throw new ProviderError("invalid_answer", operation, `${field} differs from the request`);
  }
  return parsed.data;
}

/** Objects of live mode belong to the mode `live` only. */
const modeOf = (view: unknown) =>
  typeof view === "object" && view && "livemode" in view ? { livemode: env().PAYMENT_MODE === "live" } : {};

function toProviderError(operation: string, error: unknown): ProviderError {
  if (!(error instanceof Stripe.errors.StripeError)) {
    return new ProviderError("invalid_answer", operation, "the response could not be read", null, {
      cause: error,
    });
  }
  const kind = kindOf(error);
  // A wrong key is a fault of the configuration: the shopper is asked to try later, and the log says why.
  if (error.statusCode === 401 || error.statusCode === 403) {
    log.error({ operation, status: error.statusCode }, "the payment provider rejects our key");
  }
  const code =
    error.code ?? (error instanceof Stripe.errors.StripeIdempotencyError ? "idempotency_error" : null);
  return new ProviderError(kind, operation, error.message, code, { cause: error });
}

function kindOf(error: Stripe.errors.StripeError): ProviderErrorKind {
  if (error instanceof Stripe.errors.StripeConnectionError) return "unavailable";
  const status = error.statusCode;
  if (status === undefined) return "invalid_answer";
  if (error.code === "resource_missing") return "unknown_object";
  const later = status >= 500 || status === 429 || status === 409 || status === 401 || status === 403;
  return later || error.code === "rate_limit" ? "unavailable" : "refused";
}

/** Makes one call: resolves with a checked view of the response, or throws ProviderError. */
export async function callStripe<S extends z.ZodType>(
  operation: string,
  schema: S,
  call: () => Promise<unknown>,
  expected: Partial<z.output<S>>,
): Promise<z.output<S>> {
  return observe({ kind: "provider", name: `stripe ${operation}` }, async () => {
    let response: unknown;
    try {
      response = await call();
    } catch (error) {
      throw toProviderError(operation, error);
    }
    return parseResponse(operation, schema, response, expected);
  });
}
