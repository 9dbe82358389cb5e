import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import { reviewSandboxPayment, warnOfSandboxPayment } from "@/lib/platform/stripe/sandbox/radar";
import type { SandboxSignalInput } from "./contract-warnings";

/** Whether the provider's stand-in can be told to send something: the demo, with invented payments. */
export const hasSandboxSignals = (): boolean => env().APP_MODE === "demo" && env().PAYMENT_MODE === "sandbox";

/**
 * In the sandbox: the provider's stand-in sends an event about the order's payment, signed, on the road of all events.
 * @throws ShopError call_unknown: it is no sandbox; order_unknown: also an order that was not paid there
 */
export async function sendSandboxSignal({ userId }: StaffViewer, id: string, { signal }: SandboxSignalInput) {
  if (!hasSandboxSignals()) throw new ShopError("call_unknown");
  const [order] = await db.execute<{ id: string; intentId: string | null }>(sql`
    select id, transaction_id as "intentId" from orders where id = ${id} or order_number = upper(${id})`);
  if (!order?.intentId) throw new ShopError("order_unknown");
  const sent =
    signal === "fraud_warning"
      ? await warnOfSandboxPayment(order.intentId)
      : await reviewSandboxPayment(order.intentId, signal === "review_closed" ? "approved" : null);
  if (!sent) throw new ShopError("order_unknown");
  await audit({ actor: userId, action: "sandbox.signal", subject: order.id, detail: { event: signal } });
  return { order_id: order.id, signal };
}
