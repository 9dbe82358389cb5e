import { getTableColumns } from "drizzle-orm";
import { afterCommit, client, type Db, db, statements, type Tx } from "@/db/client";
import { sandboxIntents } from "@/db/schema/sandbox";
import { WEBHOOK_EVENT_TYPES } from "@/lib/platform/stripe/webhook";
import { handOver, hasHandFree, LEASE_SECONDS, type Notice, startDelivery } from "./delivery";
import { sandboxEventsHeld } from "./faults";
import { stripeId } from "./ids";
import { eventObject, type IntentRow, intentObject, type ToldEvent } from "./objects";
import { kept } from "./paying";

/** One change of the emulator: what it writes and what it tells are committed together, then the telling begins. */
export async function inSandbox<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await db.transaction(change);
  startDelivery(); // of what was put off, too
  return result;
}

/** The columns by the names of a row. By hand, not through drizzle: every payment comes by here five times. */
const COLUMNS = Object.entries(getTableColumns(sandboxIntents))
  .map(([name, column]) => `${column.name} as "${name}"`)
  .join(", ");
type Times = "createdAt" | "canceledAt" | "settlesAt";
/** A row as the driver reads it: times are texts. */
type Raw = Omit<IntentRow, Times> & {
  createdAt: string;
  canceledAt: string | null;
  settlesAt: string | null;
};

const columns = () => client().unsafe(COLUMNS);
const dateOf = (text: string | null) => (text === null ? null : new Date(text));
const rowOf = ({ createdAt, canceledAt, settlesAt, ...rest }: Raw): IntentRow => ({
  ...rest,
  createdAt: new Date(createdAt),
  canceledAt: dateOf(canceledAt),
  settlesAt: dateOf(settlesAt),
});

type Name = "id" | "client_secret";
type Found = { row: IntentRow; due: boolean };

async function find(on: Db, name: string, by: Name, lock: "for update" | "" = ""): Promise<Found | null> {
  const sql = statements(on);
  const [found] = await sql<(Raw & { due: boolean })[]>`
    select ${columns()}, coalesce(settles_at <= shop_now(), false) as due
    from sandbox_intents where ${sql(by)} = ${name} ${sql.unsafe(lock)}`;
  if (!found) return null;
  const { due, ...raw } = found;
  return { row: rowOf(raw), due };
}

/**
 * The intent of an id, or of a client secret, locked until the change is committed, so that of confirm, cancel and
 * settle one comes first.
 */
export async function lockIntent(tx: Tx, name: string, by: Name = "id"): Promise<IntentRow | null> {
  const found = await find(tx, name, by, "for update");
  if (!found) return null;
  return found.due ? settle(tx, found.row) : found.row;
}

/** The intent as it is now; it is locked only when its slow payment is due and so has to be decided. */
export async function peekIntent(id: string): Promise<IntentRow | null> {
  const found = await find(db, id, "id");
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
    settlesAs: null,
  });
}

type IntentEvent = Extract<ToldEvent["type"], `payment_intent.${string}`>;
/** Times are the database's: `cancels` is now, `settlesIn` is in so many seconds. */
type IntentChange = Partial<Omit<IntentRow, Times>> & { cancels?: boolean; settlesIn?: number };

/** Writes a change, and what the row is paid with, and tells of it; with null nobody is told. */
export async function changeIntent(
  tx: Tx,
  row: IntentRow,
  type: IntentEvent | null,
  { cancels = false, settlesIn, ...change }: IntentChange,
): Promise<IntentRow> {
  const sql = statements(tx);
  const next = { ...row, ...change }; // what it is paid with may be news, too
  const writing = sql<Raw[]>`
    update sandbox_intents set status = ${next.status}, received_cents = ${next.receivedCents},
      refunded_cents = ${next.refundedCents}, metadata = ${JSON.stringify(next.metadata)}::jsonb,
      payment_method = ${next.paymentMethod}, latest_charge = ${next.latestCharge},
      last_error = ${next.lastError && JSON.stringify(next.lastError)}::jsonb,
      cancellation_reason = ${next.cancellationReason},
      canceled_at = case when ${cancels}::boolean then shop_now() else canceled_at end,
      settles_at = shop_now() + make_interval(secs => ${settlesIn ?? null}), settles_as = ${next.settlesAs}
    where id = ${row.id} returning ${columns()}`.execute();
  // What is told follows from the change, but for the database's time: both are on their way at once.
  const telling = type && !cancels && tell(tx, { type, object: intentObject(next) });
  const [[raw]] = await Promise.all([writing, telling]);
  if (!raw) throw new Error(`sandbox intent ${row.id} is gone`);
  const changed = rowOf(raw);
  if (type && cancels) await tell(tx, { type, object: intentObject(changed) });
  return changed;
}

type NewIntent = Pick<
  IntentRow,
  "id" | "clientSecret" | "amountCents" | "currency" | "description" | "receiptEmail" | "metadata"
>;

export async function writeIntent(tx: Tx, intent: NewIntent): Promise<IntentRow> {
  const [raw] = await statements(tx)<Raw[]>`
    insert into sandbox_intents (id, client_secret, amount_cents, currency, description, receipt_email, metadata)
    values (${intent.id}, ${intent.clientSecret}, ${intent.amountCents}, ${intent.currency},
      ${intent.description}, ${intent.receiptEmail}, ${JSON.stringify(intent.metadata)}::jsonb)
    returning ${columns()}`;
  if (!raw) throw new Error("the sandbox kept no intent");
  return rowOf(raw);
}

/**
 * Records a notice; only those that the shop wants are sent, as an endpoint at Stripe is set up. It is written as one
 * that this process has in hand, so that nobody has to look for it; those beyond what it can hold are due at once.
 */
export async function tell(tx: Tx, told: ToldEvent): Promise<void> {
  const id = stripeId("evt");
  const wanted = WEBHOOK_EVENT_TYPES.some((type) => type === told.type);
  const inHand = wanted && hasHandFree() && !sandboxEventsHeld();
  const event = JSON.stringify(eventObject(id, told));
  const [notice] = await statements(tx)<Notice[]>`
    insert into sandbox_events (id, type, payload, attempts, due_at)
    select ${id}, ${told.type}, ${event}::jsonb || jsonb_build_object('created', extract(epoch from now)::int),
      ${inHand ? 1 : 0}::int,
      case when ${wanted}::boolean then now + make_interval(secs => ${inHand ? LEASE_SECONDS : 0}) end
    from shop_now() as now returning id, payload, attempts, deliveries`.execute();
  if (inHand && notice) afterCommit(tx, () => handOver(notice));
}
