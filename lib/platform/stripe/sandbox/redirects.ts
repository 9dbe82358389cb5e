import { env } from "@/lib/platform/env";
import { startProcessing } from "./confirm";
import { commitAndDeliver } from "./events";
import { decline, lockIntent, readIntent, succeed } from "./intents";
import { type IntentRow, isRedirected, redirectLink } from "./objects";

/** How the page of a method that redirects ends. `later_…`: the method decides after a while. */
export const REDIRECT_CHOICES = ["paid", "refused", "expired", "later_paid", "later_refused"] as const;
export type RedirectChoice = (typeof REDIRECT_CHOICES)[number];

/** How many seconds a method takes that decides later. */
const LATER_SECONDS = 60;

/** The data of the page. `open`: the payment can still be paid there. */
export type RedirectPage = { method: "alipay" | "wechat_pay"; amountCents: number; open: boolean };

const isPage = (intent: IntentRow | null, link: string): intent is IntentRow =>
  intent !== null && isRedirected(intent) && redirectLink(intent) === link;

/** The page that replaces the method's own; null for a wrong link, and outside the sandbox. */
export async function findRedirectPage(intentId: string, link: string): Promise<RedirectPage | null> {
  if (env().PAYMENT_MODE !== "sandbox") return null;
  const intent = await readIntent(intentId);
  if (!isPage(intent, link)) return null;
  const method = intent.paymentMethodType as RedirectPage["method"];
  return { method, amountCents: intent.amountCents, open: intent.status === "requires_action" };
}

/**
 * Answers the page. Returns the return address with the parameters that Stripe adds; null for a wrong link. Does not
 * change a payment that was decided or that the shop has closed.
 */
export async function answerRedirect(
  intentId: string,
  link: string,
  choice: RedirectChoice,
): Promise<string | null> {
  if (env().PAYMENT_MODE !== "sandbox") return null;
  return commitAndDeliver(async (tx) => {
    const intent = await lockIntent(tx, intentId);
    if (!isPage(intent, link)) return null;
    if (intent.status !== "requires_action") return backTo(intent);
    if (choice === "paid") return backTo(await succeed(tx, intent));
    if (choice === "refused" || choice === "expired")
      return backTo(await decline(tx, intent, choice === "expired"));
    const settlesAs = choice === "later_paid" ? "succeeded" : "failed";
    return backTo(await startProcessing(tx, intent, settlesAs, LATER_SECONDS));
  });
}

/** The return address with the parameters that Stripe adds: the intent and the outcome. */
function backTo({ id, status, returnUrl }: IntentRow): string {
  const result = status === "succeeded" ? "succeeded" : status === "processing" ? "pending" : "failed";
  const [path, query = ""] = (returnUrl ?? "/").split("?");
  const params = new URLSearchParams(query);
  params.set("payment_intent", id);
  params.set("redirect_status", result);
  return `${path}?${params}`;
}
