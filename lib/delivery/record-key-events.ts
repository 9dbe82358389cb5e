import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { KeyEvent } from "./rules";

/** Appends custody events of keys. `actor` is `shop` or a user's id. */
export async function recordKeyEvents(tx: Tx, keyIds: string[], event: KeyEvent, actor: string) {
  if (keyIds.length === 0) return;
  await tx.execute(sql`
    insert into key_events (key_id, event, order_line_id, actor)
    select id, ${event}, order_line_id, ${actor} from keys where id in ${keyIds}`);
}
