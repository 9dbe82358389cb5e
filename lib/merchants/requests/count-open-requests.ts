import { sql } from "drizzle-orm";
import type { RequestKind } from "@/lib/merchants/requests/rules";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { QueueState } from "@/lib/platform/console/list";
import { countQueue } from "@/lib/platform/console/query";

/** How many requests of each kind are open, and the time of the most urgent: the next deadline, or since when one waits. */
export async function countOpenRequests({
  merchant,
}: MerchantViewer): Promise<Record<RequestKind, QueueState>> {
  const refund = await countQueue(sql`
    select answer_by as at from refund_requests where merchant_id = ${merchant.id} and state = 'asked' and stated_country is null order by answer_by`);
  const replacement = await countQueue(sql`
    select created_at as at from replacement_requests where merchant_id = ${merchant.id} and state = 'asked' order by created_at`);
  return { refund, replacement };
}
