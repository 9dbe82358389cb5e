import { env } from "@/lib/platform/env";

/** The shop's own receiver, which the sandbox has to try endpoints with (app/dev/webhook-receiver). */
const RECEIVER_PATH = "/dev/webhook-receiver";

/**
 * The one exception from https and public addresses: in the sandbox an endpoint may be the shop's own receiver, which screens name as
 * such. Never where payments are real.
 */
export function isSandboxReceiver(url: string): boolean {
  if (env().PAYMENT_MODE !== "sandbox" || !URL.canParse(url)) return false;
  const { origin, pathname } = new URL(url);
  return origin === new URL(env().APP_URL).origin && pathname === RECEIVER_PATH;
}

/** Its address; null outside of the sandbox. */
export const sandboxReceiverUrl = (): string | null =>
  env().PAYMENT_MODE === "sandbox" ? new URL(RECEIVER_PATH, env().APP_URL).href : null;
