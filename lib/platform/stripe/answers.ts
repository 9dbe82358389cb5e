import { isDeepStrictEqual } from "node:util";
import Stripe from "stripe";
import { z } from "zod";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { ProviderError, type ProviderErrorKind } from "./errors";

/** stripe-node 23 resolves whatever JSON lacks `error`, a 404 or 502 of a proxy included: the status is looked at again. */
const Transport = z.object({ lastResponse: z.object({ statusCode: z.int() }) });

/** The view of an answer, once it has the right status, shape, mode and content. Throws ProviderError. */
export function answerOf<S extends z.ZodType>(
  operation: string,
  schema: S,
  answer: unknown,
  expected: Partial<z.output<S>>,
): z.output<S> {
  const status = Transport.safeParse(answer).data?.lastResponse.statusCode ?? 0;
  if (status >= 500) throw new ProviderError("unavailable", operation, `HTTP ${status}`);
  if (status < 200 || status > 299)
    throw new ProviderError("invalid_answer", operation, `HTTP ${status} without an error`);
  const parsed = schema.safeParse(answer);
  if (!parsed.success) {
    const paths = parsed.error.issues.map((issue) => issue.path.join(".")).join(", ");
    throw new ProviderError("invalid_answer", operation, `not what it should be in: ${paths}`);
  }
  for (const [field, value] of Object.entries({ ...expected, ...modeOf(parsed.data) })) {
    if (isDeepStrictEqual(z.record(z.string(), z.unknown()).parse(parsed.data)[field], value)) continue;
    throw new ProviderError("invalid_answer", operation, `${field} is not what was asked for`);
  }
  return parsed.data;
}

/** What is real money there must be real money here. */
const modeOf = (view: unknown) =>
  typeof view === "object" && view && "livemode" in view ? { livemode: env().PAYMENT_MODE === "live" } : {};

/** Any failure of a call as one of ours. */
export function providerError(operation: string, error: unknown): ProviderError {
  if (!(error instanceof Stripe.errors.StripeError)) {
    return new ProviderError("invalid_answer", operation, "the answer could not be read", null, {
      cause: error,
    });
  }
  const kind = kindOf(error);
  // A wrong key is our fault, not the shopper's: it reads as "later" outside and is loud in here.
  if (error.statusCode === 401 || error.statusCode === 403) {
    log.error({ operation, status: error.statusCode }, "the payment provider refuses our key");
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

/** One call: an answer of the right shape that says what was asked for, or a ProviderError. */
export async function ask<S extends z.ZodType>(
  operation: string,
  schema: S,
  call: () => Promise<unknown>,
  expected: Partial<z.output<S>>,
): Promise<z.output<S>> {
  let answer: unknown;
  try {
    answer = await call();
  } catch (error) {
    throw providerError(operation, error);
  }
  return answerOf(operation, schema, answer, expected);
}
