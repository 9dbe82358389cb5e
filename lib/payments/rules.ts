/** The provider's intent states, plus `creating`: requested, without a response yet. */
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

/** Wallets and methods with a page of their own, by the provider's name of the payment method. */
export const WALLET_NAMES: Readonly<Record<string, string>> = {
  link: "Link",
  apple_pay: "Apple Pay",
  google_pay: "Google Pay",
  alipay: "Alipay",
  wechat_pay: "WeChat Pay",
};

/** Methods that are paid on a page of their own, which leads back here; some are decided later. By the provider's names. */
export const REDIRECT_METHODS = ["alipay", "wechat_pay"] as const;
export type RedirectMethod = (typeof REDIRECT_METHODS)[number];
export const isRedirectMethod = (method: string | null): method is RedirectMethod =>
  REDIRECT_METHODS.some((one) => one === method);

/** A payment on such a page holds the order for at least so long from its beginning, but not longer than so long in all. */
export const REDIRECT_HOLD_MINUTES = 20;
export const REDIRECT_HOLD_LIMIT_MINUTES = 60;

/**
 * `cancelled`: never sent, because a lost dispute returned the money. `settled`: all attempts failed, and staff have paid it
 * by other means.
 */
export const REFUND_STATES = ["pending", "submitted", "succeeded", "failed", "cancelled", "settled"] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** The reason of a refund that the provider made without a request of the shop, or a second time. */
export const PROVIDER_REFUND = "made_at_provider";

/**
 * What the money of a refund made by the provider stands for, so that it can be given back when the bank returns it: refunds of the
 * shop that were not sent, and shares of order lines. `closed`: the line as it was before nothing was left of it.
 */
export type RefundEffects = {
  covered: { id: string; cents: number }[];
  lines: {
    id: string;
    cents: number;
    closed: { state: string; refundedQuantity: number; keyIds: string[] } | null;
  }[];
};

/** The reason of a refund that staff give beyond the rule. */
export const GOODWILL = "goodwill";

/** Pauses in minutes before a failed refund is retried as a new one; after the last it is paid by other means. */
export const REFUND_RETRY_MINUTES = [10, 120, 1440];

/** The state of a refund as shown to the shopper; `failed`: all attempts failed. */
export const REFUND_STEPS = ["submitted", "done", "failed"] as const;
export type RefundStep = (typeof REFUND_STEPS)[number];

export const MINIMUM_CHARGE_CENTS = 50;

/**
 * Early fraud warnings: `received` until the provider was asked, `open` until staff decide. `refunded`, by the rule or by staff;
 * `released`: staff let the sale stand; `closed`: the money had gone back, or a dispute decides.
 */
export const WARNING_STATES = ["received", "open", "refunded", "released", "closed"] as const;
export type WarningState = (typeof WARNING_STATES)[number];

/** The event with which the provider warns. */
export const FRAUD_WARNING_EVENT = "radar.early_fraud_warning.created";

/** The reason of a refund after an early fraud warning. */
export const FRAUD_WARNING = "fraud_warning";

export const REFUND_REQUEST_STATES = ["asked", "approved", "refused"] as const;
/** Who refuses a refund request: the pass's vendor or merchant, or staff. */
export const REFUSERS = ["vendor", "shop"] as const;
export type Refuser = (typeof REFUSERS)[number];
export type RefundRequestState = (typeof REFUND_REQUEST_STATES)[number];

/**
 * `other_cash`: money of the shop outside of the provider, from which failed refunds are paid. `tax_payable`: tax of invoices that the
 * shop owes, `sales_tax`: what of the sales it is. `merchant_payable`: what the shop owes a merchant. `merchant_share`: what sales cost the shop by it. `payouts_in_transit`: sent to
 * merchants and not confirmed. `bank_cash`: what confirmed payouts took from the shop's bank. `platform_loss`: debts of merchants
 * that have ended.
 */
export const LEDGER_ACCOUNTS = [
  "provider_cash",
  "sales",
  "refunds",
  "other_cash",
  "merchant_share",
  "merchant_payable",
  "payouts_in_transit",
  "bank_cash",
  "platform_loss",
  "sales_tax",
  "tax_payable",
] as const;
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

/** The outcomes that the sandbox offers (docs/product.md#26-checkout-and-payment). */
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

/** How many days back the shop's records are compared with the provider's. */
export const RECONCILIATION_DAYS = 3;

/** What became of a payment whose order was lost in a restore of the database. */
export const LOST_PAYMENT_OUTCOMES = ["refunded", "cancelled"] as const;
export type LostPaymentOutcome = (typeof LOST_PAYMENT_OUTCOMES)[number];

/** A difference between the shop's and the provider's records, and whether it was repaired. */
export type ReconciliationDifference = {
  object: "payment" | "refund" | "dispute" | "fraud_warning" | "review";
  /** the provider's id */
  id: string;
  kind: "missing_here" | "missing_there" | "amount" | "state";
  /** state and cents, or the kind of fraud; null where there is no record */
  ours: string | null;
  theirs: string | null;
  repaired: boolean;
};

/** A difference in short: `state: succeeded 1000 ≠ processing 1000`. */
export const describeDifference = ({ kind, ours, theirs }: ReconciliationDifference): string =>
  `${kind}: ${ours ?? "–"} ≠ ${theirs ?? "–"}`;

/** Days after which a stored webhook event is deleted. */
export const WEBHOOK_EVENT_DAYS = 90;
