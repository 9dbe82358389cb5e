import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { audit } from "@/lib/platform/audit";
import { reseal, vaultKeyId } from "@/lib/platform/crypto/vault";

/** `left`: rows under an old vault key, including rows that are locked at the moment. */
export type RotationResult = { resealed: number; remaining: number };

export type RotateOptions = {
  /** Rows of one transaction. */
  batch?: number;
  /** Called after each batch. */
  onProgress?: (rotation: RotationResult) => void;
  /** Who rotates, for the audit log and custody. */
  actor: string;
};

/** Locked rows are skipped and tried again this many times. */
const PASSES = 40;
const PAUSE_MS = 250;

type KeyRow = { id: string; sealed: Buffer; vault_key_id: string };

/**
 * Re-encrypts the data key of every code under the current vault key while the shop sells (docs/product.md#45-key):
 * batches of locked rows in transactions of their own, so that it can be stopped, restarted or run twice at once.
 * Opens only wrapped data keys, no code. Each key gets the custody event `resealed`, the run an audit entry. Throws
 * when a vault key is missing; finished rows stay.
 */
export async function rotateKeys({ batch = 500, onProgress, actor }: RotateOptions): Promise<RotationResult> {
  let resealed = 0;
  let left = await countKeysUnderOldVaultKeys();
  for (let pass = 0; left > 0 && pass < PASSES; pass++) {
    if (pass > 0) await wait(PAUSE_MS);
    for (let last: string | undefined = ""; last !== undefined; ) {
      const done = await resealBatch(last, batch, actor);
      resealed += done.count;
      last = done.last;
      if (done.count > 0) onProgress?.({ resealed, remaining: Math.max(0, left - resealed) });
    }
    left = await countKeysUnderOldVaultKeys();
  }
  if (resealed > 0)
    await audit({ actor, action: "keys_rotated", subject: vaultKeyId(), detail: { resealed, left } });
  return { resealed, remaining: left };
}

/** The number of codes under an old vault key. */
export async function countKeysUnderOldVaultKeys(): Promise<number> {
  const [row] = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from keys where vault_key_id <> ${vaultKeyId()}`,
  );
  return row!.n;
}

/** The next unlocked rows after `after`; `last` is where to continue, undefined at the end. */
async function resealBatch(after: string, batch: number, actor: string) {
  return transaction(async (tx) => {
    const rows = await tx.execute<KeyRow>(sql`
      select id, sealed, vault_key_id from keys where id > ${after} and vault_key_id <> ${vaultKeyId()}
      order by id limit ${batch} for no key update skip locked`);
    if (rows.length === 0) return { count: 0, last: undefined };
    const fresh = rows.map(({ id, sealed, vault_key_id }) => {
      const { sealed: box, vaultKeyId: name } = reseal(id, { sealed, vaultKeyId: vault_key_id });
      return { id, sealed: box.toString("base64"), vault: name };
    });
    await tx.execute(sql`
      with fresh as (select * from jsonb_to_recordset(${JSON.stringify(fresh)}::jsonb) as r(id text, sealed text, vault text)),
      changed as (
        update keys k set sealed = decode(fresh.sealed, 'base64'), vault_key_id = fresh.vault
        from fresh where k.id = fresh.id returning k.id, k.order_line_id)
      insert into key_events (key_id, event, order_line_id, actor)
      select id, 'resealed', order_line_id, ${actor} from changed order by id`);
    return { count: rows.length, last: rows.at(-1)!.id };
  });
}
