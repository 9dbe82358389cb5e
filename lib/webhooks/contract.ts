import { z } from "zod";
import { Instant } from "@/lib/platform/api/fields";
import { Cursor, listOf } from "@/lib/platform/console/list";
import {
  ATTEMPT_ERRORS,
  DELIVERY_STATES,
  DISABLED_REASONS,
  ENDPOINT_NAME_MAX,
  ENDPOINT_STATES,
  ENDPOINT_URL_MAX,
  TEST_EVENT,
  WEBHOOK_EVENTS,
} from "@/lib/webhooks/rules";

const Endpoint = z.object({
  endpoint_id: z.string(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  state: z.enum(ENDPOINT_STATES),
  /** null: it is enabled */
  disabled_reason: z.enum(DISABLED_REASONS).nullable(),
  disabled_at: Instant.nullable(),
  /** the first failure since the last success; five days later the endpoint is disabled */
  failing_since: Instant.nullable(),
  /** until when messages are also signed with the previous secret; null if there is none */
  old_secret_until: Instant.nullable(),
  /** the shop's own receiver for trials, in the sandbox alone */
  sandbox: z.boolean(),
  created_at: Instant,
  /** messages that wait, counted to 100 */
  waiting: z.int(),
  last_success_at: Instant.nullable(),
});
export type WebhookEndpoint = z.output<typeof Endpoint>;

/** GET /merchant/webhooks: the newest first. */
export const EndpointList = z.object({ items: z.array(Endpoint) });
export type EndpointList = z.output<typeof EndpointList>;

const EndpointFields = {
  name: z.string().trim().min(1).max(ENDPOINT_NAME_MAX).meta({ example: "Licence server" }),
  /** https, on a public address */
  url: z
    .string()
    .trim()
    .min(1)
    .max(ENDPOINT_URL_MAX)
    .meta({ example: "https://hooks.acme.example/passlane" }),
  events: z
    .array(z.enum(WEBHOOK_EVENTS))
    .min(1)
    .max(WEBHOOK_EVENTS.length)
    .meta({ example: ["sale.created", "sale.refunded"] }),
};
/** POST /merchant/webhooks */
export const CreateEndpointInput = z.object(EndpointFields);
export type CreateEndpointInput = z.output<typeof CreateEndpointInput>;
export const EndpointSecret = z.object({
  endpoint_id: z.string(),
  /** shown in this answer only */
  secret: z.string(),
  /** until when messages are also signed with the previous secret; null for the first secret */
  old_secret_until: Instant.nullable(),
});
export type EndpointSecret = z.output<typeof EndpointSecret>;

export const EndpointParams = z.object({ id: z.string().trim().min(1).max(64) });
/** POST /merchant/webhooks/{id}: replaces all fields. */
export const SaveEndpointInput = z.object({ ...EndpointFields, state: z.enum(ENDPOINT_STATES) });
export type SaveEndpointInput = z.output<typeof SaveEndpointInput>;
export const EndpointSaved = z.object({ endpoint_id: z.string(), state: z.enum(ENDPOINT_STATES) });
export const EndpointRemoved = z.object({ endpoint_id: z.string(), removed: z.literal(true) });

/** POST /merchant/webhooks/{id}/test, /redeliver */
export const RedeliverInput = z.object({ message_id: z.string().trim().min(1).max(64) });
export const MessageQueued = z.object({ endpoint_id: z.string(), message_id: z.string() });
export type MessageQueued = z.output<typeof MessageQueued>;

/** GET /merchant/webhooks/{id}/attempts: messages of the last 30 days with their attempts, the newest first. */
export const AttemptsInput = z.object({
  cursor: Cursor,
  state: z.enum(DELIVERY_STATES).optional(),
  type: z.enum([...WEBHOOK_EVENTS, TEST_EVENT]).optional(),
});
export type AttemptsInput = z.output<typeof AttemptsInput>;

const Attempt = z.object({
  at: Instant,
  ms: z.int(),
  /** null if there was no response */
  status: z.int().nullable(),
  /** why there was no response */
  error: z.enum(ATTEMPT_ERRORS).nullable(),
  /** the first kilobyte of the response */
  answer: z.string(),
});
const SentMessage = z.object({
  message_id: z.string(),
  type: z.enum([...WEBHOOK_EVENTS, TEST_EVENT]),
  state: z.enum(DELIVERY_STATES),
  happened_at: Instant,
  /** when the next attempt is due; null when the message is delivered or has failed */
  next_at: Instant.nullable(),
  /** the body as it is sent; the first attempt adds the reference of the code */
  body: z.string(),
  attempts: z.array(Attempt),
});
export type SentWebhook = z.output<typeof SentMessage>;
export const AttemptList = listOf(SentMessage);
export type AttemptList = z.output<typeof AttemptList>;
