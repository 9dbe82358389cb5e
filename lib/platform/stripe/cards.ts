import type Stripe from "stripe";
import { ask } from "./answers";
import { ProviderError } from "./errors";
import { CustomerView, DeletedCustomerView, SetupView, StoredCardsView, StoredCardView } from "./views";

/** What the shop asks about kept cards (payment/cards, docs/product.md#75-orders-and-payment). Never call it inside a transaction. */
export type CardProvider = {
  /** The same key gives the same customer again. */
  createCustomer(wish: { userId: string; idempotencyKey: string }): Promise<CustomerView>;
  /** Forgets a customer with all cards; one that is gone already counts as forgotten. */
  deleteCustomer(customerId: string): Promise<void>;
  /** Opens a try to keep a card. Throws ProviderError `unknown_object` when the customer is gone. */
  createSetupIntent(customerId: string): Promise<SetupView>;
  retrieveSetupIntent(id: string): Promise<SetupView>;
  /** The newest first, at most 100. Throws ProviderError `unknown_object` when the customer is gone. */
  listCards(customerId: string): Promise<StoredCardView[]>;
  /** Throws ProviderError `unknown_object` also when the card is another customer's. */
  retrieveCard(customerId: string, methodId: string): Promise<StoredCardView>;
  /** Throws ProviderError `refused` or `unknown_object` when nobody keeps the card any more. */
  detachCard(methodId: string): Promise<StoredCardView>;
};

const MOST = 100;

export function cardsOver(stripe: Stripe): CardProvider {
  return {
    createCustomer: ({ userId, idempotencyKey }) =>
      ask(
        "create_customer",
        CustomerView,
        () => stripe.customers.create({ metadata: { user_id: userId } }, { idempotencyKey }),
        {},
      ),
    deleteCustomer: (id) => deleteCustomer(stripe, id),
    createSetupIntent: (customerId) =>
      ask(
        "create_setup",
        SetupView,
        () =>
          stripe.setupIntents.create({
            customer: customerId,
            allowed_payment_method_types: ["card"],
            usage: "off_session",
          }),
        { customerId },
      ),
    retrieveSetupIntent: (id) =>
      ask("retrieve_setup", SetupView, () => stripe.setupIntents.retrieve(id), { id }),
    listCards: (customerId) => listCards(stripe, customerId),
    retrieveCard: (customerId, id) =>
      ask("retrieve_card", StoredCardView, () => stripe.customers.retrievePaymentMethod(customerId, id), {
        id,
        customerId,
      }),
    detachCard: (id) =>
      ask("detach_card", StoredCardView, () => stripe.paymentMethods.detach(id), { id, customerId: null }),
  };
}

async function deleteCustomer(stripe: Stripe, id: string): Promise<void> {
  try {
    await ask("delete_customer", DeletedCustomerView, () => stripe.customers.del(id), { id });
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "unknown_object") throw error;
  }
}

async function listCards(stripe: Stripe, customerId: string): Promise<StoredCardView[]> {
  const list = () => stripe.customers.listPaymentMethods(customerId, { type: "card", limit: MOST });
  const { cards } = await ask("list_cards", StoredCardsView, list, {});
  const foreign = cards.some((card) => card.customerId !== customerId);
  if (foreign) throw new ProviderError("invalid_answer", "list_cards", "a card of another customer");
  return cards;
}
