import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { withdrawReturned } from "./withdraw-keys";

/** Returns the reserved, never revealed keys of unpaid lines to stock, unless their batch was withdrawn. */
export async function releaseReservedKeys(tx: Tx, lineIds: string[]): Promise<void> {
  if (lineIds.length > 0) await releaseKeys(tx, sql`order_line_id in ${lineIds}`);
}

export async function releaseKeys(tx: Tx, condition: SQL): Promise<void> {
  const released = await tx.execute<{ id: string; batchId: string | null }>(sql`
    with released as (select id, order_line_id, batch_id from keys where ${condition} and state = 'reserved' for update),
    events as (insert into key_events (key_id, event, order_line_id, actor) select id, 'released', order_line_id, 'shop' from released),
    freed as (
      update keys set state = 'available', order_line_id = null, slot = null, reserved_at = null
      where id in (select id from released))
    select id, batch_id as "batchId" from released`);
  await withdrawReturned(tx, released);
}
