import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { db } from "@/db/client";
import { orders } from "@/db/schema/orders";
import { payments } from "@/db/schema/payments";
import { env } from "@/lib/env";
import { ShopError } from "@/lib/errors";
import type { UserViewer } from "@/lib/session";
import { confirmSandboxIntent, intentOf } from "@/lib/stripe-sandbox";
import type { ConfirmSandboxInput, SandboxConfirmed } from "./contract";

/**
 * Pays in the sandbox with the outcome that was picked, in place of the provider's script (issue 2 §3). Changes
 * nothing of the shop's: that hears of it as from the real provider, by webhook. Only the order's own buyer may;
 * an intent that is already decided is answered as it is.
 * @throws ShopError call_unknown outside the sandbox, order_unknown, payment_method_unknown
 */
export async function confirmSandboxPayment(
  viewer: UserViewer,
  { client_secret, outcome, payment_method }: ConfirmSandboxInput,
): Promise<z.input<typeof SandboxConfirmed>> {
  if (env().PAYMENT_MODE !== "sandbox") throw new ShopError("call_unknown");
  const intentId = await intentOf(client_secret);
  if (!intentId || !(await isPayer(viewer, intentId))) throw new ShopError("order_unknown");
  const confirmed = await confirmSandboxIntent(client_secret, outcome, payment_method);
  if (!confirmed) throw new ShopError("order_unknown");
  // Still open and yet not taken: the card is not this buyer's to pay with.
  if (!confirmed.accepted && confirmed.status.startsWith("requires_"))
    throw new ShopError("payment_method_unknown");
  return { status: confirmed.status };
}

async function isPayer({ userId }: UserViewer, intentId: string): Promise<boolean> {
  const found = await db
    .select({ id: payments.id })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(and(eq(payments.intentId, intentId), eq(orders.userId, userId)));
  return found.length > 0;
}
