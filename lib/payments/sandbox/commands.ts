import type { z } from "zod";
import { client } from "@/db/client";
import type { ConfirmSandboxInput, SandboxConfirmed } from "@/lib/payments/contract";
import type { UserViewer } from "@/lib/platform/auth/session";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import { confirmSandboxIntent, intentOf } from "@/lib/platform/stripe/sandbox/sandbox";

/**
 * Pays in the sandbox with the outcome that was picked, in place of the provider's script (docs/reliability.md#payment-provider). Changes
 * nothing of the shop's: that hears of it as from the real provider, by webhook. Only the order's own buyer may;
 * an intent that is already decided is answered as it is.
 * @throws ShopError call_unknown outside the sandbox, order_unknown, payment_method_unknown
 */
export async function confirmSandboxPayment(
  viewer: UserViewer,
  { client_secret, outcome, payment_method }: ConfirmSandboxInput,
): Promise<z.input<typeof SandboxConfirmed>> {
  if (env().PAYMENT_MODE !== "sandbox") throw new ShopError("call_unknown");
  if (!(await isPayer(viewer, intentOf(client_secret)))) throw new ShopError("order_unknown");
  const confirmed = await confirmSandboxIntent(client_secret, outcome, payment_method);
  if (!confirmed) throw new ShopError("order_unknown");
  // Still open and yet not taken: the card is not this buyer's to pay with.
  if (!confirmed.accepted && confirmed.status.startsWith("requires_"))
    throw new ShopError("payment_method_unknown");
  return { status: confirmed.status };
}

async function isPayer({ userId }: UserViewer, intentId: string): Promise<boolean> {
  const found = await client()`
    select 1 from payments p join orders o on o.id = p.order_id
    where p.intent_id = ${intentId} and o.user_id = ${userId}`;
  return found.length > 0;
}
