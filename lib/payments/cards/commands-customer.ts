import { and, eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { paymentCustomers } from "@/db/schema/payments";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { IntentView } from "@/lib/platform/stripe/views";
import { callProvider, findCustomer } from "./queries";

/**
 * The provider's customer of a user, created at first use. Parallel requests use the same idempotency key and get the
 * same customer. A customer that is `gone` is replaced under a new key. A deleted account gets none.
 */
export async function ensureCustomer(userId: string, gone: string | null): Promise<string> {
  const known = await findCustomer(userId);
  if (known && known !== gone) return known;
  const idempotencyKey = gone ? `customer-${userId}-${gone}` : `customer-${userId}`;
  const made = await callProvider(() => paymentProvider().createCustomer({ userId, idempotencyKey }));
  if (gone) await deleteCustomerRow(userId, gone);
  await db.execute(sql`
    insert into payment_customers (user_id, customer_id)
    select id, ${made.id} from users where id = ${userId} and deleted_at is null for share
    on conflict (user_id) do nothing`);
  const kept = await findCustomer(userId);
  if (kept !== made.id) await callProvider(() => paymentProvider().deleteCustomer(made.id));
  if (!kept) throw new ShopError("session_ended");
  return kept;
}

export async function deleteCustomerRow(userId: string, customerId: string): Promise<void> {
  const row = and(eq(paymentCustomers.userId, userId), eq(paymentCustomers.customerId, customerId));
  await db.delete(paymentCustomers).where(row);
}

/**
 * Attaches the customer to an intent, so that a saved card can pay it, and sets whether the card is saved. A user
 * without saved cards gets a customer only to save one. This is not part of the intent's creation, because a retry
 * must send the same parameters. Only a request to save the card fails loudly.
 * @throws ShopError provider_unavailable, session_ended when the card is to be saved
 */
export async function attachCustomer(
  { userId }: UserViewer,
  intent: IntentView,
  keepsCard: boolean,
): Promise<void> {
  if (!intent.state.startsWith("requires_")) return;
  const customerId = keepsCard ? await ensureCustomer(userId, null) : await findCustomer(userId);
  if (!customerId || (intent.customerId === customerId && intent.keepsCard === keepsCard)) return;
  const attach = (id: string) => paymentProvider().updateIntent(intent.id, { customerId: id, keepsCard });
  try {
    await attach(customerId).catch(async (error: unknown) => {
      // The customer was deleted in the provider's dashboard.
      if (!keepsCard || !isProviderError(error, "unknown_object")) throw error;
      return attach(await ensureCustomer(userId, customerId));
    });
  } catch (error) {
    if (!isProviderError(error)) throw error;
    if (keepsCard) throw new ShopError("provider_unavailable", { cause: error });
    log.warn(
      { err: error, intent: intent.id },
      "an intent goes without its customer: stored cards cannot pay it",
    );
  }
}
