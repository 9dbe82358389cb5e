import { addCard } from "@/lib/payments/cards/add-card";
import { AddCardInput, CardAdded } from "@/lib/payments/cards/contract";
import { CARD_SETUPS_PER_HOUR } from "@/lib/payments/cards/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Store a card",
    description:
      "Without an id: opens a setup, whose client secret lets the browser store a card at the payment provider. " +
      "With setup_id or payment_method_id: the stored card, once the provider confirms it.",
    access: "user",
    rate: [{ limit: CARD_SETUPS_PER_HOUR, seconds: 3600, by: "user" }],
    replay: false,
    body: AddCardInput,
    result: CardAdded,
    errors: ["payment_method_unknown", "provider_unavailable"],
  },
  ({ body, viewer }) => addCard(viewer, body),
);
