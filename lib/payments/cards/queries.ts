import { setTimeout as wait } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { paymentCustomers } from "@/db/schema/payments";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { StoredCardView } from "@/lib/platform/stripe/views";
import type { CardList, CardView } from "./contract";
import { CARDS_TIMEOUT_MS } from "./rules";

/** The provider's customer of a user; null when there is none. */
export async function findCustomer(userId: string): Promise<string | null> {
  const [row] = await db
    .select({ customerId: paymentCustomers.customerId })
    .from(paymentCustomers)
    .where(eq(paymentCustomers.userId, userId));
  return row?.customerId ?? null;
}

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
 * Calls the provider and translates its failures.
 * @throws ShopError provider_unavailable
 */
export async function callProvider<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isProviderError(error)) throw new ShopError("provider_unavailable", { cause: error });
    throw error;
  }
}

/** The same; null for an unknown object, for example a customer who was deleted in the provider's dashboard. */
export const callProviderOrNull = <T>(call: () => Promise<T>): Promise<T | null> =>
  callProvider(() =>
    call().catch((error: unknown) => {
      if (isProviderError(error, "unknown_object")) return null;
      throw error;
    }),
  );
