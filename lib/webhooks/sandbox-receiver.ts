import { env } from "@/lib/platform/env";

/** The shop's own receiver for trying endpoints in the sandbox (app/dev/webhook-receiver). */
const RECEIVER_PATH = "/dev/webhook-receiver";

/**
 * The only exception to https and public addresses: in the sandbox an endpoint may be the shop's own receiver, which
 * screens label as such. Never with real payments.
 */
export function isSandboxReceiver(url: string): boolean {
  if (env().PAYMENT_MODE !== "sandbox" || !URL.canParse(url)) return false;
  const { origin, pathname } = new URL(url);
  return origin === new URL(env().APP_URL).origin && pathname === RECEIVER_PATH;
}

/** The address of the sandbox receiver; null outside the sandbox. */
export const sandboxReceiverUrl = (): string | null =>
  env().PAYMENT_MODE === "sandbox" ? new URL(RECEIVER_PATH, env().APP_URL).href : null;
