import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, ne, sql } from "drizzle-orm";
import { db, shopNow } from "@/db/client";
import { payments } from "@/db/schema/payments";
import { isProviderError, ProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { IntentView } from "@/lib/platform/stripe/views";
import { CREATION_POLL_MS, CREATION_WAIT_MS, claimCreation, releaseCreation } from "./claim-creation";
import { CURRENCY } from "./rules";

export type LivePayment = Pick<
  typeof payments.$inferSelect,
  "id" | "orderId" | "intentId" | "amountCents" | "receiptEmail"
>;

/** The limit of a value in the provider's metadata; an order of more lines names the first ones. */
const MAX_ITEMS_LENGTH = 500;

/** How often a new intent is requested when the provider does not respond. */
const CREATE_ATTEMPTS = 3;

/**
 * The provider's intent of a payment: retrieved, or created under the payment's idempotency key. One request at a time
 * creates it, and the others wait for its result, because not every provider honours the key. Returns null when the
 * payment was closed in the meantime. The caller records a new intent with `recordIntent`. `claimed`: by this caller.
 */
export async function retrieveOrCreateIntent(
  payment: LivePayment,
  claimed = false,
): Promise<IntentView | null> {
  let isClaimed = claimed;
  const deadline = Date.now() + CREATION_WAIT_MS;
  let current: Pick<LivePayment, "intentId"> | undefined = payment;
  for (let attempt = 1; current; current = await readLivePayment(payment.id)) {
    if (current.intentId) return paymentProvider().retrieveIntent(current.intentId);
    if (
      isClaimed ||
      (await claimCreation(payments, payment.id, sql`intent_id is null and state <> 'canceled'`))
    ) {
      isClaimed = false;
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

/** The lines of an order as `plan×quantity`, for the metadata of its payment. They never change. */
async function readItems(orderId: string): Promise<string> {
  const [row] = await db.execute<{ items: string }>(sql`
    select coalesce(string_agg(plan_id || 'x' || quantity, ',' order by plan_id, id), '') as items
    from order_lines where order_id = ${orderId}`);
  const { items } = row!;
  return items.length <= MAX_ITEMS_LENGTH ? items : items.slice(0, items.lastIndexOf(",", MAX_ITEMS_LENGTH));
}

const createIntent = async (payment: LivePayment): Promise<IntentView> =>
  paymentProvider().createIntent({
    orderId: payment.orderId,
    paymentId: payment.id,
    items: await readItems(payment.orderId),
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

/**
 * Stores the intent's id unless another one is stored. Returns the stored id, or null when the payment was closed in
 * the meantime.
 */
export async function recordIntent(paymentId: string, intent: IntentView): Promise<string | null> {
  const [recorded] = await db.execute<{ intent_id: string }>(sql`
    update payments set intent_id = coalesce(intent_id, ${intent.id}), requested_at = null, updated_at = shop_now(),
      state = case when state = 'creating' and coalesce(intent_id, ${intent.id}) = ${intent.id} then ${intent.state} else state end
    where id = ${paymentId} and state <> 'canceled' returning intent_id`);
  return recorded?.intent_id ?? null;
}

export async function recordCanceled(paymentId: string): Promise<void> {
  await db
    .update(payments)
    .set({ state: "canceled", updatedAt: shopNow })
    .where(and(eq(payments.id, paymentId), ne(payments.state, "succeeded")));
}
