import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import {
  ATTEMPT_ERRORS,
  DELIVERY_STATES,
  DISABLED_REASONS,
  ENDPOINT_STATES,
  type SentEvent,
  type WebhookEvent,
} from "@/lib/webhooks/rules";
import { merchantId } from "./catalog";
import { at, bytea, createdAt, id, oneOf, reference, rowId } from "./columns";

/** Addresses to which a merchant has events sent. The secret is shown once and kept encrypted, with the row's id. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: id(),
    merchantId: merchantId(),
    name: text("name").notNull(),
    url: text("url").notNull(),
    events: text("events").array().$type<WebhookEvent[]>().notNull(),
    sealed: bytea("sealed").notNull(),
    vaultKeyId: text("vault_key_id").notNull(),
    /** the secret before the last change, which signs too until `old_until` */
    oldSealed: bytea("old_sealed"),
    oldVaultKeyId: text("old_vault_key_id"),
    oldUntil: at("old_until"),
    state: text("state", { enum: ENDPOINT_STATES }).notNull().default("enabled"),
    disabledReason: text("disabled_reason", { enum: DISABLED_REASONS }),
    disabledAt: at("disabled_at"),
    /** the first failure since the last success */
    failingSince: at("failing_since"),
    /** The last attempt failed or took long: its attempts are made in slots that no healthy endpoint waits for. */
    slow: boolean("slow").notNull().default(false),
    createdBy: text("created_by").notNull(),
    createdAt: createdAt(),
    removedAt: at("removed_at"),
  },
  (t) => [
    index("webhook_endpoints_of_merchant").on(t.merchantId, t.createdAt).where(sql`removed_at is null`),
    check("webhook_endpoints_state", oneOf("state", ENDPOINT_STATES)),
    check("webhook_endpoints_reason", oneOf("disabled_reason", DISABLED_REASONS)),
    check(
      "webhook_endpoints_disabled",
      sql`(state = 'disabled') = (disabled_reason is not null) and (state = 'disabled') = (disabled_at is not null)`,
    ),
    check(
      "webhook_endpoints_old",
      sql`(old_sealed is null) = (old_vault_key_id is null) and (old_sealed is null) = (old_until is null)`,
    ),
  ],
);

/** What happened, as it is sent; written in the transaction that causes it (db/functions/record_webhook_message.sql). */
export const webhookMessages = pgTable(
  "webhook_messages",
  {
    id: id(),
    merchantId: merchantId(),
    type: text("type").$type<SentEvent>().notNull(),
    /** messages about one object are sent in their order */
    object: text("object").notNull(),
    data: jsonb("data").$type<Record<string, unknown>>().notNull(),
    /** whose code's reference is added to `data` before it is sent first; null: none, or it was added */
    keyId: text("key_id"),
    createdAt: createdAt(),
  },
  (t) => [index("webhook_messages_age").on(t.createdAt)],
);

/** A message on its way to an endpoint; its id gives the order. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: rowId(),
    endpointId: reference("endpoint_id", () => webhookEndpoints.id),
    messageId: reference("message_id", () => webhookMessages.id),
    object: text("object").notNull(),
    state: text("state", { enum: DELIVERY_STATES }).notNull().default("waiting"),
    attempts: integer("attempts").notNull().default(0),
    /** when the next attempt is due */
    nextAt: at("next_at").notNull().default(sql`shop_now()`),
    /** An attempt runs until then, unless its process was killed. */
    claimedUntil: at("claimed_until"),
    createdAt: createdAt(),
    endedAt: at("ended_at"),
  },
  (t) => [
    uniqueIndex("webhook_deliveries_once").on(t.messageId, t.endpointId),
    index("webhook_deliveries_due").on(t.nextAt, t.endpointId).where(sql`state = 'waiting'`),
    index("webhook_deliveries_waiting").on(t.endpointId, t.object, t.id).where(sql`state = 'waiting'`),
    index("webhook_deliveries_of_endpoint").on(t.endpointId, t.id),
    index("webhook_deliveries_of_state").on(t.endpointId, t.state, t.id),
    check("webhook_deliveries_state", oneOf("state", DELIVERY_STATES)),
    check("webhook_deliveries_ended", sql`(state = 'waiting') = (ended_at is null)`),
  ],
);

/** Attempts of a delivery, with the beginning of the answer. */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    id: rowId(),
    deliveryId: bigint("delivery_id", { mode: "number" })
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: "cascade" }),
    startedAt: at("started_at").notNull(),
    ms: integer("ms").notNull(),
    /** null: there was no answer */
    status: integer("status"),
    error: text("error", { enum: ATTEMPT_ERRORS }),
    /** the first kilobyte */
    answer: text("answer").notNull().default(""),
  },
  (t) => [
    index("webhook_attempts_of_delivery").on(t.deliveryId, t.id),
    check("webhook_attempts_error", oneOf("error", ATTEMPT_ERRORS)),
    check("webhook_attempts_outcome", sql`(status is null) = (error is not null)`),
  ],
);
