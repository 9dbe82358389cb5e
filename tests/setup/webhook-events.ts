import { sql } from "drizzle-orm";
import Stripe from "stripe";
import { db } from "@/db/client";
import { receiveWebhook } from "@/lib/orders/payment/receive-webhook";
import { env } from "@/lib/platform/env";

/** Delivers an event to the webhook with a valid signature. */
export async function deliverEvent(payload: object): Promise<void> {
  const body = JSON.stringify(payload);
  const secret = env().STRIPE_WEBHOOK_SECRET;
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret });
  await receiveWebhook(Buffer.from(body), signature);
}

/** Makes a slow sandbox payment due now. */
export const settleNow = (intentId: string) =>
  db.execute(
    sql`update sandbox_intents set settles_at = shop_now() where id = ${intentId} and settles_at is not null`,
  );
