import { setTimeout as wait } from "node:timers/promises";
import { and, gt, ne, sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { keys } from "@/db/schema/delivery";
import { audit } from "@/lib/platform/audit";
import { reseal, vaultKeyId } from "@/lib/platform/crypto/vault";

/** `remaining`: rows under an old vault key, including locked rows. */
export type RotationResult = { resealed: number; remaining: number };

export type RotateOptions = {
  batch?: number;
  onProgress?: (rotation: RotationResult) => void;
  actor: string;
};

/** Passes over the table; each retries the rows that were locked before. */
const MAX_PASSES = 40;
const PAUSE_MS = 250;

/**
 * Re-encrypts the data key of every code under the current vault key (docs/product.md#45-key). Works in batches of one
 * transaction each, so that it can be stopped, restarted or run in parallel while the shop sells. Decrypts only wrapped
 * data keys, never a code. Records the custody event `resealed` per key and one audit entry per run. Throws when a
 * vault key is missing; finished batches stay.
 */
export async function rotateKeys({ batch = 500, onProgress, actor }: RotateOptions): Promise<RotationResult> {
  let resealed = 0;
  let remaining = await countKeysUnderOldVaultKeys();
  for (let pass = 0; remaining > 0 && pass < MAX_PASSES; pass++) {
    if (pass > 0) await wait(PAUSE_MS);
    for (let lastId: string | undefined = ""; lastId !== undefined; ) {
      const batchResult = await resealBatch(lastId, batch, actor);
      resealed += batchResult.count;
      lastId = batchResult.lastId;
      if (batchResult.count > 0) onProgress?.({ resealed, remaining: Math.max(0, remaining - resealed) });
    }
    remaining = await countKeysUnderOldVaultKeys();
  }
  const detail = { resealed, left: remaining };
  if (resealed > 0) await audit({ actor, action: "keys_rotated", subject: vaultKeyId(), detail });
  return { resealed, remaining };
}

export const countKeysUnderOldVaultKeys = (): Promise<number> =>
  db.$count(keys, ne(keys.vaultKeyId, vaultKeyId()));

/** Reseals the next unlocked rows after `afterId`; `lastId` is where to continue, undefined at the end. */
async function resealBatch(afterId: string, batch: number, actor: string) {
  return transaction(async (tx) => {
    const rows = await tx
      .select({ id: keys.id, sealed: keys.sealed, vaultKeyId: keys.vaultKeyId })
      .from(keys)
      .where(and(gt(keys.id, afterId), ne(keys.vaultKeyId, vaultKeyId())))
      .orderBy(keys.id)
      .limit(batch)
      .for("no key update", { skipLocked: true });
    if (rows.length === 0) return { count: 0, lastId: undefined };
    const resealedRows = rows.map(({ id, ...code }) => {
      const resealed = reseal(id, code);
      return { id, sealed: resealed.sealed.toString("base64"), vault: resealed.vaultKeyId };
    });
    await tx.execute(sql`
      with new_rows as (select * from jsonb_to_recordset(${JSON.stringify(resealedRows)}::jsonb) as r(id text, sealed text, vault text)),
      changed as (
        update keys k set sealed = decode(new_rows.sealed, 'base64'), vault_key_id = new_rows.vault
        from new_rows where k.id = new_rows.id returning k.id, k.order_line_id)
      insert into key_events (key_id, event, order_line_id, actor)
      select id, 'resealed', order_line_id, ${actor} from changed order by id`);
    return { count: rows.length, lastId: rows.at(-1)!.id };
  });
}
