/** The provider's intent states as we keep them, plus `creating`: asked for, not yet answered. */
export const PAYMENT_STATES = [
  "creating",
  "requires_payment_method",
  "requires_confirmation",
  "requires_action",
  "requires_capture",
  "processing",
  "succeeded",
  "canceled",
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export const REFUND_STATES = ["pending", "submitted", "succeeded", "failed"] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/**
 * A refund that the bank sends back is tried again after so many minutes, each time as a new one; when the last has
 * failed too it is paid by other means.
 */
export const REFUND_RETRY_MINUTES = [10, 120, 1440];

/** Where a refund stands, as the shopper sees it; `failed`: the last attempt too, so we pay by other means. */
export const REFUND_STEPS = ["submitted", "done", "failed"] as const;
export type RefundStep = (typeof REFUND_STEPS)[number];

/** The provider takes no payment of a card below this, in cents. */
export const LEAST_CHARGE_CENTS = 50;

/** What becomes of a shopper's wish to get money back. */
export const REFUND_REQUEST_STATES = ["asked", "approved", "refused"] as const;
export type RefundRequestState = (typeof REFUND_REQUEST_STATES)[number];

export const LEDGER_ACCOUNTS = ["provider_cash", "sales", "refunds"] as const;
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

/** What the sandbox's labelled picker offers (decisions.md, issue 2). */
export const SANDBOX_OUTCOMES = [
  "succeeded",
  "declined",
  "requires_action",
  "processing_succeeded",
  "processing_failed",
  "silent",
] as const;
export type SandboxOutcome = (typeof SANDBOX_OUTCOMES)[number];

export const CURRENCY = "usd";
