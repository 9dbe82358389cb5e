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
/** Sent by the button "Send a test" alone, to one endpoint. */
export const TEST_EVENT = "webhook.test";
export type SentEvent = WebhookEvent | typeof TEST_EVENT;

/** Endpoints of a merchant that are not removed. */
export const ENDPOINTS_MAX = 10;
export const ENDPOINT_NAME_MAX = 60;
export const ENDPOINT_URL_MAX = 500;

/** `disabled`: nothing is recorded for it, and what waits stays until it is enabled again or 30 days old. */
export const ENDPOINT_STATES = ["enabled", "disabled"] as const;
/** Who disabled it: the merchant, or the shop because of an answer 410, or of five days without a success. */
export const DISABLED_REASONS = ["merchant", "gone", "failing"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const DELIVERY_STATES = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Why an attempt got no answer. */
export const ATTEMPT_ERRORS = ["timeout", "address", "name", "connection", "certificate"] as const;
export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

/** Seconds until each further attempt, from the failed one. After the last one a delivery has failed. */
export const RETRY_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;
/** Days without a success, with failures at both ends, after which an endpoint is disabled. */
export const FAILING_DAYS = 5;
/** Days for which notices and their attempts are kept. */
export const KEPT_DAYS = 30;
/** Hours for which the former secret signs beside a new one. */
export const OLD_SECRET_HOURS = 24;
/** Bytes of an answer that are kept. */
export const ANSWER_BYTES = 1_024;
/** Milliseconds of an attempt, from the look-up of the name to the answer's end. */
export const ATTEMPT_MS = 10_000;
/** Attempts of an endpoint at the same time. */
export const ATTEMPTS_AT_ONCE = 4;

/** A success is any 2xx; a redirect is a failure like any other answer. */
export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Seconds until the next attempt after so many failed ones; null: it was the last. */
export const retryAfter = (attempts: number): number | null => RETRY_SECONDS[attempts - 1] ?? null;

/**
 * The normalised address of an endpoint; null unless it is https, without credentials and fragment. Whether its host leads to
 * a public address is checked at each attempt (lib/platform/http/resolve-address.ts).
 */
export function normalizeEndpointUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isPlain = url.username === "" && url.password === "" && url.hash === "";
  return url.protocol === "https:" && isPlain && url.href.length <= ENDPOINT_URL_MAX ? url.href : null;
}
