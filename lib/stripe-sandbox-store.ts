import { eq, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { type Db, db, type Tx } from "@/db/client";
import { sandboxIntents } from "@/db/schema/sandbox";
import { startDelivery } from "./stripe-sandbox-delivery";
import { stripeId } from "./stripe-sandbox-id";
import { eventObject, type IntentRow, intentObject, type ToldEvent } from "./stripe-sandbox-objects";
import { kept } from "./stripe-sandbox-paying";
import { WEBHOOK_EVENT_TYPES } from "./stripe-webhook";

/** One change of the emulator: what it writes and what it tells are committed together, then the telling begins. */
export async function inSandbox<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await db.transaction(change);
  startDelivery();
  return result;
}

const due = sql<boolean>`coalesce(${sandboxIntents.settlesAt} <= shop_now(), false)`;
type Name = typeof sandboxIntents.id | typeof sandboxIntents.clientSecret;
const select = (from: Db, name: string, by: Name = sandboxIntents.id) =>
  from.select({ row: sandboxIntents, due }).from(sandboxIntents).where(eq(by, name));

/**
 * The intent of an id, or of a client secret, locked until the change is committed, so that of confirm, cancel and
 * settle one comes first.
 */
export async function lockIntent(tx: Tx, name: string, by?: Name): Promise<IntentRow | null> {
  const [found] = await select(tx, name, by).for("update");
  if (!found) return null;
  return found.due ? settle(tx, found.row) : found.row;
}

/** The intent as it is now; it is locked only when its slow payment is due and so has to be decided. */
export async function peekIntent(id: string): Promise<IntentRow | null> {
  const [found] = await select(db, id);
  return found?.due ? inSandbox((tx) => lockIntent(tx, id)) : (found?.row ?? null);
}

/** Decides a slow payment as it was going to be. The row must be locked. */
async function settle(tx: Tx, row: IntentRow): Promise<IntentRow> {
  return row.settlesAs === "failed" ? decline(tx, row) : succeed(tx, row);
}

export async function succeed(tx: Tx, row: IntentRow): Promise<IntentRow> {
  return changeIntent(tx, row, "payment_intent.succeeded", {
    status: "succeeded",
    receivedCents: row.amountCents,
    ...(await kept(tx, row)),
    latestCharge: stripeId("ch"),
    lastError: null,
    settlesAt: null,
    settlesAs: null,
  });
}

export function decline(tx: Tx, row: IntentRow): Promise<IntentRow> {
  const lastError =
    row.status === "requires_action"
      ? {
          code: "payment_intent_authentication_failure",
          message: "The provided payment method has failed authentication.",
        }
      : { code: "card_declined", declineCode: "generic_decline", message: "Your card was declined." };
  return changeIntent(tx, row, "payment_intent.payment_failed", {
    status: "requires_payment_method",
    paymentMethod: null,
    latestCharge: row.status === "requires_action" ? null : stripeId("ch"),
    lastError,
    settlesAt: null,
    settlesAs: null,
  });
}

type IntentEvent = Extract<ToldEvent["type"], `payment_intent.${string}`>;
/** Writes a change, and what the row is paid with, and tells of it; with null nobody is told. */
export async function changeIntent(
  tx: Tx,
  row: IntentRow,
  type: IntentEvent | null,
  change: PgUpdateSetSource<typeof sandboxIntents>,
): Promise<IntentRow> {
  const { paymentMethod, metadata } = row; // what it is paid with may be news, too
  const [changed] = await tx
    .update(sandboxIntents)
    .set({ paymentMethod, metadata, ...change })
    .where(eq(sandboxIntents.id, row.id))
    .returning();
  if (!changed) throw new Error(`sandbox intent ${row.id} is gone`);
  if (type) await tell(tx, { type, object: intentObject(changed) });
  return changed;
}

/** Records a notice; only those that the shop wants are sent, as an endpoint at Stripe is set up. */
export async function tell(tx: Tx, told: ToldEvent): Promise<void> {
  const id = stripeId("evt");
  const wanted = WEBHOOK_EVENT_TYPES.some((type) => type === told.type);
  const event = JSON.stringify(eventObject(id, told));
  await tx.execute(sql`
    insert into sandbox_events (id, type, payload, due_at)
    select ${id}, ${told.type}, ${event}::jsonb || jsonb_build_object('created', extract(epoch from now)::int),
      case when ${wanted}::boolean then now end from shop_now() as now`);
}
