import { eq, type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { keys } from "@/db/schema/delivery";
import {
  CODE_OWNER_SQL,
  CODE_SEEN_SQL,
  frozenLineSql,
  NEEDS_CONSENT_SQL,
  WARNED_CODE_SQL,
} from "@/lib/delivery/library/key-state-sql";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";

type LockedKey = {
  id: string;
  orderId: string;
  /** the account that owns the code */
  ownerId: string;
  frozen: boolean;
  now: string;
  assignedAt: string;
  activatedAt: string | null;
  /** shown or mailed */
  seen: boolean;
  /** stays unrevealed by choice */
  needsConsent: boolean;
  /** is not yet in the journal */
  unjournaled: boolean;
};

/**
 * Locks one of the viewer's keys for a change.
 * @throws ShopError key_unknown (also for another user's key); key_frozen during a refund request or dispute, after a refund, and
 * for an unseen code during an early fraud warning
 */
export const lockViewerKey = (tx: Tx, viewer: UserViewer, keyId: string): Promise<LockedKey> =>
  lockKey(tx, keyId, sql`${CODE_OWNER_SQL} = ${viewer.userId}`);

/**
 * Locks a key of an order for a change by staff.
 * @throws ShopError as `lockViewerKey`; key_unknown also for a gift that waits for its recipient, because no one owns
 * its codes
 */
export const lockOrderKey = (tx: Tx, orderId: string, keyId: string): Promise<LockedKey> =>
  lockKey(tx, keyId, sql`l.order_id = ${orderId} and ${CODE_OWNER_SQL} <> ''`);

/** Locks the row first and reads it in a second statement, so that a concurrent refund request is seen. */
async function lockKey(tx: Tx, keyId: string, condition: SQL): Promise<LockedKey> {
  await tx.select({ id: keys.id }).from(keys).where(eq(keys.id, keyId)).for("update");
  const [row] = await tx.execute<LockedKey>(sql`
    select k.id, l.order_id as "orderId", ${CODE_OWNER_SQL} as "ownerId", k.state = 'quarantined' or ${frozenLineSql("l")} or ${WARNED_CODE_SQL} as frozen, shop_now() as now,
      k.assigned_at as "assignedAt", k.activated_at as "activatedAt", ${CODE_SEEN_SQL} as seen,
      ${NEEDS_CONSENT_SQL} as "needsConsent", exists (select from unjournaled_keys u where u.key_id = k.id) as unjournaled
    from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
    where k.id = ${keyId} and ${condition} and k.state in ('assigned', 'quarantined')`);
  if (!row) throw new ShopError("key_unknown");
  if (row.frozen) throw new ShopError("key_frozen");
  return row;
}
