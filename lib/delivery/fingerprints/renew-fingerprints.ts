import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import type { KeyState } from "@/lib/delivery/rules";
import { audit } from "@/lib/platform/audit";
import { unseal } from "@/lib/platform/crypto/vault";
import { log } from "@/lib/platform/log";
import { keyPrints } from "./key-prints";

/** `repeated`: keys whose code equals that of another key in the canonical form. */
export type Renewed = { renewed: number; repeated: number };

type FormerKey = { id: string; sealed: Buffer; vaultKeyId: string; state: KeyState };
type Holder = { id: string; fingerprint: string; state: KeyState };
type NewPrints = { id: string; fingerprint: string; lettersHash: number };

/**
 * Converts the fingerprints of keys that were stored in the former form to the form of `normalizeKey`. Works in batches
 * of one transaction each, so that it can be stopped, restarted or run in parallel while the shop sells; it compares
 * codes and writes none. Where two keys turn out to be one code, the unsold one is revoked, so that no code is sold
 * twice. Keys that orders hold at that moment are left to the next run.
 */
export async function renewFingerprints({ batch = 500 } = {}): Promise<Renewed> {
  const total: Renewed = { renewed: 0, repeated: 0 };
  for (let after: string | undefined = ""; after !== undefined; ) {
    const lastId: string = after;
    const result = await transaction((tx) => renewBatch(tx, lastId, batch));
    total.renewed += result.renewed;
    total.repeated += result.repeated;
    after = result.lastId;
  }
  return total;
}

async function renewBatch(tx: Tx, after: string, batch: number) {
  const rows = await tx.execute<FormerKey>(sql`
    select id, sealed, vault_key_id as "vaultKeyId", state from keys
    where letters_hash is null and id > ${after} order by id limit ${batch} for no key update skip locked`);
  if (rows.length === 0) return { renewed: 0, repeated: 0, lastId: undefined };
  const prints = rows.flatMap((row) => readPrints(row) ?? []);
  const holders = await findHolders(tx, prints);
  const states = new Map(rows.map(({ id, state }) => [id, state]));
  const renewed: NewPrints[] = [];
  let repeated = 0;
  for (const key of prints) {
    const holder = holders.get(key.fingerprint);
    const state = states.get(key.id)!;
    if (holder === undefined || holder.id === key.id) {
      renewed.push(key);
      holders.set(key.fingerprint, { ...key, state });
    } else if (await settleRepeated(tx, { ...key, state }, holder)) repeated += 1;
  }
  await tx.execute(sql`
    update keys k set fingerprint = r.fingerprint, letters_hash = r."lettersHash"
    from jsonb_to_recordset(${JSON.stringify(renewed)}::jsonb) as r(id text, fingerprint text, "lettersHash" bigint)
    where k.id = r.id`);
  return { renewed: renewed.length, repeated, lastId: rows.at(-1)!.id };
}

/** The hashes of a key's code. null: its code cannot be decrypted, which the vault key check reports to the operator. */
function readPrints({ id, sealed, vaultKeyId }: FormerKey): NewPrints | null {
  try {
    return { id, ...keyPrints(unseal(id, { sealed, vaultKeyId })) };
  } catch (error) {
    log.warn({ err: error, id }, "fingerprint of a key not renewed");
    return null;
  }
}

/** The keys that have one of these fingerprints already. */
async function findHolders(tx: Tx, prints: readonly NewPrints[]): Promise<Map<string, Holder>> {
  const rows = await tx.execute<Holder>(sql`
    select id, fingerprint, state from keys
    where fingerprint = any(${sql.param(prints.map((key) => key.fingerprint))}::text[]) for no key update`);
  return new Map(rows.map((row) => [row.fingerprint, row]));
}

/** Two keys with one code: the unsold one is revoked. false: an order holds one of them, so that it is decided later. */
async function settleRepeated(
  tx: Tx,
  key: NewPrints & { state: KeyState },
  holder: Holder,
): Promise<boolean> {
  const unsold = [key, holder].find(({ state }) => state === "available" || state === "withheld");
  if (!unsold && [key, holder].some(({ state }) => state === "reserved")) return false;
  if (unsold) {
    await tx.execute(sql`
      with revoked as (update keys set state = 'revoked' where id = ${unsold.id} returning id)
      insert into key_events (key_id, event, actor) select id, 'revoked', 'shop' from revoked`);
    unsold.state = "revoked";
  }
  await tx.execute(sql`update keys set letters_hash = ${key.lettersHash} where id = ${key.id}`);
  const detail = { same_as: holder.id, withdrawn: unsold?.id ?? null };
  await audit({ actor: "shop", action: "key.repeated", subject: key.id, detail }, tx);
  return true;
}
