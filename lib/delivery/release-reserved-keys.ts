import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";

/** Returns the reserved, never revealed keys of unpaid lines to stock. */
export async function releaseReservedKeys(tx: Tx, lineIds: string[]): Promise<void> {
  if (lineIds.length > 0) await releaseKeys(tx, sql`order_line_id in ${lineIds}`);
}

export async function releaseKeys(tx: Tx, condition: SQL): Promise<void> {
  await tx.execute(sql`
    with released as (select id, order_line_id from keys where ${condition} and state = 'reserved' for update),
    events as (insert into key_events (key_id, event, order_line_id, actor) select id, 'released', order_line_id, 'shop' from released)
    update keys set state = 'available', order_line_id = null, slot = null, reserved_at = null
    where id in (select id from released)`);
}
