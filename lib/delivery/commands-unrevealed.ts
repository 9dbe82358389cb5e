import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { recordKeyEvents } from "./commands";

/** Quarantines unrevealed codes of a partly refunded line: they never sell again. */
export async function quarantineUnrevealedKeys(tx: Tx, keyIds: string[], actor: string): Promise<void> {
  if (keyIds.length === 0) return;
  const rows = await tx.execute<{ id: string }>(
    sql`update keys set state = 'quarantined' where id in ${keyIds} and state = 'assigned' returning id`,
  );
  await recordKeyEvents(
    tx,
    rows.map((row) => row.id),
    "quarantined",
    actor,
  );
}
