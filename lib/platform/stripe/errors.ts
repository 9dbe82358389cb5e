/** The provider's four ways to disappoint; what a caller may conclude from each stands here. */
export type ProviderErrorKind =
  /** No answer, or one that says "later". What was asked may have happened: ask again under the same key. */
  | "unavailable"
  /** A definite no, with the provider's own code. Nothing has changed there. */
  | "refused"
  /** The provider does not know the object. */
  | "unknown_object"
  /** An answer that is not what it should be. It proves nothing, so nothing may be concluded from it. */
  | "invalid_answer";

/** Thrown by every call of `PaymentProvider` (docs/reliability.md#payment-provider). */
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

/** True for a ProviderError (of that kind), also when the class was loaded twice by two bundles. */
export function isProviderError(error: unknown, kind?: ProviderErrorKind): error is ProviderError {
  if (!(error instanceof Error) || error.name !== "ProviderError") return false;
  return kind === undefined || (error as ProviderError).kind === kind;
}

/** Why a notice was not believed. */
export type WebhookFault = "signature" | "age" | "livemode" | "size" | "shape";

/** Thrown by `parseWebhook`; answered with 400, and nothing is stored. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused";

  constructor(
    readonly reason: WebhookFault,
    message: string,
  ) {
    super(message);
  }
}
