import { statements, type Tx } from "@/db/client";
import { hasJournal } from "@/lib/delivery/journal/read-journal";

/**
 * Assigns the reserved keys of paid lines: `reserved → assigned`. Returns them with their lines. They are in
 * `unjournaled_keys` until `journalKeys` has written them to the journal.
 */
export async function assignReservedKeys(
  tx: Tx,
  lineIds: string[],
): Promise<{ id: string; lineId: string }[]> {
  if (lineIds.length === 0) return [];
  return statements(tx)<{ id: string; lineId: string }[]>`
    with assigned as (
      update keys set state = 'assigned', assigned_at = shop_now()
      where order_line_id = any(${lineIds}::text[]) and state = 'reserved' returning id, order_line_id
    ), unjournaled as (
      insert into unjournaled_keys (key_id, order_id)
      select a.id, l.order_id from assigned a join order_lines l on l.id = a.order_line_id where ${hasJournal()}::boolean
    ), events as (
      insert into key_events (key_id, event, order_line_id, actor) select id, 'assigned', order_line_id, 'shop' from assigned)
    select id, order_line_id as "lineId" from assigned`;
}
