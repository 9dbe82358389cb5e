import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { type Sealed, unseal } from "@/lib/platform/crypto/vault";
import { MAILABLE_CODE_SQL } from "./has-mailable-codes";

type SealedKey = Sealed & { keyId: string; lineId: string; redeemBy: string | null };

/** A key whose opening is recorded. Its code is decrypted once that is committed (`decryptKeys`). */
export type OpenedKey = SealedKey & { slot: number };

/**
 * Records that codes of an order are opened for an email, and returns them still encrypted, without refunded and locked
 * ones, those of gifts, and those kept unrevealed by the buyer's choice. The record is committed before decryption, so
 * that a process killed in between leaves no decrypted code on sale. Throws while one of them is not in the journal.
 */
export async function openKeysForEmail(tx: Db, orderId: string, keyIds: string[]): Promise<OpenedKey[]> {
  if (keyIds.length === 0) return [];
  const opened = await tx.execute<OpenedKey & { unjournaled: boolean }>(sql`
    update keys k set opened_at = coalesce(k.opened_at, shop_now()) from order_lines l
    where l.id = k.order_line_id and l.order_id = ${orderId} and k.id in ${keyIds} and ${MAILABLE_CODE_SQL}
    returning ${OPENED}, exists (select from unjournaled_keys u where u.key_id = k.id) as unjournaled`);
  if (opened.some(({ unjournaled }) => unjournaled))
    throw new Error("a key does not stand in the journal yet, so its code is not mailed");
  return opened.map(({ unjournaled: _, ...key }) => key);
}

/**
 * The same for the references sent to a vendor for codes that serve or served a unit, including locked, unrevealed and
 * replaced ones, and with `refunded` those that a refund took back for good. Committed when it returns.
 */
export async function openKeysForVendor(keyIds: string[], { refunded = false } = {}): Promise<OpenedKey[]> {
  if (keyIds.length === 0) return [];
  const states = ["assigned", "revoked", ...(refunded ? ["quarantined"] : [])];
  await db.execute(sql`
    update keys set opened_at = shop_now()
    where id in ${keyIds} and opened_at is null and state in ${states} and order_line_id is not null`);
  return db.execute<OpenedKey>(sql`
    select ${OPENED} from keys k where k.id in ${keyIds} and k.state in ${states} and k.order_line_id is not null
      and k.opened_at is not null`);
}

const OPENED =
  sql.raw(`k.id as "keyId", k.order_line_id as "lineId", k.slot, k.sealed, k.vault_key_id as "vaultKeyId",
  k.redeem_by as "redeemBy"`);

/** Decrypts opened keys. `openReveal` is the only other function that decrypts codes to be read. */
export const decryptKeys = (opened: readonly OpenedKey[]) =>
  [...opened]
    .sort((a, b) => (a.lineId === b.lineId ? a.slot - b.slot : a.lineId < b.lineId ? -1 : 1))
    .map(({ sealed, vaultKeyId, redeemBy, slot: _slot, ...key }) => ({
      ...key,
      code: unseal(key.keyId, { sealed, vaultKeyId }),
      redeemBy: redeemBy ? new Date(redeemBy) : null,
    }));
