import { storeWebhookEvent } from "@/lib/payments/store-webhook-event";
import { RefreshProviderAccount } from "@/lib/payouts/contract-jobs";
import { parseThinEvent } from "@/lib/platform/stripe/webhook";

/**
 * Receives a thin event about a merchant's account at the payment provider: verifies it, stores it by its id, and has the account read
 * before answering. A repeated or late event changes nothing: the account's present state counts.
 * @throws InvalidWebhookError
 */
export async function receiveAccountEvent(rawBody: Uint8Array, signature: string | null): Promise<void> {
  const { accountId, ...event } = parseThinEvent(rawBody, signature);
  const stored = { ...event, created: new Date(), apiVersion: null, refundId: null };
  if (!accountId) return storeWebhookEvent(stored);
  await storeWebhookEvent(stored, [
    RefreshProviderAccount,
    { accountId, eventId: event.id },
    { jobKey: event.id },
  ]);
}
