import { statements, type Tx } from "@/db/client";

/** Marks keys as mailed, with a custody event. */
export async function markKeysMailed(tx: Tx, keyIds: string[]): Promise<void> {
  if (keyIds.length === 0) return;
  await statements(tx)`
    with mailed as (
      update keys set mailed_at = coalesce(mailed_at, shop_now()) where id = any(array(select unnest(${keyIds}::text[])))
      returning id, order_line_id)
    insert into key_events (key_id, event, order_line_id, actor)
    select id, 'mailed', order_line_id, 'shop' from mailed order by id`;
}
