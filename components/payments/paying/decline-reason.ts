/** Provider's codes of a failed payment that have words of their own: `payments.decline.reason.*`. */
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

/** Codes that would tell a thief something (stolen, lost, fraud) say no more than any other. */
export function declineReason(code: string): DeclineReason {
  return Object.hasOwn(REASONS, code) ? REASONS[code as keyof typeof REASONS] : "other";
}
