import Stripe from "stripe";
import { z } from "zod";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { InvalidWebhookError } from "./errors";
import { EventBody } from "./views";

/** The events that the shop subscribes to. An operator selects the same ones at Stripe (docs/operations.md). */
export const WEBHOOK_EVENT_TYPES = [
  "payment_intent.requires_action",
  "payment_intent.processing",
  "payment_intent.succeeded",
  "payment_intent.payment_failed",
  "payment_intent.canceled",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.refunded",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
  "radar.early_fraud_warning.created",
  "review.opened",
  "review.closed",
] as const;

const MAX_BYTES = 256 * 1024;
const MAX_AGE_SECONDS = 300;

/** An event with a valid signature. It is only a hint to retrieve the object's current state. */
export type WebhookEvent = ReturnType<typeof parseWebhook>;

/**
 * Verifies a webhook event: size (at most 256 KiB), signature, age (at most 300 s, also in the future), shape, and
 * livemode. Throws InvalidWebhookError.
 */
export function parseWebhook(rawBody: Uint8Array | string, signatureHeader: string | null) {
  const bytes = Buffer.from(rawBody);
  if (bytes.byteLength > MAX_BYTES)
    throw new InvalidWebhookError("size", `${bytes.byteLength} bytes are too many`);
  const payload = verifySignature(bytes, signatureHeader ?? "", env().STRIPE_WEBHOOK_SECRET);
  const event = EventBody.safeParse(payload);
  if (!event.success)
    throw new InvalidWebhookError("shape", `not an event: ${event.error.issues[0]?.path.join(".")}`);
  const { id, type, created, livemode, api_version: apiVersion = null } = event.data;
  const mode = env().PAYMENT_MODE;
  if (livemode !== (mode === "live"))
    throw new InvalidWebhookError("livemode", `livemode ${livemode} does not belong to the mode ${mode}`);
  if (apiVersion !== Stripe.API_VERSION)
    log.warn({ event: id, apiVersion }, "webhook of another API version");
  const { object } = event.data.data;
  return {
    id,
    type,
    livemode,
    created: new Date(created * 1000),
    apiVersion,
    objectId: object.id ?? "",
    objectType: object.object,
    /** The intent of the event: the object itself, or the intent that the refund, charge or dispute belongs to. */
    intentId: object.object === "payment_intent" ? (object.id ?? null) : (object.payment_intent ?? null),
    /** The shop's own id of the refund, from its metadata. */
    refundId: object.object === "refund" ? (object.metadata?.refund_id ?? null) : null,
  };
}

/** The events about merchants' accounts, for which the operator sets up a separate destination (docs/operations.md). */
export const ACCOUNT_EVENT_TYPES = [
  "v2.core.account[requirements].updated",
  "v2.core.account[configuration.recipient].capability_status_updated",
  "v2.core.account.closed",
] as const satisfies Stripe.V2.Core.EventNotification["type"][];

const ThinEvent = z.object({
  id: z.string().startsWith("evt_"),
  object: z.literal("v2.core.event"),
  type: z.string().min(1).max(200),
  livemode: z.boolean(),
  related_object: z.object({ id: z.string().max(100), type: z.string() }).nullish(),
});

/**
 * Verifies a thin event, which names an object without its state. Like `parseWebhook`, with the secret of its own
 * destination. Throws InvalidWebhookError.
 */
export function parseThinEvent(rawBody: Uint8Array | string, signatureHeader: string | null) {
  const bytes = Buffer.from(rawBody);
  if (bytes.byteLength > MAX_BYTES)
    throw new InvalidWebhookError("size", `${bytes.byteLength} bytes are too many`);
  const event = ThinEvent.safeParse(verifySignature(bytes, signatureHeader ?? "", thinEventSecret()));
  if (!event.success)
    throw new InvalidWebhookError("shape", `not an event: ${event.error.issues[0]?.path.join(".")}`);
  const { id, type, livemode, related_object: object } = event.data;
  if (livemode !== (env().PAYMENT_MODE === "live"))
    throw new InvalidWebhookError("livemode", `livemode ${livemode} does not belong to this mode`);
  return {
    id,
    type,
    livemode,
    objectId: object?.id ?? "",
    objectType: object?.type ?? "",
    intentId: null,
    /** null for an event that is not about an account's state */
    accountId: ACCOUNT_EVENT_TYPES.some((one) => one === type) ? (object?.id ?? null) : null,
  };
}

/** In the sandbox one secret signs all events. */
export const thinEventSecret = (): string =>
  env().STRIPE_CONNECT_WEBHOOK_SECRET ?? env().STRIPE_WEBHOOK_SECRET;

function verifySignature(bytes: Buffer, header: string, secret: string): unknown {
  let payload: unknown;
  try {
    // Tolerance 0 turns off the age check of the library, which accepts signatures from the future.
    Stripe.webhooks.signature!.verifyHeader(bytes, header, secret, 0);
    payload = JSON.parse(bytes.toString());
  } catch (error) {
    if (error instanceof SyntaxError) throw new InvalidWebhookError("shape", "the body is not JSON");
    throw new InvalidWebhookError(
      "signature",
      error instanceof Error ? error.message : "the signature is wrong",
    );
  }
  const ageSeconds = Math.floor(Date.now() / 1000) - signatureTime(header);
  if (Math.abs(ageSeconds) > MAX_AGE_SECONDS)
    throw new InvalidWebhookError("age", `signed ${ageSeconds} s ago`);
  return payload;
}

/** The signed timestamp: the last `t` of the header, as the library reads it. */
function signatureTime(header: string): number {
  const times = header.split(",").filter((item) => item.startsWith("t="));
  return Number.parseInt(times.at(-1)?.slice(2) ?? "", 10);
}
