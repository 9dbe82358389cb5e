import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { KEY_EVENTS, KEY_STATES } from "@/lib/delivery/rules";
import { REDEMPTIONS } from "@/lib/payments/rules-refund";
import { plans } from "./catalog";
import { at, bytea, createdAt, id, oneOf } from "./columns";
import { orderLines } from "./orders";

/** One activation code, one row: encrypted at rest, unique by keyed hash, bound to at most one order line. */
export const keys = pgTable(
  "keys",
  {
    id: id(),
    planId: integer("plan_id")
      .notNull()
      .references(() => plans.id),
    state: text("state", { enum: KEY_STATES }).notNull().default("available"),
    sealed: bytea("sealed").notNull(),
    vaultKeyId: text("vault_key_id").notNull(),
    fingerprint: text("fingerprint").notNull().unique(),
    redeemBy: at("redeem_by"),
    orderLineId: text("order_line_id").references(() => orderLines.id),
    /** Which unit of the line, from 1: with the unique index no line can hold two keys for one unit. */
    slot: integer("slot"),
    redemption: text("redemption", { enum: REDEMPTIONS }).notNull().default("unknown"),
    createdAt: createdAt(),
    reservedAt: at("reserved_at"),
    assignedAt: at("assigned_at"),
    mailedAt: at("mailed_at"),
    firstRevealedAt: at("first_revealed_at"),
  },
  (t) => [
    index("keys_available").on(t.planId, t.redeemBy, t.createdAt, t.id).where(sql`state = 'available'`),
    uniqueIndex("keys_one_per_unit").on(t.orderLineId, t.slot).where(sql`state in ('reserved', 'assigned')`),
    index("keys_by_line").on(t.orderLineId),
    check("keys_state", oneOf("state", KEY_STATES)),
    check("keys_redemption", oneOf("redemption", REDEMPTIONS)),
    check(
      "keys_bound",
      sql`(state <> 'available' or order_line_id is null) and (state not in ('reserved', 'assigned') or order_line_id is not null) and (order_line_id is null) = (slot is null) and coalesce(slot, 1) > 0`,
    ),
  ],
);

/** Custody of a key, append-only; a buyer sees the reveals of their own. */
export const keyEvents = pgTable(
  "key_events",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    keyId: text("key_id")
      .notNull()
      .references(() => keys.id),
    event: text("event", { enum: KEY_EVENTS }).notNull(),
    orderLineId: text("order_line_id"),
    actor: text("actor").notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("key_events_by_key").on(t.keyId), check("key_events_event", oneOf("event", KEY_EVENTS))],
);
