import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, isNull, lt, ne, type SQL, sql } from "drizzle-orm";
import { client, type Db, db, shopNow, type Tx } from "@/db/client";
import { deleteInBatches } from "@/db/retention";
import { ledgerEntries, payments, type refunds, webhookEvents } from "@/db/schema/payments";
import { attachCustomer } from "@/lib/payments/cards/commands";
import { callProvider } from "@/lib/payments/cards/queries";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import { enqueueSql, type QueuedJob } from "@/lib/platform/jobs/queue";
import { toDecimal } from "@/lib/platform/money";
import { isProviderError, ProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider, publishableKey } from "@/lib/platform/stripe/provider";
import type { IntentView } from "@/lib/platform/stripe/views";
import type { WebhookEvent } from "@/lib/platform/stripe/webhook";
import type { CreatePaymentIntentInput, PaymentIntentView } from "./contract";
import { CURRENCY, type LedgerAccount, WEBHOOK_EVENT_DAYS } from "./rules";

type LivePayment = Pick<
  typeof payments.$inferSelect,
  "id" | "orderId" | "intentId" | "amountCents" | "receiptEmail"
>;

/**
 * Opens the payment of an order, or returns the open one: one live intent per order
 * (docs/product.md#75-orders-and-payment). Writes the row and its idempotency key first, then calls the provider,
 * then stores the response (docs/reliability.md#calls-to-providers).
 * @throws ShopError order_unknown, order_not_payable, amount_differs, provider_unavailable, session_ended
 */
export async function createPaymentIntent(
  viewer: UserViewer,
  input: CreatePaymentIntentInput,
): Promise<PaymentIntentView> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const payment = await openPayment(viewer.userId, input);
    const intent = await callProvider(() => retrieveOrCreateIntent(payment));
    if (!intent) continue; // the payment was closed in the meantime
    if (intent.state === "canceled") {
      await recordCanceled(payment.id);
      continue;
    }
    const recordedId = await recordIntent(payment.id, intent);
    if (recordedId !== intent.id) {
      // The order was cancelled, or another intent was recorded, during the call. This one must not stay payable.
      await callProvider(() => paymentProvider().cancelIntent(intent.id));
      if (recordedId === null) break;
      continue;
    }
    if (intent.state === "succeeded") break;
    await attachCustomer(viewer, intent, input.save_card ?? false);
    return {
      client_secret: intent.clientSecret,
      publishableKey: publishableKey(),
      payment_mode: env().PAYMENT_MODE,
    };
  }
  throw new ShopError("order_not_payable");
}

type OpenedPayment = { payable: boolean; total_cents: number; payment: LivePayment | null };

/**
 * The live payment of an order, opened if there is none, in one statement that locks the order. A payment that
 * another request wrote while this one waited is not visible to the statement, so it is repeated.
 */
async function openPayment(userId: string, input: CreatePaymentIntentInput): Promise<LivePayment> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const [order] = await client()<OpenedPayment[]>`
      with ordered as (
        select id, total_cents, send_email, status in ('pending', 'processingPayment') and hold_ends_at > shop_now()
          and total_cents > 0 as payable
        from orders where id = ${input.order_id} and user_id = ${userId} and hidden_at is null for update
      ), live as (
        select p.id, p.order_id as "orderId", p.intent_id as "intentId", p.amount_cents as "amountCents",
          p.receipt_email as "receiptEmail"
        from payments p join ordered o on o.id = p.order_id where p.state <> 'canceled'
      ), opened as (
        insert into payments (id, order_id, amount_cents, currency, receipt_email)
        select ${newId("pay")}, o.id, o.total_cents, ${CURRENCY}, o.send_email from ordered o
        where o.payable and (o.total_cents = ${input.amount ?? null}::numeric * 100) is not false and not exists (select from live)
        on conflict do nothing
        returning id, order_id as "orderId", intent_id as "intentId", amount_cents as "amountCents",
          receipt_email as "receiptEmail"
      )
      select o.payable, o.total_cents, (select to_json(p) from (select * from live union all select * from opened) p) as payment
      from ordered o`;
    if (!order) throw new ShopError("order_unknown");
    if (!order.payable) throw new ShopError("order_not_payable");
    if (input.amount !== undefined && input.amount !== toDecimal(order.total_cents))
      throw new ShopError("amount_differs");
    if (order.payment) return order.payment;
  }
  throw new ShopError("order_not_payable");
}

/** How often the provider is asked for a new intent when it does not respond. */
const CREATE_ATTEMPTS = 3;

/**
 * The provider's intent of a payment: retrieved, or created under the payment's idempotency key. One request at a time
 * creates it, and the others wait for its result, because not every provider honours the key. Returns null when the
 * payment was closed in the meantime. The caller records a new intent with `recordIntent`.
 */
async function retrieveOrCreateIntent(payment: LivePayment): Promise<IntentView | null> {
  const deadline = Date.now() + CREATION_WAIT_MS;
  let current: Pick<LivePayment, "intentId"> | undefined = payment;
  for (let attempt = 1; current; current = await readLivePayment(payment.id)) {
    if (current.intentId) return paymentProvider().retrieveIntent(current.intentId);
    if (await claimCreation(payments, payment.id, sql`intent_id is null and state <> 'canceled'`)) {
      try {
        return await createIntent(payment);
      } catch (error) {
        await releaseCreation(payments, payment.id);
        if (!isProviderError(error, "unavailable") || attempt >= CREATE_ATTEMPTS) throw error;
        attempt += 1;
      }
    } else if (Date.now() > deadline)
      throw new ProviderError("unavailable", "create_intent", "another request is still creating the intent");
    await sleep(CREATION_POLL_MS);
  }
  return null;
}

const createIntent = (payment: LivePayment): Promise<IntentView> =>
  paymentProvider().createIntent({
    orderId: payment.orderId,
    paymentId: payment.id,
    amountCents: payment.amountCents,
    currency: CURRENCY,
    description: `Order ${payment.orderId}`,
    email: payment.receiptEmail,
    idempotencyKey: payment.id,
  });

async function readLivePayment(paymentId: string): Promise<Pick<LivePayment, "intentId"> | undefined> {
  const [payment] = await db
    .select({ intentId: payments.intentId })
    .from(payments)
    .where(and(eq(payments.id, paymentId), ne(payments.state, "canceled")));
  return payment;
}

/** A request to the provider ends before this, so an older claim belongs to a killed process. */
const CLAIM_SECONDS = 10;
/** A refund is searched in the provider's list before it is sent. Also how long an unanswered call may take effect late. */
export const REFUND_CLAIM_SECONDS = 40;
/** How long a request waits for the result of another one, and how often it looks. */
export const CREATION_WAIT_MS = 12_000;
export const CREATION_POLL_MS = 100;

/**
 * Claims the right to ask the provider for the object of a payment or refund, if `condition` holds. False while another
 * process asks for it. The claim ends when the result is recorded, with `releaseCreation`, or after `seconds`.
 */
export async function claimCreation(
  table: typeof payments | typeof refunds,
  id: string,
  condition: SQL,
  seconds = CLAIM_SECONDS,
): Promise<boolean> {
  const claimed = await db.execute<{ id: string }>(sql`
    update ${table} set requested_at = shop_now() where id = ${id} and ${condition}
      and (requested_at is null or requested_at < shop_now() - make_interval(secs => ${seconds})) returning id`);
  return claimed.length === 1;
}

export async function releaseCreation(table: typeof payments | typeof refunds, id: string): Promise<void> {
  await db.execute(sql`update ${table} set requested_at = null where id = ${id}`);
}

/**
 * Stores the intent's id unless another one is stored. Returns the stored id, or null when the payment was closed in
 * the meantime.
 */
async function recordIntent(paymentId: string, intent: IntentView): Promise<string | null> {
  const [recorded] = await db.execute<{ intent_id: string }>(sql`
    update payments set intent_id = coalesce(intent_id, ${intent.id}), requested_at = null, updated_at = shop_now(),
      state = case when state = 'creating' and coalesce(intent_id, ${intent.id}) = ${intent.id} then ${intent.state} else state end
    where id = ${paymentId} and state <> 'canceled' returning intent_id`);
  return recorded?.intent_id ?? null;
}

async function recordCanceled(paymentId: string): Promise<void> {
  await db
    .update(payments)
    .set({ state: "canceled", updatedAt: shopNow })
    .where(and(eq(payments.id, paymentId), ne(payments.state, "succeeded")));
}

export type PaymentsClosed = "closed" | "may_still_succeed";

/**
 * Cancels every live intent of an order at the provider. Returns `may_still_succeed` when the provider refuses (paid
 * or processing): stock must stay held.
 * @throws ShopError provider_unavailable when the provider does not answer
 */
export async function closePayments(orderId: string): Promise<PaymentsClosed> {
  const livePayments: LivePayment[] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), ne(payments.state, "canceled")));
  for (const payment of livePayments) {
    const isClosed = await callProvider(() => closeIntent(payment));
    if (!isClosed) return "may_still_succeed";
    await recordCanceled(payment.id);
  }
  return "closed";
}

async function closeIntent(payment: LivePayment): Promise<boolean> {
  const intent = await retrieveOrCreateIntent(payment).catch((error: unknown) => {
    // The provider refused to create the intent (an amount below the minimum), so there is nothing to close.
    if (isProviderError(error, "refused") && !payment.intentId) return null;
    throw error;
  });
  if (!intent) return true;
  const recordedId = await recordIntent(payment.id, intent);
  try {
    await paymentProvider().cancelIntent(intent.id);
    if (recordedId && recordedId !== intent.id) await paymentProvider().cancelIntent(recordedId);
    return true;
  } catch (error) {
    if (isProviderError(error, "refused")) return false;
    throw error;
  }
}

/**
 * Stores a verified webhook event by its id and queues its job, in one statement; does nothing for a known event. An
 * event without a job of its own is marked as processed at once. Only the object's reference is stored, because the
 * payload holds client secrets and addresses and the job reads the object from the provider.
 */
export async function storeWebhookEvent(
  event: WebhookEvent,
  job?: QueuedJob,
  state: "open" | "processed" = job ? "open" : "processed",
): Promise<void> {
  const reference = { id: event.objectId, object: event.objectType, payment_intent: event.intentId };
  const sql = client();
  await sql`
    with stored as (
      insert into webhook_events (id, type, object_id, livemode, payload, processed_at)
      values (${event.id}, ${event.type}, ${event.objectId}, ${event.livemode}, ${JSON.stringify(reference)}::jsonb,
        case when ${state === "processed"}::boolean then shop_now() end)
      on conflict (id) do nothing returning id)
    select stored.id ${job ? sql`, ${enqueueSql(db, ...job)} as job` : sql``} from stored`;
}

export async function markWebhookProcessed(tx: Db, eventId: string | undefined): Promise<void> {
  if (eventId === undefined) return;
  await tx
    .update(webhookEvents)
    .set({ processedAt: shopNow })
    .where(and(eq(webhookEvents.id, eventId), isNull(webhookEvents.processedAt)));
}

/** Deletes webhook events older than WEBHOOK_EVENT_DAYS; a repeated event of that age fails the signature's age check. */
export async function deleteOldWebhookEvents(): Promise<void> {
  const isOld = lt(webhookEvents.receivedAt, sql`shop_now() - make_interval(days => ${WEBHOOK_EVENT_DAYS})`);
  await deleteInBatches(webhookEvents, isOld, sql`created_at`);
}

type Posting = Pick<typeof ledgerEntries.$inferInsert, "transferId" | "orderId" | "amountCents"> & {
  debit: LedgerAccount;
  credit: LedgerAccount;
};

/** Posts a transfer to the ledger once; repeating it changes nothing. */
export async function postLedger(tx: Tx, { transferId, orderId, debit, credit, amountCents }: Posting) {
  await tx
    .insert(ledgerEntries)
    .values([
      { transferId, orderId, account: debit, amountCents },
      { transferId, orderId, account: credit, amountCents: -amountCents },
    ])
    .onConflictDoNothing({ target: [ledgerEntries.transferId, ledgerEntries.account] });
}

/**
 * Corrects the ledger so that the transfers of one payment, refund or dispute sum to `amountCents`: posts the
 * difference, as `transferId` or, when that exists, as the next of `transferId:2`, `transferId:3` … The order must be
 * locked. Returns the difference in cents.
 */
export async function correctLedger(tx: Tx, posting: Posting): Promise<number> {
  const { transferId, orderId, debit, credit, amountCents } = posting;
  const [booked] = await tx.execute<{ cents: number; transfers: number }>(sql`
    select coalesce(sum(amount_cents), 0)::int as cents, count(*)::int as transfers from ledger_entries
    where order_id = ${orderId} and account = ${debit} and (transfer_id = ${transferId} or starts_with(transfer_id, ${`${transferId}:`}))`);
  const difference = amountCents - booked!.cents;
  if (difference === 0) return 0;
  const accounts = difference > 0 ? { debit, credit } : { debit: credit, credit: debit };
  const nextId = booked!.transfers === 0 ? transferId : `${transferId}:${booked!.transfers + 1}`;
  await postLedger(tx, { ...accounts, transferId: nextId, orderId, amountCents: Math.abs(difference) });
  return difference;
}
