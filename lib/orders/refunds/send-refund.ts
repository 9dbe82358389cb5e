import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { refunds } from "@/db/schema/payments";
import { SendRefund } from "@/lib/orders/contract-jobs";
import type { DisputeState } from "@/lib/orders/disputes/find-dispute-state";
import { queueOrderMail } from "@/lib/orders/emails/queue-order-mail";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/lock-order";
import { issueTaxDocuments } from "@/lib/orders/tax/issue-tax-documents";
import {
  CREATION_POLL_MS,
  CREATION_WAIT_MS,
  claimCreation,
  REFUND_CLAIM_SECONDS,
  releaseCreation,
} from "@/lib/payments/claim-creation";
import { PROVIDER_REFUND, type RefundState } from "@/lib/payments/rules";
import { audit } from "@/lib/platform/audit";
import { enqueue } from "@/lib/platform/jobs/queue";
import { log } from "@/lib/platform/log";
import { isProviderError, ProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { RefundView } from "@/lib/platform/stripe/views";
import { addPart, bookRefund, coverRefunds } from "./book-refund";
import { recordProviderRefund } from "./record-provider-refund";
import { retryFailedRefund, SAME_REFUND_SQL } from "./retry-failed-refund";

type RefundRow = {
  id: string;
  order_id: string;
  amount_cents: number;
  state: RefundState;
  intent_id: string | null;
  provider_id: string | null;
  /** before the next attempt of a failed refund, or while a call without an answer may still take effect */
  too_early: boolean;
  dispute: DisputeState | null;
  /** how often the refunded payment was disputed */
  disputes: number;
};

/** The refund at the provider; `id` is null when the provider rejected it. */
type RefundResult =
  | Pick<RefundView, "id" | "state" | "failureReason" | "amountCents">
  | { id: null; state: "failed"; failureReason: string };

/**
 * Sends a refund to the provider with its own id as idempotency key, or retrieves its state, and books the result.
 * Safe to repeat: a refund whose response was lost is found by our id in its metadata. While the refunded payment is
 * disputed nothing is sent (docs/product.md#810-disputes), and neither while a call without an answer may take effect.
 * @throws ProviderError
 * @param providerId the provider's refund id from a webhook event
 */
export async function sendRefund(refundId: string, providerId?: string): Promise<void> {
  const refund = await readRefund(refundId);
  if (!refund) return;
  const { intent_id, state, provider_id, too_early } = refund;
  const isOver = isClosed(state);
  // The provider made another refund for the same request, because it ignored the idempotency key or answered late.
  if (providerId && providerId !== provider_id && (provider_id || isOver))
    await recordProviderRefund(await paymentProvider().retrieveRefund(providerId));
  if (!intent_id || isOver) return;
  const sendable = { ...refund, intent_id };
  // What the earlier parts paid is read again before another one is sent. A correction may cancel this one.
  if (state === "pending" && !provider_id)
    for (const earlierId of await findEarlierParts(refundId)) await sendRefund(earlierId);
  const sent = await findSentRefund(sendable, providerId);
  if (sent) await storeResult(refund, sent);
  else if (!too_early && refund.dispute !== "open") await sendOnce(sendable);
}

/** The shop no longer asks the provider for it. */
const isClosed = (state: RefundState) => state === "failed" || state === "cancelled" || state === "settled";

async function storeResult(refund: RefundRow, result: RefundResult): Promise<void> {
  const retryId = await transaction((tx) => applyResult(tx, refund, result));
  if (retryId) log.warn({ refundId: refund.id, retryId }, "refund failed and is retried later");
}

async function readRefund(refundId: string): Promise<RefundRow | undefined> {
  const [refund] = await db.execute<RefundRow>(sql`
    select r.id, r.order_id, r.amount_cents, r.state, r.provider_id, coalesce(r.intent_id, o.transaction_id) as intent_id,
      r.updated_at > shop_now() as too_early,
      d.dispute, d.disputes
    from refunds r join orders o on o.id = r.order_id cross join lateral (
      select case when bool_or(d.is_open) then 'open' when bool_or(d.status = 'lost') then 'lost' end as dispute,
        count(*)::int as disputes from disputes d where d.intent_id = coalesce(r.intent_id, o.transaction_id)) d
    where r.id = ${refundId}`);
  return refund;
}

async function findEarlierParts(refundId: string): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select e.id from refunds r join refunds e on ${SAME_REFUND_SQL("e")} and e.part < r.part
      and e.provider_id is not null and e.state not in ('failed', 'settled') where r.id = ${refundId} order by e.part`);
  return rows.map((row) => row.id);
}

type SendableRefund = RefundRow & { intent_id: string };

/** The refund as the provider has it, or null if it was not sent. */
async function findSentRefund(refund: SendableRefund, eventId?: string): Promise<RefundView | null> {
  const found = await findAtProvider(refund, eventId);
  if (!found || found.state === "failed" || found.amountCents === refund.amount_cents) return found;
  // Another amount than the requested one counts only when the provider confirms it.
  const again = await paymentProvider().retrieveRefund(found.id);
  if (again.amountCents === found.amountCents && again.amountCents > 0) return again;
  throw new ProviderError("invalid_answer", "retrieve_refund", "two answers name different amounts");
}

/** By the stored id, by the id of an event, or by our id in the metadata. */
async function findAtProvider(refund: SendableRefund, eventId?: string): Promise<RefundView | null> {
  if (refund.provider_id) return paymentProvider().retrieveRefund(refund.provider_id);
  const isSame = ({ refundId, intentId }: RefundView) =>
    refundId === refund.id && intentId === refund.intent_id;
  if (eventId) {
    const named = await paymentProvider().retrieveRefund(eventId);
    if (isSame(named)) return named;
  }
  let failed: RefundView | null = null;
  for await (const existing of paymentProvider().refundsOf(refund.intent_id)) {
    if (!isSame(existing)) continue;
    if (existing.state !== "failed") return existing;
    failed ??= existing;
  }
  return failed;
}

/**
 * Sends a refund that the provider does not have and stores the result; one process at a time, because not every
 * provider honours the idempotency key. A call without a definite response may take effect later, so the claim stays.
 */
async function sendOnce(refund: SendableRefund): Promise<void> {
  const deadline = Date.now() + CREATION_WAIT_MS;
  while (!(await claimCreation(refunds, refund.id, sql`provider_id is null`, REFUND_CLAIM_SECONDS))) {
    const current = await readRefund(refund.id);
    if (current?.state !== "pending" || current.too_early) return;
    if (Date.now() > deadline) throw new Error(`refund ${refund.id} is being sent by another process`);
    await sleep(CREATION_POLL_MS);
  }
  let mayTakeEffect = false;
  try {
    const current = await readRefund(refund.id);
    if (current?.state !== "pending" || current.too_early || current.dispute === "open") return;
    const sendable = { ...current, intent_id: refund.intent_id };
    // Another process may have sent it between the search and the claim.
    const sent = await findSentRefund(sendable);
    mayTakeEffect = !sent;
    const result = sent ?? (await send(sendable));
    if (result) await storeResult(current, result);
    mayTakeEffect = false;
  } finally {
    if (mayTakeEffect) await keepClaim(refund.id);
    else await releaseCreation(refunds, refund.id);
  }
}

/**
 * Keeps the claim of a refund until a call without a response has ended at the provider, and queues the next attempt,
 * which searches the provider's list first. `updated_at` is in the future until then.
 */
async function keepClaim(refundId: string): Promise<void> {
  await transaction(async (tx) => {
    const [kept] = await tx.execute<{ run_at: string }>(sql`
      update refunds set requested_at = shop_now(), updated_at = shop_now() + make_interval(secs => ${REFUND_CLAIM_SECONDS})
      where id = ${refundId} and state = 'pending' and provider_id is null
      returning updated_at + interval '1 second' as run_at`);
    // Its own job key, because the job that made the call is still running and fails.
    const options = { jobKey: `again:${refundId}`, runAt: new Date(kept?.run_at ?? 0) };
    if (kept) await enqueue(tx, SendRefund, { refundId }, options);
  });
}

/**
 * Asks the provider for the refund. A definite refusal is a failed attempt. Returns null when the payment is disputed
 * there.
 */
async function send(refund: SendableRefund): Promise<RefundResult | null> {
  const { id, intent_id, amount_cents, dispute, disputes } = refund;
  // The provider repeats a refusal for the same key, so a refund that a dispute stopped is sent under another one.
  const idempotencyKey = disputes === 0 ? id : `${id}:${disputes}`;
  const request = { intentId: intent_id, refundId: id, amountCents: amount_cents, idempotencyKey };
  try {
    return await paymentProvider().refund(request);
  } catch (error) {
    // A key reused with other values means that a refund exists, so staff must check it.
    if (!isProviderError(error, "refused") || error.code === "idempotency_error") throw error;
    if (error.code === "charge_disputed" && dispute !== "lost") {
      // The dispute's webhook event has not arrived yet. The sweeper tries again later.
      await db.update(refunds).set({ updatedAt: shopNow }).where(eq(refunds.id, id));
      return null;
    }
    const existing = await findWhyRefused(refund);
    return existing ?? { id: null, state: "failed", failureReason: error.code ?? "refused" };
  }
}

/**
 * After a refusal: the refund itself, if the provider has made it anyway. Records the refunds that the shop did not
 * request, because they may have used up the money.
 */
async function findWhyRefused(refund: SendableRefund): Promise<RefundView | null> {
  const existing = await findSentRefund(refund);
  if (existing) return existing;
  for await (const other of paymentProvider().refundsOf(refund.intent_id)) await recordProviderRefund(other);
  return null;
}

/**
 * Stores the provider's result and books it. A final state stays, except that the bank may return a completed refund.
 * The amount that the provider refunded counts: what is missing of the requested amount is refunded by another part.
 * Returns the id of the next attempt after a failure, or null.
 */
async function applyResult(tx: Tx, { id, order_id }: RefundRow, result: RefundResult) {
  const order = await lockOrder(tx, order_id);
  const { state: stateColumn, providerId, amountCents: askedColumn, reason } = refunds;
  const [previous] = await tx
    .select({ state: stateColumn, providerId, asked: askedColumn, reason })
    .from(refunds)
    .where(eq(refunds.id, id))
    .for("update");
  if (!order || !previous || isClosed(previous.state)) return null;
  const { asked } = previous;
  const amountCents = result.id !== null && result.state !== "failed" ? result.amountCents : asked;
  if (previous.state === "succeeded" && result.state !== "failed" && amountCents === asked) return null;
  const isDone = result.state !== "failed" && [result.state, previous.state].includes("succeeded");
  const state = isDone ? "succeeded" : result.state;
  await tx
    .update(refunds)
    .set({ state, amountCents, providerId: result.id ?? previous.providerId, updatedAt: shopNow })
    .where(eq(refunds.id, id));
  if (amountCents !== asked) await reportAmount(tx, order, id, { asked, amountCents });
  await bookRefund(tx, order, id, isDone ? amountCents : 0);
  if (isDone) await queueOrderMail(tx, order, "refund", { refundId: id }, `refund:${id}`);
  if (amountCents < asked && previous.reason !== PROVIDER_REFUND) await addPart(tx, id, asked - amountCents);
  if (amountCents > asked) await reduceParts(tx, id, amountCents - asked);
  const retryId =
    result.state === "failed"
      ? await retryFailedRefund(tx, order, { id, reason: result.failureReason })
      : null;
  await issueTaxDocuments(tx, order_id);
  return retryId;
}

async function reportAmount(
  tx: Tx,
  order: LockedOrder,
  refundId: string,
  amounts: { asked: number; amountCents: number },
): Promise<void> {
  const detail = { refundId, ...amounts };
  await audit({ actor: "system", action: "refund_amount_differs", subject: order.id, detail }, tx);
  log.error({ orderId: order.id, ...detail }, "the provider refunded a different amount than requested");
}

/** Takes from the unsent parts of a refund what the provider has refunded more by `refundId`. */
async function reduceParts(tx: Tx, refundId: string, moreCents: number): Promise<void> {
  const parts = await tx.execute<{ id: string; amount_cents: number }>(sql`
    select e.id, e.amount_cents from refunds r join refunds e on ${SAME_REFUND_SQL("e")} and e.part > r.part
      and e.state = 'pending' and e.provider_id is null where r.id = ${refundId} order by e.part`);
  await coverRefunds(tx, parts, moreCents);
}
