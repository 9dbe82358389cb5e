import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { sandboxMethods } from "@/db/schema/sandbox";
import { intentObject } from "./objects";
import { type Answer, badParams, ConfirmParams, missing, refusal } from "./params";
import { SANDBOX_WALLETS } from "./paying";
import { confirmSandboxIntent, type Outcome } from "./sandbox";
import { peekIntent } from "./store";

/** Stripe's own test cards, by the names that its documentation gives them. */
const TEST_CARDS: Readonly<Record<string, Outcome>> = {
  pm_card_visa: "succeeded",
  pm_card_chargeDeclined: "declined",
  pm_card_authenticationRequired: "requires_action",
};
/** The last digits of the pretended stored card whose bank asks each time. */
const ASKS_LAST4 = "3155";

/** What a stored card does in the sandbox when it pays: its bank asks, or it pays. */
export async function outcomeOfCard(id: string): Promise<Outcome> {
  const [card] = await db.select().from(sandboxMethods).where(eq(sandboxMethods.id, id));
  return card?.last4 === ASKS_LAST4 ? "requires_action" : "succeeded";
}

/**
 * The call that the provider's script makes from the browser, with a test card, `pm_` and the name of a wallet, or a
 * stored card: answers the intent, or 402 for a card that is declined, as Stripe does.
 */
export async function confirmIntent(id: string, params: Record<string, unknown>): Promise<Answer> {
  const wish = ConfirmParams.safeParse(params);
  if (!wish.success) return badParams(wish.error);
  const { client_secret: secret, payment_method: method } = wish.data;
  const before = await peekIntent(id);
  if (!before || (secret !== undefined && secret !== before.clientSecret))
    return missing(404, "payment_intent", id, "intent");
  const wallet = SANDBOX_WALLETS.find((name) => method === `pm_${name}`);
  const card = TEST_CARDS[method];
  const outcome = card ?? (wallet ? "succeeded" : await outcomeOfCard(method));
  const confirmed = await confirmSandboxIntent(
    before.clientSecret,
    outcome,
    card ? "card" : (wallet ?? method),
  );
  const row = await peekIntent(id);
  if (!row || !confirmed) return missing(404, "payment_intent", id, "intent");
  if (!confirmed.accepted) {
    if (row.status.startsWith("requires_")) return missing(400, "PaymentMethod", method, "payment_method");
    const message = `You cannot confirm this PaymentIntent because it has a status of ${row.status}.`;
    return refusal(400, { code: "payment_intent_unexpected_state", message });
  }
  const object = intentObject(row);
  if (!row.lastError) return { status: 200, body: object };
  const { code, message, declineCode: decline_code } = row.lastError;
  return {
    status: 402,
    body: { error: { type: "card_error", code, message, decline_code, payment_intent: object } },
  };
}
