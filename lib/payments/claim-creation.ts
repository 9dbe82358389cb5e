import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { payments, refunds } from "@/db/schema/payments";

/** A request to the provider ends before this, so an older claim belongs to a killed process. */
const CLAIM_SECONDS = 10;
/** A refund is searched in the provider's list before it is sent. Also how long an unanswered call may take effect late. */
export const REFUND_CLAIM_SECONDS = 40;
/** How long a request waits for the result of another one, and how often it looks. */
export const CREATION_WAIT_MS = 12_000;
export const CREATION_POLL_MS = 100;

/**
 * Claims the right to create the provider's object of a payment or refund, if `condition` holds. False while another
 * process creates it. The claim ends when the result is recorded, with `releaseCreation`, or after `seconds`.
 */
export async function claimCreation(
  table: typeof payments | typeof refunds,
  id: string,
  condition: SQL,
  seconds = CLAIM_SECONDS,
): Promise<boolean> {
  const claimed = await db.execute<{ id: string }>(sql`
    update ${table} set requested_at = shop_now() where id = ${id} and ${condition}
      and (requested_at is null or requested_at < shop_now() - make_interval(secs => ${seconds})) returning id`);
  return claimed.length === 1;
}

export async function releaseCreation(table: typeof payments | typeof refunds, id: string): Promise<void> {
  await db.execute(sql`update ${table} set requested_at = null where id = ${id}`);
}
