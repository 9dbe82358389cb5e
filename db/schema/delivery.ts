import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { type Consent, KEY_EVENTS, KEY_STATES, REPLACEMENT_STATES } from "@/lib/delivery/rules";
import { BATCH_SOURCES, BATCH_STATES, type BatchReportLine, STOCK_ALERTS } from "@/lib/merchants/rules";
import { REDEMPTIONS } from "@/lib/payments/refunds/rules";
import { merchantId, merchants, planId, plans } from "./catalog";
import { at, bytea, createdAt, id, oneOf, reference, rowId } from "./columns";
import { orderLines } from "./orders";

/** Files of codes that a merchant uploaded. The file itself is never stored; a file with the same content continues its batch. */
export const keyBatches = pgTable(
  "key_batches",
  {
    id: id(),
    merchantId: merchantId(),
    sha256: text("sha256").notNull(),
    /** the file's name */
    name: text("name").notNull(),
    source: text("source", { enum: BATCH_SOURCES }).notNull(),
    /** where the codes come from, in the merchant's words; part of the custody chain */
    statement: text("statement").notNull(),
    state: text("state", { enum: BATCH_STATES }).notNull().default("running"),
    /** lines of the file, for the progress */
    lines: integer("lines").notNull(),
    added: integer("added").notNull().default(0),
    unchanged: integer("unchanged").notNull().default(0),
    refused: integer("refused").notNull().default(0),
    /** the first 10,000 refused lines: number and reason */
    report: jsonb("report").$type<BatchReportLine[]>().notNull().default([]),
    /** a user's id, or `token:` and a token's id */
    by: text("by").notNull(),
    createdAt: createdAt(),
    /** the last sign of life of a running import */
    heartbeatAt: at("heartbeat_at").default(sql`shop_now()`),
    /** The previous release's name of `heartbeat_at` (db/functions/keep_beat_at.sql). */
    beatAt: at("beat_at").notNull().default(sql`shop_now()`),
    endedAt: at("ended_at"),
    /** when unsold codes of it were withdrawn last; null: none were, or they were put back on sale */
    withdrawnAt: at("withdrawn_at"),
    /** staff have withdrawn codes of it, so that its merchant puts none back on sale */
    withdrawnByShop: boolean("withdrawn_by_shop").notNull().default(false),
  },
  (t) => [
    uniqueIndex("key_batches_file").on(t.merchantId, t.sha256),
    index("key_batches_by_time").on(t.merchantId, t.createdAt, t.id),
    index("key_batches_newest").on(t.createdAt, t.id),
    check("key_batches_source", oneOf("source", BATCH_SOURCES)),
    check("key_batches_state", oneOf("state", BATCH_STATES)),
    check("key_batches_ended", sql`(state = 'running') = (ended_at is null)`),
  ],
);

/**
 * When a merchant is notified that the codes of a plan run low. A plan without a row has the default
 * (lib/merchants/key-files/rules.ts).
 */
export const stockAlerts = pgTable(
  "stock_alerts",
  {
    planId: integer("plan_id")
      .primaryKey()
      .references(() => plans.id),
    kind: text("kind", { enum: STOCK_ALERTS }).notNull(),
    /** days of cover, or a number of codes */
    value: integer("value").notNull(),
    /** when the owners were notified; null again once the plan is restocked */
    notifiedAt: at("notified_at"),
    /** when the merchant's systems were told that the last code went; null again once there is one */
    outAt: at("out_at"),
  },
  () => [
    check("stock_alerts_kind", oneOf("kind", STOCK_ALERTS)),
    check("stock_alerts_value", sql`value >= 0`),
  ],
);

/** The vault keys of this database, by parts of their hashes (lib/delivery/vault-keys/check-vault-keys.ts). */
export const vaultChecks = pgTable("vault_checks", {
  name: text("name").primaryKey(),
  value: text("value").notNull(),
});

/** One activation code per row: encrypted, unique by keyed hash, bound to at most one order line. */
export const keys = pgTable(
  "keys",
  {
    id: id(),
    planId: planId(),
    state: text("state", { enum: KEY_STATES }).notNull().default("available"),
    sealed: bytea("sealed").notNull(),
    vaultKeyId: text("vault_key_id").notNull(),
    fingerprint: text("fingerprint").notNull().unique(),
    /**
     * A short keyed hash of its letters and digits alone, for people who leave its hyphens out. null: its fingerprint is of the
     * former form (lib/delivery/fingerprints/renew-fingerprints.ts).
     */
    lettersHash: bigint("letters_hash", { mode: "number" }),
    redeemBy: at("redeem_by"),
    /** The last moment to sell it: `redeem_by` less the plan's margin (db/functions/set_key_sell_by.sql); null: always. */
    sellBy: at("sell_by"),
    /** the merchant's file that brought it; null: an import by the shop */
    batchId: text("batch_id").references(() => keyBatches.id),
    orderLineId: text("order_line_id").references(() => orderLines.id),
    /** The unit of the line, from 1: a unique index allows one key per unit. */
    slot: integer("slot"),
    redemption: text("redemption", { enum: REDEMPTIONS }).notNull().default("unknown"),
    createdAt: createdAt(),
    reservedAt: at("reserved_at"),
    assignedAt: at("assigned_at"),
    /**
     * When its code was first decrypted to be read, written before that: for its owner, an email, or the reference that
     * a vendor gets. null: no one can have seen it.
     */
    openedAt: at("opened_at"),
    mailedAt: at("mailed_at"),
    firstRevealedAt: at("first_revealed_at"),
    /**
     * The consent given by revealing the code at `first_revealed_at`; null when the code was not kept unrevealed by
     * choice.
     */
    consent: jsonb("consent").$type<Consent>(),
    /** When the pass started, as entered by its owner; otherwise it starts with the first reveal. */
    activatedAt: at("activated_at"),
    /** When the owner was reminded of its end or redemption deadline. */
    remindedAt: at("reminded_at"),
  },
  (t) => [
    // `sell_by` comes last, so that sellable keys are counted in the index alone.
    index("keys_in_stock")
      .on(t.planId, t.redeemBy, t.createdAt, t.id, t.sellBy)
      .concurrently()
      .where(sql`state = 'available'`),
    uniqueIndex("keys_one_per_unit").on(t.orderLineId, t.slot).where(sql`state in ('reserved', 'assigned')`),
    index("keys_by_letters").on(t.lettersHash).concurrently(),
    index("keys_of_former_form").on(t.id).concurrently().where(sql`letters_hash is null`),
    index("keys_by_line").on(t.orderLineId),
    index("keys_by_batch").on(t.batchId, t.state).where(sql`batch_id is not null`),
    index("keys_reserved").on(t.planId).where(sql`state = 'reserved'`),
    index("keys_withheld").on(t.planId).concurrently().where(sql`state = 'withheld'`),
    index("keys_next_sell_by")
      .on(t.sellBy)
      .concurrently()
      .where(sql`state = 'available' and sell_by is not null`),
    // Passes by their start, and unrevealed codes by their redemption deadline, without a reminder yet
    // (library/commands.ts).
    index("keys_to_remind")
      .on(sql`coalesce(activated_at, first_revealed_at)`)
      .concurrently()
      .where(
        sql`state = 'assigned' and (reminded_at is null or reminded_at < coalesce(activated_at, first_revealed_at))`,
      ),
    index("keys_to_redeem")
      .on(t.redeemBy)
      .concurrently()
      .where(
        sql`state = 'assigned' and reminded_at is null and coalesce(activated_at, first_revealed_at) is null`,
      ),
    // Passes by their start, also after their reminder: whose end is the turn of another code.
    index("keys_started")
      .on(sql`coalesce(activated_at, first_revealed_at)`)
      .concurrently()
      .where(sql`state = 'assigned' and coalesce(activated_at, first_revealed_at) is not null`),
    check("keys_state", oneOf("state", KEY_STATES)),
    check("keys_redemption", oneOf("redemption", REDEMPTIONS)),
    check(
      "keys_bound",
      sql`(state <> 'available' or order_line_id is null) and (state not in ('reserved', 'assigned') or order_line_id is not null) and (order_line_id is null) = (slot is null) and coalesce(slot, 1) > 0`,
    ),
  ],
);

const keyId = () => reference("key_id", () => keys.id);

/**
 * Keys that were assigned and are not yet in the journal outside the database (docs/operations.md#restore). Their codes
 * are neither mailed nor shown.
 */
export const unjournaledKeys = pgTable("unjournaled_keys", {
  keyId: keyId().primaryKey(),
  orderId: text("order_id").notNull(),
  createdAt: createdAt(),
});

/**
 * Units that were given back with their codes unrevealed: the codes are on sale again and no longer belong to a line.
 * Who returned them is counted for a week (docs/product.md#83-delivery) and then deleted.
 */
export const returnedKeys = pgTable(
  "returned_keys",
  {
    id: rowId(),
    keyId: text("key_id").notNull(),
    orderLineId: text("order_line_id").notNull(),
    slot: integer("slot").notNull(),
    assignedAt: at("assigned_at").notNull(),
    /** The buyer's email identity as a keyed hash; one of an unverified address is another. */
    identity: text("identity"),
    /** The provider's fingerprint of the card that paid; null: no card, or unknown. */
    cardFingerprint: text("card_fingerprint"),
    /** The address group of the order, else of the call that gave it back, as a keyed hash; null: unknown. */
    addressGroup: text("address_group"),
    createdAt: createdAt(),
  },
  (t) => [
    index("returned_keys_by_line").on(t.orderLineId).concurrently(),
    index("returned_keys_by_identity").on(t.identity).concurrently().where(sql`identity is not null`),
    index("returned_keys_by_card")
      .on(t.cardFingerprint)
      .concurrently()
      .where(sql`card_fingerprint is not null`),
    index("returned_keys_by_address").on(t.addressGroup).concurrently().where(sql`address_group is not null`),
    index("returned_keys_to_forget").on(t.createdAt).concurrently().where(sql`identity is not null`),
  ],
);

/** Custody events of a key, append-only; buyers see the reveals of their own keys. */
export const keyEvents = pgTable(
  "key_events",
  {
    id: rowId(),
    keyId: keyId(),
    event: text("event", { enum: KEY_EVENTS }).notNull(),
    orderLineId: text("order_line_id"),
    actor: text("actor").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("key_events_by_key").on(t.keyId),
    // Rows are appended in order of time, so that a few kilobytes find those of a day.
    index("key_events_by_time").using("brin", t.createdAt),
    check("key_events_event", oneOf("event", KEY_EVENTS)),
  ],
);

/** Seals of custody events: each hash covers its event and the previous seal (`npm run custody:verify`). */
export const custodySeals = pgTable(
  "custody_seals",
  {
    eventId: bigint("event_id", { mode: "number" })
      .primaryKey()
      .references(() => keyEvents.id),
    keyId: keyId(),
    /** from 1 */
    position: integer("position").notNull(),
    hash: text("hash").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("custody_seals_chain").on(t.keyId, t.position),
    check("custody_seals_position", sql`position > 0`),
  ],
);

/**
 * The stock of a plan on a day (UTC) that changed it: available codes at the start, at the end, and when they were
 * fewest; `ran_out` counts how often the last one went. Rewritten by a job from key events (lib/orders/insight).
 */
export const stockDaily = pgTable(
  "stock_daily",
  {
    day: date("day").notNull(),
    planId: planId(),
    opening: integer("opening").notNull(),
    closing: integer("closing").notNull(),
    lowest: integer("lowest").notNull(),
    ranOut: integer("ran_out").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.planId] }),
    // The chart of the staff console counts the plans of each day that ran out.
    index("stock_daily_ran_out").on(t.day).where(sql`ran_out > 0`),
  ],
);

/** Replacement requests for codes that do not work; staff decide. */
export const replacementRequests = pgTable(
  "replacement_requests",
  {
    id: id(),
    keyId: keyId(),
    userId: text("user_id").notNull(),
    /** The staff member who requested it for the owner; null: the owner did. */
    askedBy: text("asked_by"),
    reason: text("reason").notNull(),
    /** Whose pass it is: the product's merchant (db/functions/set_record_merchant.sql). */
    merchantId: text("merchant_id").references(() => merchants.id),
    state: text("state", { enum: REPLACEMENT_STATES }).notNull().default("asked"),
    newKeyId: text("new_key_id").references(() => keys.id),
    createdAt: createdAt(),
    decidedAt: at("decided_at"),
    decidedBy: text("decided_by"),
  },
  (t) => [
    uniqueIndex("replacement_requests_one").on(t.keyId).where(sql`state in ('asked', 'approved')`),
    index("replacement_requests_by_state").on(t.state, t.createdAt, t.id),
    index("replacement_requests_of_merchant").on(t.merchantId, t.createdAt, t.id).where(sql`state = 'asked'`),
    index("replacement_requests_decided_of_merchant")
      .on(t.merchantId, t.decidedAt, t.id)
      .where(sql`state <> 'asked'`),
    index("replacement_requests_of_user").on(t.userId, t.createdAt, t.id),
    index("replacement_requests_without_merchant").on(t.id).concurrently().where(sql`merchant_id is null`),
    check("replacement_requests_state", oneOf("state", REPLACEMENT_STATES)),
    check("replacement_requests_new", sql`(state = 'approved') = (new_key_id is not null)`),
    check(
      "replacement_requests_two_people",
      sql`asked_by is null or decided_by is null or decided_by <> asked_by`,
    ),
  ],
);
