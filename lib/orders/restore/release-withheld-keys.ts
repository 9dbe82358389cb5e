import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { withheldSql } from "@/lib/delivery/withheld/list-withheld-plans";
import { moveKeys } from "@/lib/delivery/withheld/move-keys";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/enqueue-assign";
import { audit } from "@/lib/platform/audit";
import { requireShown } from "@/lib/platform/console/shown";
import type { SeenVersion } from "@/lib/platform/console/version";

type Decision = SeenVersion & { actor: string };

/** Whether a plan has withheld keys. @throws ShopError revision_conflict: others than were shown */
async function hasShown(tx: Tx, planId: number, { version }: Decision): Promise<boolean> {
  const [found] = await tx.execute<{ withheld: number; version: string }>(
    sql`select w.withheld, w.version from ${withheldSql(sql`${planId}::int`)} w`,
  );
  if (found!.withheld === 0) return false;
  requireShown(version, found!.version);
  return true;
}

/**
 * Returns the withheld keys of a plan to stock; orders that wait for it come first. Returns how many there were.
 * @throws ShopError revision_conflict
 */
export async function releaseWithheldKeys(planId: number, decision: Decision): Promise<number> {
  const { actor } = decision;
  return transaction(async (tx) => {
    if (!(await hasShown(tx, planId, decision))) return 0;
    const count = await moveKeys(tx, { planId, state: "withheld" }, { state: "available", actor });
    if (count === 0) return 0;
    await enqueueAssignWaiting(tx, [planId]);
    await audit({ actor, action: "keys_restocked", subject: `plan ${planId}`, detail: { keys: count } }, tx);
    return count;
  });
}

/**
 * Revokes the withheld keys of a plan for good, when they may have been handed out. Returns how many there were.
 * @throws ShopError revision_conflict
 */
export async function revokeWithheldKeys(planId: number, decision: Decision): Promise<number> {
  const { actor } = decision;
  return transaction(async (tx) => {
    if (!(await hasShown(tx, planId, decision))) return 0;
    const count = await moveKeys(tx, { planId, state: "withheld" }, { state: "revoked", actor });
    if (count > 0)
      await audit({ actor, action: "keys_revoked", subject: `plan ${planId}`, detail: { keys: count } }, tx);
    return count;
  });
}
