import { api } from "@/lib/platform/api/client";
import type { SentWebhook } from "@/lib/webhooks/contract";

const PAUSE_MS = 1_000;
/** A little longer than an attempt may take. */
const TRIES = 15;

/** Waits until the attempt of a message has ended. Null if it is still waiting after 15 seconds. */
export async function waitForMessage(endpointId: string, messageId: string): Promise<SentWebhook | null> {
  for (let n = 0; n < TRIES; n += 1) {
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    const result = await api.get(`/merchant/webhooks/${endpointId}/attempts`, {});
    const message = result.ok && result.data.items.find(({ message_id }) => message_id === messageId);
    if (message && message.state !== "waiting") return message;
  }
  return null;
}
