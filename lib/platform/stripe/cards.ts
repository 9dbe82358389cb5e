import type Stripe from "stripe";
import { callStripe } from "./call";
import { isProviderError, ProviderError } from "./errors";
import { CustomerView, DeletedCustomerView, SetupView, StoredCardsView, StoredCardView } from "./views";

const MAX_CARDS = 100;

/** The calls about saved cards. Never make them inside a transaction. */
export const cardCalls = (stripe: Stripe) => ({
  /** The same key returns the same customer again. */
  createCustomer({ userId, idempotencyKey }: { userId: string; idempotencyKey: string }) {
    const create = () => stripe.customers.create({ metadata: { user_id: userId } }, { idempotencyKey });
    return callStripe("create_customer", CustomerView, create, {});
  },

  /** Deletes a customer with all cards. Succeeds if the customer is deleted already. */
  async deleteCustomer(id: string): Promise<void> {
    try {
      await callStripe("delete_customer", DeletedCustomerView, () => stripe.customers.del(id), { id });
    } catch (error) {
      if (!isProviderError(error, "unknown_object")) throw error;
    }
  },

  /** Throws ProviderError `unknown_object` if the customer is deleted. */
  createSetupIntent(customerId: string) {
    const setup = {
      customer: customerId,
      allowed_payment_method_types: ["card" as const],
      usage: "off_session" as const,
    };
    return callStripe("create_setup", SetupView, () => stripe.setupIntents.create(setup), { customerId });
  },

  retrieveSetupIntent: (id: string) =>
    callStripe("retrieve_setup", SetupView, () => stripe.setupIntents.retrieve(id), { id }),

  /** The newest first, at most 100. Throws ProviderError `unknown_object` if the customer is deleted. */
  async listCards(customerId: string): Promise<StoredCardView[]> {
    const list = () => stripe.customers.listPaymentMethods(customerId, { type: "card", limit: MAX_CARDS });
    const { cards } = await callStripe("list_cards", StoredCardsView, list, {});
    const isForeign = cards.some((card) => card.customerId !== customerId);
    if (isForeign) throw new ProviderError("invalid_answer", "list_cards", "a card of another customer");
    return cards;
  },

  /** Throws ProviderError `unknown_object` if the card is unknown or another customer's. */
  retrieveCard(customerId: string, id: string) {
    const retrieve = () => stripe.customers.retrievePaymentMethod(customerId, id);
    return callStripe("retrieve_card", StoredCardView, retrieve, { id, customerId });
  },

  /** Throws ProviderError `refused` or `unknown_object` if no customer has the card. */
  detachCard: (id: string) =>
    callStripe("detach_card", StoredCardView, () => stripe.paymentMethods.detach(id), {
      id,
      customerId: null,
    }),
});
