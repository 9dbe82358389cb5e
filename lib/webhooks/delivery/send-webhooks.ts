import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { listCodeReferences } from "@/lib/orders/vendor-confirmation/code-reference";
import { type Network, PUBLIC_NETWORK } from "@/lib/platform/http/resolve-address";
import { ATTEMPT_MS } from "@/lib/webhooks/rules";
import { type ClaimedDelivery, claimDeliveries } from "./claim-deliveries";
import { messageBody } from "./message-body";
import { postMessage, type SentMessage } from "./post-message";
import { recordOutcome } from "./record-outcome";
import { signMessage } from "./sign-message";

/**
 * Sends the due deliveries of an endpoint for about as long as one attempt may take. The next run continues, so that
 * endpoints take turns. No transaction is open during an attempt. Safe to stop at any point: a delivery without a
 * recorded outcome is sent again.
 */
export async function sendWebhooks(endpointId: string, network: Network = PUBLIC_NETWORK): Promise<number> {
  const end = performance.now() + ATTEMPT_MS;
  let sent = 0;
  while (performance.now() < end) {
    const claim = await claimDeliveries(endpointId);
    if (!claim) break;
    await Promise.all(claim.deliveries.map((delivery) => attempt(endpointId, claim, delivery, network)));
    sent += claim.deliveries.length;
  }
  return sent;
}

async function attempt(
  endpointId: string,
  { url, secrets }: { url: string; secrets: string[] },
  delivery: ClaimedDelivery,
  network: Network,
): Promise<void> {
  const { id, messageId, type } = delivery;
  const body = messageBody(
    delivery.keyId ? { ...delivery, data: await addCode(delivery, delivery.keyId) } : delivery,
  );
  const startedAt = new Date();
  const message: SentMessage = {
    url,
    headers: signMessage({ id: messageId, body, at: startedAt }, secrets),
    body,
  };
  const outcome = await postMessage(message, network);
  await recordOutcome({ id, endpointId, type, startedAt, outcome });
}

/** Adds the reference of the message's code once, so that each attempt and each endpoint has the same body. */
async function addCode({ messageId }: ClaimedDelivery, keyId: string): Promise<Record<string, unknown>> {
  const code = (await listCodeReferences([keyId], { refunded: true })).get(keyId) ?? null;
  const [message] = await db.execute<{ data: Record<string, unknown> }>(sql`
    update webhook_messages set key_id = null,
      data = case when key_id is null then data else data || jsonb_build_object('code', ${JSON.stringify(code)}::jsonb) end
    where id = ${messageId} returning data`);
  return message!.data;
}
