import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { WebhookData } from "@/lib/webhooks/contract-events";
import type { WebhookEvent } from "@/lib/webhooks/rules";

type RecordedEvent<T extends WebhookEvent> = {
  merchantId: string;
  type: T;
  /** Messages about the same object are sent in order: `payout:<id>`. */
  about: string;
  data: WebhookData<T>;
};

/**
 * Records an event of this transaction for the merchant's subscribed endpoints (docs/product.md#149-webhooks). One
 * statement, which writes nothing for a merchant without such an endpoint. Triggers record the events of sales, codes,
 * requests, changes and reviews (db/functions/record_*_webhook*.sql).
 */
export const recordWebhookEvent = <T extends WebhookEvent>(tx: Tx, event: RecordedEvent<T>): Promise<void> =>
  recordWebhookEvents(tx, [event]);

/** As `recordWebhookEvent`, of many objects with one statement. */
export async function recordWebhookEvents<T extends WebhookEvent>(
  tx: Tx,
  events: readonly RecordedEvent<T>[],
): Promise<void> {
  await tx.execute(sql`
    select record_webhook_message(r."merchantId", r.type, r.about, r.data)
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) r("merchantId" text, type text, about text, data jsonb)`);
}
