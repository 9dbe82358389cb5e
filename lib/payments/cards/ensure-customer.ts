import { and, eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { paymentCustomers } from "@/db/schema/payments";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { IntentView } from "@/lib/platform/stripe/views";
import { callProvider } from "./call-provider";

/**
 * Deletes a user's cards and the customer at the provider, after the account was deleted. Safe to repeat.
 * @throws ShopError provider_unavailable; the customer then stays stored here, so that a retry deletes it
 */
export async function deleteCustomer(userId: string): Promise<void> {
  const customerId = await findCustomer(userId);
  if (!customerId) return;
  await callProvider(() => paymentProvider().deleteCustomer(customerId));
  await deleteCustomerRow(userId, customerId);
}

/**
 * The provider's customer of a user, created at first use. Parallel requests use the same idempotency key and get the
 * same customer. A customer deleted at the provider (`deletedCustomerId`) is replaced under a new key. A deleted account
 * gets none.
 */
export async function ensureCustomer(userId: string, deletedCustomerId: string | null): Promise<string> {
  const existing = await findCustomer(userId);
  if (existing && existing !== deletedCustomerId) return existing;
  const idempotencyKey = deletedCustomerId ? `customer-${userId}-${deletedCustomerId}` : `customer-${userId}`;
  const created = await callProvider(() => paymentProvider().createCustomer({ userId, idempotencyKey }));
  if (deletedCustomerId) await deleteCustomerRow(userId, deletedCustomerId);
  await db.execute(sql`
    insert into payment_customers (user_id, customer_id)
    select id, ${created.id} from users where id = ${userId} and deleted_at is null for share
    on conflict (user_id) do nothing`);
  const stored = await findCustomer(userId);
  if (stored !== created.id) await callProvider(() => paymentProvider().deleteCustomer(created.id));
  if (!stored) throw new ShopError("session_ended");
  return stored;
}

async function deleteCustomerRow(userId: string, customerId: string): Promise<void> {
  await db
    .delete(paymentCustomers)
    .where(and(eq(paymentCustomers.userId, userId), eq(paymentCustomers.customerId, customerId)));
}

/**
 * Attaches the customer to an intent, so that a saved card can pay it, and sets whether the card is saved. A user
 * without saved cards gets a customer only to save one. This is not part of the intent's creation, because a retry
 * must send the same parameters. A failure is an error only when the card is to be saved; otherwise it is logged.
 * @throws ShopError provider_unavailable, session_ended when the card is to be saved
 */
export async function attachCustomer({ userId }: UserViewer, intent: IntentView, saveCard: boolean) {
  if (!intent.state.startsWith("requires_")) return;
  const customerId = saveCard ? await ensureCustomer(userId, null) : await findCustomer(userId);
  if (!customerId || (intent.customerId === customerId && intent.keepsCard === saveCard)) return;
  const attach = (id: string) =>
    paymentProvider().updateIntent(intent.id, { customerId: id, keepsCard: saveCard });
  try {
    await attach(customerId).catch(async (error: unknown) => {
      // The customer was deleted in the provider's dashboard.
      if (!saveCard || !isProviderError(error, "unknown_object")) throw error;
      return attach(await ensureCustomer(userId, customerId));
    });
  } catch (error) {
    if (!isProviderError(error)) throw error;
    if (saveCard) throw new ShopError("provider_unavailable", { cause: error });
    const effect = "attaching the customer failed; stored cards cannot pay this intent";
    log.warn({ err: error, intent: intent.id }, effect);
  }
}

/** The provider's customer of a user; null when there is none. */
export async function findCustomer(userId: string): Promise<string | null> {
  const [row] = await db
    .select({ customerId: paymentCustomers.customerId })
    .from(paymentCustomers)
    .where(eq(paymentCustomers.userId, userId));
  return row?.customerId ?? null;
}
