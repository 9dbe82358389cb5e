import { setTimeout as wait } from "node:timers/promises";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { StoredCardView } from "@/lib/platform/stripe/views";
import { callProviderOrNull } from "./call-provider";
import type { CardList, CardView } from "./contract";
import { findCustomer } from "./ensure-customer";
import { CARDS_TIMEOUT_MS } from "./rules";

/**
 * The viewer's saved cards, newest first (payment/cards, docs/product.md#75-orders-and-payment). They are stored at
 * the provider only.
 * @throws ShopError provider_unavailable
 */
export async function listCards({ userId }: UserViewer): Promise<CardList> {
  const customerId = await findCustomer(userId);
  if (!customerId) return { cards: [] };
  const cards = await callProviderOrNull(() => paymentProvider().listCards(customerId));
  return { cards: cards?.map(toCardView) ?? [] };
}

/** The cards for a page; null when the provider fails or takes longer than CARDS_TIMEOUT_MS. */
export async function listCardsWithTimeout(viewer: UserViewer): Promise<CardView[] | null> {
  const cards = listCards(viewer).then(
    (list) => list.cards,
    (error: unknown) => {
      log.warn({ err: error }, "listing cards failed; the page shows none");
      return null;
    },
  );
  return Promise.race([cards, wait(CARDS_TIMEOUT_MS, null, { ref: false })]);
}

export function toCardView(card: StoredCardView): CardView {
  return {
    payment_id: card.id,
    brand: card.brand,
    last4: card.last4,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    created_at: card.createdAt.toISOString(),
  };
}

/**
 * A saved card of this customer.
 * @throws ShopError payment_method_unknown, also for another customer's
 */
export async function findCard(customerId: string, methodId: string): Promise<StoredCardView> {
  const card = isProviderId(methodId)
    ? await callProviderOrNull(() => paymentProvider().retrieveCard(customerId, methodId))
    : null;
  if (!card) throw new ShopError("payment_method_unknown");
  return card;
}

/** Whether the id is safe as a path segment of the provider's API. */
export const isProviderId = (id: string) => /^[a-z]+_\w+$/i.test(id);
