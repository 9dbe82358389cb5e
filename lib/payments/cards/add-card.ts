import type { AddCardInput, CardView, SetupOpened } from "@/lib/payments/cards/contract";
import type { UserViewer } from "@/lib/platform/auth/session";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import { paymentProvider, publishableKey } from "@/lib/platform/stripe/provider";
import type { SetupView } from "@/lib/platform/stripe/views";
import { callProviderOrNull } from "./call-provider";
import { ensureCustomer, findCustomer } from "./ensure-customer";
import { findCard, isProviderId, toCardView } from "./list-cards";

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
