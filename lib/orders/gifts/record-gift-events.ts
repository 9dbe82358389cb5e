import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { recordKeyEvents } from "@/lib/delivery/record-key-events";
import type { KeyEvent } from "@/lib/delivery/rules";

type GiftEvent = Extract<KeyEvent, `gift_${string}`>;

/** Records a custody event for each code that is left of a gift. Returns their ids. */
export async function recordGiftEvents(
  tx: Tx,
  orderId: string,
  event: GiftEvent,
  actor: string,
): Promise<string[]> {
  const keyIds = await listCodeIds(tx, orderId);
  await recordKeyEvents(tx, keyIds, event, actor);
  return keyIds;
}

export async function listCodeIds(tx: Tx, orderId: string): Promise<string[]> {
  const rows = await tx.execute<{ id: string }>(sql`
    select k.id from keys k join order_lines l on l.id = k.order_line_id
    where l.order_id = ${orderId} and k.state = 'assigned' order by k.id`);
  return rows.map((row) => row.id);
}
