import Stripe from "stripe";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { WebhookRefused } from "./errors";
import { EventBody } from "./views";

/** The notices that the shop wants; an operator selects the same ones at the provider (docs/operations.md). */
export const WEBHOOK_EVENT_TYPES = [
  "payment_intent.requires_action",
  "payment_intent.processing",
  "payment_intent.succeeded",
  "payment_intent.payment_failed",
  "payment_intent.canceled",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
] as const;

const MAX_BYTES = 256 * 1024;
const MAX_AGE_SECONDS = 300;

/** A notice whose sender is proved. What it says is only a hint to ask for the object's current state. */
export type VerifiedEvent = {
  id: string;
  type: string;
  livemode: boolean;
  created: Date;
  apiVersion: string | null;
  objectId: string;
  objectType: string;
  /** The intent that the notice is about: the object itself, or the one it belongs to (refund, charge, dispute). */
  intentId: string | null;
  /** Our name of the refund that the notice is about. */
  refundId: string | null;
};

/**
 * Verifies a notice: size (256 KiB), signature, age both ways (300 s), shape, and that it is of our mode.
 * Throws WebhookRefused (docs/reliability.md#payment-provider).
 */
export function parseWebhook(rawBody: Uint8Array | string, signatureHeader: string | null): VerifiedEvent {
  const bytes = Buffer.from(rawBody);
  if (bytes.byteLength > MAX_BYTES)
    throw new WebhookRefused("size", `${bytes.byteLength} bytes are too many`);
  const payload = verified(bytes, signatureHeader ?? "");
  const event = EventBody.safeParse(payload);
  if (!event.success)
    throw new WebhookRefused("shape", `not an event: ${event.error.issues[0]?.path.join(".")}`);
  const { id, type, created, livemode, api_version: apiVersion = null } = event.data;
  if (livemode !== (env().PAYMENT_MODE === "live")) {
    throw new WebhookRefused(
      "livemode",
      `livemode ${livemode} does not belong to the mode ${env().PAYMENT_MODE}`,
    );
  }
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
    intentId: object.object === "payment_intent" ? (object.id ?? null) : (object.payment_intent ?? null),
    refundId: object.object === "refund" ? (object.metadata?.refund_id ?? null) : null,
  };
}

function verified(bytes: Buffer, header: string): unknown {
  let payload: unknown;
  try {
    // Tolerance 0 leaves the age to us: the library looks at old signatures only, not at those from the future.
    payload = Stripe.webhooks.constructEvent(bytes, header, env().STRIPE_WEBHOOK_SECRET, 0);
  } catch (error) {
    if (error instanceof SyntaxError) throw new WebhookRefused("shape", "the body is not JSON");
    throw new WebhookRefused("signature", error instanceof Error ? error.message : "the signature is wrong");
  }
  const ageSeconds = Math.floor(Date.now() / 1000) - signedAt(header);
  if (Math.abs(ageSeconds) > MAX_AGE_SECONDS) throw new WebhookRefused("age", `signed ${ageSeconds} s ago`);
  return payload;
}

/** The time that the signature covers: the last `t`, as the library reads it. */
function signedAt(header: string): number {
  const times = header.split(",").filter((item) => item.startsWith("t="));
  return Number.parseInt(times.at(-1)?.slice(2) ?? "", 10);
}
