import { eq } from "drizzle-orm";
import { shopNow, transaction } from "@/db/client";
import { productChanges } from "@/db/schema/merchants";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { SeenVersion } from "@/lib/platform/console/version";
import type { ChangeMoved } from "./contract";
import { lockOwnChange } from "./lock-own-change";
import { OPEN_STATES } from "./rules";

/**
 * Withdraws an undecided change.
 * @throws ShopError change_unknown, change_decided, revision_conflict
 */
export async function cancelChange(
  viewer: MerchantViewer,
  id: string,
  { version }: SeenVersion,
): Promise<ChangeMoved> {
  return transaction(async (tx) => {
    const { state } = await lockOwnChange(tx, viewer, { id, states: OPEN_STATES, version });
    const cancelled = { state: "cancelled", updatedAt: shopNow } as const;
    await tx.update(productChanges).set(cancelled).where(eq(productChanges.id, id));
    const detail = { before: { state }, after: { state: "cancelled" } };
    await audit({ actor: viewer.actor, action: "change.cancelled", subject: id, detail }, tx);
    return { change_id: id, state: "cancelled", revision: null };
  });
}
