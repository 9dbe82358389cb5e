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
import { callProvider, callProviderOrNull, findCustomer, toCardView } from "@/lib/payments/cards/queries";
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
  return methodId || setupId ? findAddedCard(viewer, { methodId, setupId }) : openSetup(viewer);
}

async function openSetup({ userId }: UserViewer): Promise<SetupOpened> {
  const customerId = await ensureCustomer(userId, null);
  const setup =
    (await createSetup(customerId)) ?? (await createSetup(await ensureCustomer(userId, customerId)));
  if (!setup) throw new ShopError("provider_unavailable");
  return {
    client_secret: setup.clientSecret,
    publishableKey: publishableKey(),
    payment_mode: env().PAYMENT_MODE,
    setup_id: setup.id,
  };
}

const createSetup = (customerId: string): Promise<SetupView | null> =>
  callProviderOrNull(() => paymentProvider().createSetupIntent(customerId));

type AddedCardIds = { methodId: string | undefined; setupId: string | undefined };

async function findAddedCard({ userId }: UserViewer, { methodId, setupId }: AddedCardIds): Promise<CardView> {
  const customerId = await findCustomer(userId);
  if (!customerId) throw new ShopError("payment_method_unknown");
  const savedMethodId = setupId ? await findSetupMethod(customerId, setupId) : methodId;
  if (!savedMethodId || (methodId && methodId !== savedMethodId))
    throw new ShopError("payment_method_unknown");
  return toCardView(await findCard(customerId, savedMethodId));
}

/** The card that a setup of this customer saved; null when it saved none or belongs to another. */
async function findSetupMethod(customerId: string, setupId: string): Promise<string | null> {
  if (!isProviderId(setupId)) return null;
  const setup = await callProviderOrNull(() => paymentProvider().retrieveSetupIntent(setupId));
  return setup?.customerId === customerId && setup.state === "succeeded" ? setup.methodId : null;
}

/**
 * A saved card of this customer.
 * @throws ShopError payment_method_unknown, also for another customer's
 */
async function findCard(customerId: string, methodId: string): Promise<StoredCardView> {
  const card = isProviderId(methodId)
    ? await callProviderOrNull(() => paymentProvider().retrieveCard(customerId, methodId))
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
export async function deleteCard({ userId }: UserViewer, { payment_id: methodId }: DeleteCardInput) {
  const customerId = await findCustomer(userId);
  if (!customerId) throw new ShopError("payment_method_unknown");
  await findCard(customerId, methodId);
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
 * @throws ShopError provider_unavailable; the customer then stays stored here, so that a retry deletes it
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
  const [setupCustomerId, customerId] = await Promise.all([
    findSetupCustomer(client_secret),
    findCustomer(userId),
  ]);
  if (!setupCustomerId || setupCustomerId !== customerId) throw new ShopError("payment_method_unknown");
  const setup = await confirmSandboxSetup(client_secret, card);
  if (!setup) throw new ShopError("payment_method_unknown");
  return { status: setup.status, problem: setup.lastError?.code ?? null };
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
