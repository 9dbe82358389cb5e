import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { withdrawReturned } from "./withdraw-keys";

/** Who gives units back, as it is counted: null is unknown (docs/product.md#83-delivery). */
export type Returner = {
  identity: string;
  cardFingerprint: string | null;
  addressGroup: string | null;
};

/**
 * Puts assigned keys whose codes no one can have seen on sale again, unless their batch was withdrawn: they leave their
 * lines and are recorded in `returned_keys`. The database refuses a key that was seen (db/functions/check_key_state.sql).
 */
export async function restockKeys(
  tx: Tx,
  keyIds: string[],
  { identity, cardFingerprint, addressGroup }: Returner,
  actor: string,
): Promise<void> {
  if (keyIds.length === 0) return;
  const returned = await tx.execute<{ id: string; batchId: string | null }>(sql`
    with returned as (
      select id, order_line_id, slot, assigned_at, batch_id from keys where id in ${keyIds} and state = 'assigned' for update
    ), restocked as (
      update keys set state = 'available', order_line_id = null, slot = null, reserved_at = null, assigned_at = null, reminded_at = null
      where id in (select id from returned)
    ), unjournaled as (delete from unjournaled_keys where key_id in (select id from returned)
    ), records as (
      insert into returned_keys (key_id, order_line_id, slot, assigned_at, identity, card_fingerprint, address_group)
      select id, order_line_id, slot, assigned_at, ${identity}, ${cardFingerprint}, ${addressGroup} from returned
    ), events as (
      insert into key_events (key_id, event, order_line_id, actor)
      select id, 'restocked', order_line_id, ${actor} from returned order by id)
    select id, batch_id as "batchId" from returned`);
  await withdrawReturned(tx, returned);
}
