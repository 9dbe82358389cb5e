/** The four ways in which a call of the payment provider fails, and what a caller may conclude from each. */
export type ProviderErrorKind =
  /** No response, or one that says "later". The call may have run: repeat it under the same key. */
  | "unavailable"
  /** A definite no, with the provider's own code. Nothing has changed at the provider. */
  | "refused"
  | "unknown_object"
  /** A response of the wrong status, shape, mode or content. Nothing may be concluded from it. */
  | "invalid_answer";

/** Thrown by every call of `PaymentProvider` (docs/reliability.md, Payment provider). */
export class ProviderError extends Error {
  override readonly name = "ProviderError";

  constructor(
    readonly kind: ProviderErrorKind,
    readonly operation: string,
    message: string,
    /** The provider's code, e.g. `payment_intent_unexpected_state`, `charge_already_refunded`, `idempotency_error`. */
    readonly code: string | null = null,
    options?: ErrorOptions,
  ) {
    super(`${operation}: ${message}`, options);
  }
}

/** True for a ProviderError (of that kind), also when two bundles have each loaded the class. */
export function isProviderError(error: unknown, kind?: ProviderErrorKind): error is ProviderError {
  if (!(error instanceof Error) || error.name !== "ProviderError") return false;
  return kind === undefined || (error as ProviderError).kind === kind;
}

/** Thrown by `parseWebhook`. The route responds with 400 and stores nothing. */
export class InvalidWebhookError extends Error {
  override readonly name = "InvalidWebhookError";

  constructor(
    readonly reason: "signature" | "age" | "livemode" | "size" | "shape",
    message: string,
  ) {
    super(message);
  }
}
