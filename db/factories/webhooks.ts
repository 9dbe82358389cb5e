import { db } from "@/db/client";
import { webhookDeliveries, webhookEndpoints, webhookMessages } from "@/db/schema/webhooks";
import { newId } from "@/lib/platform/crypto/ids";
import { seal } from "@/lib/platform/crypto/vault";
import { TEST_EVENT, WEBHOOK_EVENTS, type WebhookEvent } from "@/lib/webhooks/rules";

type EndpointInput = { url?: string; events?: readonly WebhookEvent[] };
export type CreatedEndpoint = { id: string; secret: string };

/** An endpoint of a merchant that asks for all events, and its secret. */
export async function createWebhookEndpoint(
  merchant: { id: string },
  { url = "https://receiver.example/hooks", events = WEBHOOK_EVENTS }: EndpointInput = {},
): Promise<CreatedEndpoint> {
  const id = newId("whk");
  const secret = `whsec_${Buffer.from("a secret of thirty-two bytes, no").toString("base64")}`;
  await db.insert(webhookEndpoints).values({
    id,
    merchantId: merchant.id,
    name: "Test",
    url,
    events: [...events],
    ...seal(id, secret),
    createdBy: "system",
  });
  return { id, secret };
}

/** A message that waits for an endpoint; returns its id. */
export async function createWebhookMessage(merchant: { id: string }, endpointId: string): Promise<string> {
  const id = newId("msg");
  const object = `test:${id}`;
  const data = { endpoint_id: endpointId };
  await db.insert(webhookMessages).values({ id, merchantId: merchant.id, type: TEST_EVENT, object, data });
  await db.insert(webhookDeliveries).values({ endpointId, messageId: id, object });
  return id;
}
