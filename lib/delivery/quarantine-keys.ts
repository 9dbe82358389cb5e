import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { keys } from "@/db/schema/delivery";
import { recordKeyEvents } from "./record-key-events";

/** All units of a line, or those of these keys. */
export type ReturnedUnits = { lineId: string } | { keyIds: string[] };

/** Quarantines assigned keys of refunded units: a key that may have been seen never sells again. */
export async function quarantineKeys(tx: Tx, which: ReturnedUnits, actor: string) {
  const isRefunded = "lineId" in which ? eq(keys.orderLineId, which.lineId) : inArray(keys.id, which.keyIds);
  const rows = await tx
    .update(keys)
    .set({ state: "quarantined" })
    .where(and(isRefunded, eq(keys.state, "assigned")))
    .returning({ id: keys.id });
  const keyIds = rows.map((row) => row.id);
  await recordKeyEvents(tx, keyIds, "quarantined", actor);
}

/** Gives quarantined keys back to their units, because the refund that locked them has failed. */
export async function unlockKeys(tx: Tx, keyIds: string[], actor: string): Promise<void> {
  const rows = await tx
    .update(keys)
    .set({ state: "assigned" })
    .where(and(inArray(keys.id, keyIds), eq(keys.state, "quarantined")))
    .returning({ id: keys.id });
  const unlockedIds = rows.map((row) => row.id);
  await recordKeyEvents(tx, unlockedIds, "unlocked", actor);
}
