import { and, eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { paymentCustomers } from "@/db/schema/payments";
import type {
  AddCardInput,
  CardView,
  ConfirmSandboxSetupInput,
  DeleteCardInput,
  SandboxSetupConfirmed,
  SetupOpened,
} from "@/lib/payments/cards/contract";
import { callProvider, findCustomer, toCardView } from "@/lib/payments/cards/queries";
import type { UserViewer } from "@/lib/platform/auth/session";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider, publishableKey } from "@/lib/platform/stripe/provider";
import { confirmSandboxSetup, findSetupCustomer } from "@/lib/platform/stripe/sandbox/cards";
import type { IntentView, SetupView, StoredCardView } from "@/lib/platform/stripe/views";

/**
 * Without an id opens a setup intent for the browser; with the id of a setup or card returns the card, once the
 * provider confirms that it is saved for the viewer (payment/add, docs/product.md#75-orders-and-payment).
 * @throws ShopError payment_method_unknown, provider_unavailable, session_ended
 */
export function addCard(viewer: UserViewer, input: AddCardInput): Promise<SetupOpened | CardView> {
  const { payment_method_id: methodId, setup_id: setupId } = input;
  return methodId || setupId ? keptCard(viewer, { methodId, setupId }) : openSetup(viewer);
}

async function openSetup({ userId }: UserViewer): Promise<SetupOpened> {
  const customerId = await ensureCustomer(userId, null);
  const setup = (await setupFor(customerId)) ?? (await setupFor(await ensureCustomer(userId, customerId)));
  if (!setup) throw new ShopError("provider_unavailable");
  return {
    client_secret: setup.clientSecret,
    publishableKey: publishableKey(),
    payment_mode: env().PAYMENT_MODE,
    setup_id: setup.id,
  };
}

/** null: the customer was deleted in the provider's dashboard. */
const setupFor = (customerId: string): Promise<SetupView | null> =>
  callProvider(() => orNull(paymentProvider().createSetupIntent(customerId)));

const orNull = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (isProviderError(error, "unknown_object")) return null;
    throw error;
  });

type Asked = { methodId: string | undefined; setupId: string | undefined };

async function keptCard({ userId }: UserViewer, { methodId, setupId }: Asked): Promise<CardView> {
  const customerId = await findCustomer(userId);
  const found = customerId && (setupId ? await methodOf(customerId, setupId) : methodId);
  if (!customerId || !found || (methodId && methodId !== found))
    throw new ShopError("payment_method_unknown");
  return toCardView(await cardOf(customerId, found));
}

/** The card that a setup of this customer saved; null when it saved none or belongs to another. */
async function methodOf(customerId: string, setupId: string): Promise<string | null> {
  if (!isProviderId(setupId)) return null;
  const setup = await callProvider(() => orNull(paymentProvider().retrieveSetupIntent(setupId)));
  return setup?.customerId === customerId && setup.state === "succeeded" ? setup.methodId : null;
}

/**
 * A saved card of this customer.
 * @throws ShopError payment_method_unknown, also for another customer's
 */
async function cardOf(customerId: string, methodId: string): Promise<StoredCardView> {
  const card = isProviderId(methodId)
    ? await callProvider(() => orNull(paymentProvider().retrieveCard(customerId, methodId)))
    : null;
  if (!card) throw new ShopError("payment_method_unknown");
  return card;
}

/** Whether the id is safe as a path segment of the provider's API. */
const isProviderId = (id: string) => /^[a-z]+_\w+$/i.test(id);

/**
 * Deletes a saved card at the provider (auth/payment/delete, docs/product.md#75-orders-and-payment).
 * @throws ShopError payment_method_unknown (another's too), provider_unavailable
 */
export async function deleteCard(
  { userId }: UserViewer,
  { payment_id: methodId }: DeleteCardInput,
): Promise<{ payment_id: string }> {
  const customerId = await findCustomer(userId);
  if (!customerId) throw new ShopError("payment_method_unknown");
  await cardOf(customerId, methodId);
  await callProvider(() =>
    paymentProvider()
      .detachCard(methodId)
      .catch((error: unknown) => {
        // Deleted by a parallel request.
        if (isProviderError(error, "refused") || isProviderError(error, "unknown_object"))
          throw new ShopError("payment_method_unknown", { cause: error });
        throw error;
      }),
  );
  return { payment_id: methodId };
}

/**
 * Deletes a user's cards and the customer at the provider, after the account was deleted. Safe to repeat.
 * @throws ShopError provider_unavailable; the customer then stays known here and is tried again
 */
export async function deleteCustomer(userId: string): Promise<void> {
  const customerId = await findCustomer(userId);
  if (!customerId) return;
  await callProvider(() => paymentProvider().deleteCustomer(customerId));
  await deleteCustomerRow(userId, customerId);
}

/**
 * Saves a sandbox card in place of Stripe's script. Only the setup's own customer may.
 * @throws ShopError call_unknown outside the sandbox, payment_method_unknown
 */
export async function confirmSandboxCard(
  { userId }: UserViewer,
  { client_secret, card }: ConfirmSandboxSetupInput,
): Promise<SandboxSetupConfirmed> {
  if (env().PAYMENT_MODE !== "sandbox") throw new ShopError("call_unknown");
  const [customerId, own] = await Promise.all([findSetupCustomer(client_secret), findCustomer(userId)]);
  if (!customerId || customerId !== own) throw new ShopError("payment_method_unknown");
  const setup = await confirmSandboxSetup(client_secret, card);
  if (!setup) throw new ShopError("payment_method_unknown");
  return { status: setup.status, problem: setup.lastError?.code ?? null };
}

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
