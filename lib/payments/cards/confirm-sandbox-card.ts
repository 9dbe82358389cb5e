import type { ConfirmSandboxSetupInput, SandboxSetupConfirmed } from "@/lib/payments/cards/contract";
import type { UserViewer } from "@/lib/platform/auth/session";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import { confirmSandboxSetup, findSetupCustomer } from "@/lib/platform/stripe/sandbox/cards";
import { findCustomer } from "./ensure-customer";

/**
 * Saves a sandbox card in place of Stripe's script. Only the setup's own customer may.
 * @throws ShopError call_unknown outside the sandbox, payment_method_unknown
 */
export async function confirmSandboxCard(
  { userId }: UserViewer,
  { client_secret, card }: ConfirmSandboxSetupInput,
): Promise<SandboxSetupConfirmed> {
  if (env().PAYMENT_MODE !== "sandbox") throw new ShopError("call_unknown");
  const [setupCustomerId, customerId] = await Promise.all([
    findSetupCustomer(client_secret),
    findCustomer(userId),
  ]);
  if (!setupCustomerId || setupCustomerId !== customerId) throw new ShopError("payment_method_unknown");
  const setup = await confirmSandboxSetup(client_secret, card);
  if (!setup) throw new ShopError("payment_method_unknown");
  return { status: setup.status, problem: setup.lastError?.code ?? null };
}
