/** The events that a merchant's systems can get (docs/product.md#149-webhooks). */
export const WEBHOOK_EVENTS = [
  "sale.created",
  "sale.delivered",
  "sale.refunded",
  "request.opened",
  "request.decided",
  "key.activated",
  "key.revoked",
  "key.restored",
  "stock.low",
  "stock.out",
  "change.decided",
  "review.created",
  "payout.sent",
  "payout.failed",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
/** Sent only by the button "Send a test", to one endpoint. */
export const TEST_EVENT = "webhook.test";
export type SentEvent = WebhookEvent | typeof TEST_EVENT;

/** The maximum number of endpoints of a merchant, without removed ones. */
export const ENDPOINTS_MAX = 10;
export const ENDPOINT_NAME_MAX = 60;
export const ENDPOINT_URL_MAX = 500;

/**
 * `disabled`: no events are recorded for it, and waiting messages are kept until it is enabled again, for 30 days at
 * most.
 */
export const ENDPOINT_STATES = ["enabled", "disabled"] as const;
/**
 * Who disabled it: the merchant, or the shop after a response 410 (`gone`) or five days without a success (`failing`).
 */
export const DISABLED_REASONS = ["merchant", "gone", "failing"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const DELIVERY_STATES = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Why an attempt got no response. */
export const ATTEMPT_ERRORS = ["timeout", "address", "name", "connection", "certificate"] as const;
export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

/** Seconds from each failed attempt to the next one. After the last attempt the delivery has failed. */
export const RETRY_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;
/** Days without a success, with failures at both ends, after which an endpoint is disabled. */
export const FAILING_DAYS = 5;
/** Days for which messages and their attempts are kept. */
export const KEPT_DAYS = 30;
/** Hours for which messages are also signed with the previous secret. */
export const OLD_SECRET_HOURS = 24;
/** How many bytes of a response are stored. */
export const ANSWER_BYTES = 1_024;
/** The time limit of an attempt in milliseconds, from the DNS lookup to the end of the response. */
export const ATTEMPT_MS = 10_000;
/** The maximum number of concurrent attempts per endpoint. */
export const ATTEMPTS_AT_ONCE = 4;

/** Whether an attempt succeeded: with any 2xx status. A redirect is a failure. */
export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Seconds until the next attempt after this number of failed ones; null after the last one. */
export const retryAfter = (attempts: number): number | null => RETRY_SECONDS[attempts - 1] ?? null;

/**
 * The normalised address of an endpoint; null unless it is https without credentials and fragment. Each attempt checks
 * that its host has a public address (lib/platform/http/resolve-address.ts).
 */
export function normalizeEndpointUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isPlain = url.username === "" && url.password === "" && url.hash === "";
  return url.protocol === "https:" && isPlain && url.href.length <= ENDPOINT_URL_MAX ? url.href : null;
}
