import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { WebhookData } from "@/lib/webhooks/contract-events";
import type { WebhookEvent } from "@/lib/webhooks/rules";

type RecordedEvent<T extends WebhookEvent> = {
  merchantId: string;
  type: T;
  /** Messages about the same object are sent in their order: `payout:<id>`. */
  about: string;
  data: WebhookData<T>;
};

/**
 * Tells a merchant's endpoints that ask for it what happens in this transaction (docs/product.md#149-webhooks):
 * committed with it, or not at all. One statement, which writes nothing for a merchant without such an endpoint. What sales, codes,
 * requests, changes and reviews cause is recorded by triggers (db/functions/record_*_webhook*.sql).
 */
export async function recordWebhookEvent<T extends WebhookEvent>(
  tx: Tx,
  { merchantId, type, about, data }: RecordedEvent<T>,
): Promise<void> {
  await tx.execute(
    sql`select record_webhook_message(${merchantId}, ${type}, ${about}, ${JSON.stringify(data)}::jsonb)`,
  );
}
