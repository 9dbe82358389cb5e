import { sql } from "drizzle-orm";
import { client, type Tx } from "@/db/client";
import { quarantineKeys, type ReturnedUnits } from "@/lib/delivery/quarantine-keys";
import { type Returner, restockKeys } from "@/lib/delivery/restock-keys";
import { codeVisibleSql } from "@/lib/orders/refunds/lock-line-codes";
import { UNREVEALED_RETURNS_DAYS } from "@/lib/orders/returns/rules";
import { returnAddress, returnIdentity } from "./must-deliver-now";

/**
 * Takes back the codes of returned units: those that no one can have seen go on sale again and are counted for their
 * buyer, all others are locked for good. The order must be locked. `ip`: the address of the call.
 */
export async function takeBackKeys(
  tx: Tx,
  orderId: string,
  units: ReturnedUnits,
  { actor, ip }: { actor: string; ip?: string },
): Promise<void> {
  const unrevealed = await lockUnrevealedKeys(tx, orderId, units);
  if (unrevealed.length > 0) await restockKeys(tx, unrevealed, await readReturner(tx, orderId, ip), actor);
  await quarantineKeys(tx, units, actor);
}

/**
 * Locks the keys whose codes were provably never decrypted to be read, mailed or activated, and about which no one
 * asked. A first attempt to mail counts, also one of a release that did not record it.
 */
async function lockUnrevealedKeys(tx: Tx, orderId: string, units: ReturnedUnits): Promise<string[]> {
  if ("keyIds" in units && units.keyIds.length === 0) return [];
  const returned = "lineId" in units ? sql`k.order_line_id = ${units.lineId}` : sql`k.id in ${units.keyIds}`;
  const rows = await tx.execute<{ id: string }>(sql`
    select k.id from keys k where ${returned} and k.state = 'assigned' and k.opened_at is null and k.activated_at is null
      and k.redemption = 'unknown' and not ${codeVisibleSql(orderId)}
      and not exists (select from key_events e where e.key_id = k.id and e.event in ('mailed', 'revealed', 'activated'))
      and not exists (select from replacement_requests r where k.id in (r.key_id, r.new_key_id))
    order by k.id for update of k`);
  return rows.map(({ id }) => id);
}

async function readReturner(tx: Tx, orderId: string, ip: string | undefined): Promise<Returner> {
  const [order] = await tx.execute<{
    email: string;
    emailVerified: boolean;
    cardFingerprint: string | null;
    addressGroup: string | null;
  }>(sql`
    select u.email, u.email_verified_at is not null as "emailVerified",
      (select p.card_fingerprint from payments p where p.order_id = o.id and p.state = 'succeeded'
        order by p.card_fingerprint nulls last limit 1) as "cardFingerprint",
      (select h.address_group from order_holds h where h.order_id = o.id) as "addressGroup"
    from orders o join users u on u.id = o.user_id where o.id = ${orderId}`);
  const { cardFingerprint, addressGroup } = order!;
  return {
    identity: returnIdentity(order!),
    cardFingerprint,
    addressGroup: addressGroup ?? returnAddress(ip),
  };
}

/** Forgets who gave units back longer ago than any limit counts. */
export async function forgetReturners(): Promise<void> {
  await client()`
    update returned_keys set identity = null, card_fingerprint = null, address_group = null
    where identity is not null and created_at < shop_now() - make_interval(days => ${UNREVEALED_RETURNS_DAYS + 1})`;
}
