/**
 * How a merchant is paid. `manual`: the shop's bank, from a file. `stripe_connect`: a transfer to the merchant's account at the payment
 * provider (docs/product.md#1410-payouts).
 */
export const PAYOUT_METHODS = ["manual", "stripe_connect"] as const;
export type PayoutMethod = (typeof PAYOUT_METHODS)[number];

/** An account is named by its IBAN, by the number of a bank and the account's number there, or by its id at the payment provider. */
export const ACCOUNT_SCHEMES = ["iban", "routing", "provider"] as const;
/** Those that owners type. */
export const TYPED_SCHEMES = [
  "iban",
  "routing",
] as const satisfies readonly (typeof ACCOUNT_SCHEMES)[number][];
export type TypedScheme = (typeof TYPED_SCHEMES)[number];

/** Of an account at the payment provider. Transfers reach only an `active` one. */
export const PROVIDER_ACCOUNT_STATES = ["pending", "active", "restricted", "closed"] as const;
export type ProviderAccountState = (typeof PROVIDER_ACCOUNT_STATES)[number];

/** A new or changed account counts after so many hours: time for all owners to notice what none of them did. */
export const ACCOUNT_WAIT_HOURS = 48;

/** Days of the week as ISO numbers them: 1 is Monday. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;
export const DEFAULT_WEEKDAY = 1;
/** The hour (UTC) after which the runs of a day are prepared. */
export const WEEKLY_RUN_HOUR = 6;
/** Between these the shop chooses below which amount nothing is paid out, in cents ($25 at first); merchants may choose more. */
export const LEAST_MINIMUM_CENTS = 100;
export const MAXIMUM_THRESHOLD_CENTS = 10_000_000;

/**
 * `preparing`: a job writes its payouts. `draft`: waits for a second person. `approved`: a job sends it. `sent`: some payouts are
 * not confirmed. `closed`: each has ended.
 */
export const RUN_STATES = ["preparing", "draft", "approved", "sent", "closed", "cancelled"] as const;
export type RunState = (typeof RUN_STATES)[number];
/** `weekly`: by the calendar. `manual`: staff prepared it. */
export const RUN_ORIGINS = ["weekly", "manual"] as const;
export type RunOrigin = (typeof RUN_ORIGINS)[number];

/** `dropped`: nothing of it could be paid any more when it was sent. `written_off`: the debt of a merchant that has ended. */
export const PAYOUT_STATES = [
  "draft",
  "sent",
  "confirmed",
  "failed",
  "returned",
  "dropped",
  "written_off",
] as const;
export type PayoutState = (typeof PAYOUT_STATES)[number];

/** How an attempt ends: the bank paid it, refused it, or gave it back after it had paid. */
export const PAYOUT_OUTCOMES = ["confirmed", "failed", "returned"] as const;
export type PayoutOutcome = (typeof PAYOUT_OUTCOMES)[number];
/** From which state of an attempt an outcome follows. */
export const OUTCOME_FROM: Readonly<Record<PayoutOutcome, readonly PayoutState[]>> = {
  confirmed: ["sent"],
  failed: ["sent"],
  returned: ["confirmed"],
};

/** `pain`: a credit transfer initiation (ISO 20022, pain.001.001.09), where all accounts have an IBAN. */
export const BANK_FILE_FORMATS = ["pain", "csv"] as const;
export type BankFileFormat = (typeof BANK_FILE_FORMATS)[number];

/** Why a merchant is not paid now, whatever is available. */
export const PAYOUT_OBSTACLES = [
  "ended",
  "suspended",
  "trade_file",
  "stopped",
  "no_account",
  "account_waits",
  "account_inactive",
] as const;
export type PayoutObstacle = (typeof PAYOUT_OBSTACLES)[number];

export const STATEMENT_KINDS = ["monthly", "on_demand"] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];
