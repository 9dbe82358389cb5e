import type Stripe from "stripe";
import { callStripe } from "./call";
import { ProviderError } from "./errors";
import { CustomerView, DeletedCustomerView, SetupView, StoredCardsView, StoredCardView } from "./views";

/** The calls about saved cards. Never make them inside a transaction. */
export type CardCalls = {
  /** The same key returns the same customer again. */
  createCustomer(input: { userId: string; idempotencyKey: string }): Promise<CustomerView>;
  /** Deletes a customer with all cards. Succeeds if the customer is deleted already. */
  deleteCustomer(customerId: string): Promise<void>;
  /** Throws ProviderError `unknown_object` if the customer is deleted. */
  createSetupIntent(customerId: string): Promise<SetupView>;
  retrieveSetupIntent(id: string): Promise<SetupView>;
  /** The newest first, at most 100. Throws ProviderError `unknown_object` if the customer is deleted. */
  listCards(customerId: string): Promise<StoredCardView[]>;
  /** Throws ProviderError `unknown_object` if the card is unknown or another customer's. */
  retrieveCard(customerId: string, methodId: string): Promise<StoredCardView>;
  /** Throws ProviderError `refused` or `unknown_object` if no customer has the card. */
  detachCard(methodId: string): Promise<StoredCardView>;
};

const MAX_CARDS = 100;

export function cardCalls(stripe: Stripe): CardCalls {
  return {
    createCustomer: ({ userId, idempotencyKey }) =>
      callStripe(
        "create_customer",
        CustomerView,
        () => stripe.customers.create({ metadata: { user_id: userId } }, { idempotencyKey }),
        {},
      ),
    deleteCustomer: (id) => deleteCustomer(stripe, id),
    createSetupIntent: (customerId) =>
      callStripe(
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
      callStripe("retrieve_setup", SetupView, () => stripe.setupIntents.retrieve(id), { id }),
    listCards: (customerId) => listCards(stripe, customerId),
    retrieveCard: (customerId, id) =>
      callStripe(
        "retrieve_card",
        StoredCardView,
        () => stripe.customers.retrievePaymentMethod(customerId, id),
        {
          id,
          customerId,
        },
      ),
    detachCard: (id) =>
      callStripe("detach_card", StoredCardView, () => stripe.paymentMethods.detach(id), {
        id,
        customerId: null,
      }),
  };
}

async function deleteCustomer(stripe: Stripe, id: string): Promise<void> {
  try {
    await callStripe("delete_customer", DeletedCustomerView, () => stripe.customers.del(id), { id });
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "unknown_object") throw error;
  }
}

async function listCards(stripe: Stripe, customerId: string): Promise<StoredCardView[]> {
  const list = () => stripe.customers.listPaymentMethods(customerId, { type: "card", limit: MAX_CARDS });
  const { cards } = await callStripe("list_cards", StoredCardsView, list, {});
  const isForeign = cards.some((card) => card.customerId !== customerId);
  if (isForeign) throw new ProviderError("invalid_answer", "list_cards", "a card of another customer");
  return cards;
}
