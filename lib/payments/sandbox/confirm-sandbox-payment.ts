import type { z } from "zod";
import { client } from "@/db/client";
import type { ConfirmSandboxInput, SandboxConfirmed } from "@/lib/payments/contract";
import type { UserViewer } from "@/lib/platform/auth/session";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { intentIdOf } from "@/lib/platform/stripe/sandbox/http";

/**
 * Pays in the sandbox with the chosen outcome, in place of Stripe's script. Only the order's buyer may. The order
 * changes when the webhook event arrives, as with Stripe. A decided intent is returned unchanged.
 * @throws ShopError call_unknown outside the sandbox, order_unknown, payment_method_unknown
 */
export async function confirmSandboxPayment(
  viewer: UserViewer,
  { client_secret, outcome, payment_method, return_path }: ConfirmSandboxInput,
): Promise<z.input<typeof SandboxConfirmed>> {
  if (env().PAYMENT_MODE !== "sandbox") throw new ShopError("call_unknown");
  if (!(await isPayer(viewer, intentIdOf(client_secret)))) throw new ShopError("order_unknown");
  const confirmed = await confirmSandboxIntent(client_secret, outcome, payment_method, return_path);
  if (!confirmed) throw new ShopError("order_unknown");
  const { accepted, intent, redirect } = confirmed;
  // An open intent was not confirmed, because the card is unknown or belongs to another customer.
  if (!accepted && intent.status.startsWith("requires_")) throw new ShopError("payment_method_unknown");
  return { status: intent.status, redirect_url: redirect ?? null };
}

async function isPayer({ userId }: UserViewer, intentId: string): Promise<boolean> {
  const rows = await client()`
    select 1 from payments p join orders o on o.id = p.order_id
    where p.intent_id = ${intentId} and o.user_id = ${userId}`;
  return rows.length > 0;
}
