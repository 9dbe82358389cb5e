import { lte, sql } from "drizzle-orm";
import { z } from "zod";
import { db, shopNow, type Tx } from "@/db/client";
import { sandboxIntents } from "@/db/schema/sandbox";
import { env } from "@/lib/platform/env";
import { choosePaymentMethod, findWallet, selectCard } from "./cards";
import { commitAndDeliver } from "./events";
import { intentIdOf, notFound, type Params, parseParams, SandboxError, wrongStatus } from "./http";
import { changeIntent, decline, lockIntent, readIntent, succeed } from "./intents";
import { type IntentRow, intentObject, isRedirected, redirectPath } from "./objects";

const PROCESSING_SECONDS = 4;

/** The values of `SANDBOX_OUTCOMES`; tsc compares the two where the shop calls `confirmSandboxIntent`. */
export type Outcome =
  | "succeeded"
  | "declined"
  | "requires_action"
  | "processing_succeeded"
  | "processing_failed"
  | "silent";

/** The intent after a confirmation. It is unchanged if the confirmation was not accepted. `redirect`: the page of the method. */
export type Confirmation = { intent: IntentRow; accepted: boolean; redirect?: string };

/**
 * Does what Stripe's script does in the browser: tries to pay, with the chosen outcome. Returns null for an unknown
 * client secret. Throws outside the sandbox.
 * @param method `card`, a wallet, a method with a page of its own, which decides in place of the outcome, or the id of a saved card of
 * the intent's customer
 * @param returnUrl where the method's page leads back to
 */
export async function confirmSandboxIntent(
  clientSecret: string,
  outcome: Outcome,
  method?: string,
  returnUrl = "/",
): Promise<Confirmation | null> {
  if (env().PAYMENT_MODE !== "sandbox") throw new Error("Payments are confirmed here in the sandbox only.");
  return commitAndDeliver(async (tx) => {
    const intent = await lockIntent(tx, intentIdOf(clientSecret));
    if (intent?.clientSecret !== clientSecret) return null;
    if (!intent.status.startsWith("requires_")) return { intent, accepted: false };
    const paymentMethod = await choosePaymentMethod(tx, intent, method);
    if (!paymentMethod) return { intent, accepted: false };
    if (method && isRedirected(paymentMethod)) {
      const change = { ...paymentMethod, returnUrl, status: "requires_action", lastError: null } as const;
      const sent = await changeIntent(tx, intent.id, change, "payment_intent.requires_action");
      return { intent: sent, accepted: true, redirect: redirectPath(sent) };
    }
    if (outcome === "succeeded")
      return { intent: await succeed(tx, { ...intent, ...paymentMethod }), accepted: true };
    const chosen = await changeIntent(tx, intent.id, paymentMethod, null);
    return { intent: await applyOutcome(tx, chosen, outcome), accepted: true };
  });
}

function applyOutcome(tx: Tx, intent: IntentRow, outcome: Exclude<Outcome, "succeeded">): Promise<IntentRow> {
  switch (outcome) {
    case "declined":
      return decline(tx, intent);
    case "requires_action": {
      const change = { status: "requires_action", lastError: null } as const;
      return changeIntent(tx, intent.id, change, "payment_intent.requires_action");
    }
    case "processing_succeeded":
      return startProcessing(tx, intent, "succeeded");
    case "processing_failed":
      return startProcessing(tx, intent, "failed");
    case "silent":
      return changeIntent(tx, intent.id, { status: "processing", lastError: null }, null);
  }
}

export function startProcessing(
  tx: Tx,
  intent: IntentRow,
  settlesAs: "succeeded" | "failed",
  seconds = PROCESSING_SECONDS,
): Promise<IntentRow> {
  setTimeout(() => void settleDueSandboxIntents().catch(() => {}), seconds * 1000 + 50).unref();
  const change = {
    status: "processing",
    settlesAs,
    settlesAt: sql`shop_now() + make_interval(secs => ${seconds})`,
    lastError: null,
  } as const;
  return changeIntent(tx, intent.id, change, "payment_intent.processing");
}

/**
 * Settles the slow payments that are due and returns how many. The process that took the payment does it after four
 * seconds, and so does every read of the intent; the worker's tick does it if that process is gone.
 */
export async function settleDueSandboxIntents(): Promise<number> {
  if (env().PAYMENT_MODE !== "sandbox") return 0;
  const due = await db
    .select({ id: sandboxIntents.id })
    .from(sandboxIntents)
    .where(lte(sandboxIntents.settlesAt, shopNow));
  for (const { id } of due) await commitAndDeliver((tx) => lockIntent(tx, id));
  return due.length;
}

const TEST_CARDS: Readonly<Record<string, Outcome>> = {
  pm_card_visa: "succeeded",
  pm_card_chargeDeclined: "declined",
  pm_card_authenticationRequired: "requires_action",
};
/** The last digits of the pretended saved card whose bank asks for authentication each time. */
const AUTHENTICATED_LAST4 = "3155";

async function outcomeOfSavedCard(id: string): Promise<Outcome> {
  const [card] = await selectCard(db, id);
  return card?.last4 === AUTHENTICATED_LAST4 ? "requires_action" : "succeeded";
}

/** `client_secret` takes the place of the secret key in calls from the browser. */
const ConfirmParams = z.strictObject({
  client_secret: z.string().optional(),
  payment_method: z.string(),
  return_url: z.url().optional(),
});

/**
 * The call of Stripe's script in the browser. `payment_method` is a test card, `pm_` with the name of a wallet, or a
 * saved card. A declined card is answered with 402, as at Stripe.
 */
export async function confirmIntent(id: string, params: Params) {
  const {
    client_secret: secret,
    payment_method: method,
    return_url: returnUrl,
  } = parseParams(ConfirmParams, params);
  const current = await readIntent(id);
  if (!current || (secret !== undefined && secret !== current.clientSecret))
    throw notFound(404, "payment_intent", id, "intent");
  const wallet = findWallet(method.replace(/^pm_/, ""));
  const testCard = TEST_CARDS[method];
  const outcome = testCard ?? (wallet ? "succeeded" : await outcomeOfSavedCard(method));
  const choice = testCard ? "card" : (wallet ?? method);
  const confirmed = await confirmSandboxIntent(current.clientSecret, outcome, choice, returnUrl);
  if (!confirmed) throw notFound(404, "payment_intent", id, "intent");
  const { intent, accepted } = confirmed;
  if (!accepted && intent.status.startsWith("requires_"))
    throw notFound(400, "PaymentMethod", method, "payment_method");
  if (!accepted) throw wrongStatus("You cannot confirm this PaymentIntent", intent);
  const object = intentObject(intent);
  if (!intent.lastError) return object;
  const { code, message, declineCode: decline_code } = intent.lastError;
  throw new SandboxError(402, { type: "card_error", code, message, decline_code, payment_intent: object });
}
