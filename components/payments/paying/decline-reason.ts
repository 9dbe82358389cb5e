/** The provider's failure codes that have their own message under `payments.decline.reason.*`. */
const REASONS = {
  card_declined: "card_declined",
  generic_decline: "card_declined",
  do_not_honor: "card_declined",
  insufficient_funds: "insufficient_funds",
  expired_card: "expired_card",
  incorrect_cvc: "incorrect_cvc",
  invalid_cvc: "incorrect_cvc",
  authentication_required: "authentication",
  authentication_not_handled: "authentication",
  payment_intent_authentication_failure: "authentication",
} as const;

export type DeclineReason = (typeof REASONS)[keyof typeof REASONS] | "other";

/** Codes that would help a thief (stolen, lost, fraud) map to the generic message. */
export function declineReason(code: string): DeclineReason {
  return Object.hasOwn(REASONS, code) ? REASONS[code as keyof typeof REASONS] : "other";
}
