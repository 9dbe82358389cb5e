import { eq, sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { requireShownRow } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";
import type { KeysAllowed } from "./contract-merchants";
import { KEYS_VERSION } from "./get-console-merchant";
import { requireMerchant } from "./require-merchant";

/**
 * Lets a merchant import codes again whose imports were stopped because they contained too many codes of other
 * merchants.
 * @throws ShopError merchant_unknown, nothing_changes, revision_conflict: it was stopped again since
 */
export async function allowKeys(
  { userId: actor }: StaffViewer,
  id: string,
  { version }: SeenVersion,
): Promise<KeysAllowed> {
  return transaction(async (tx) => {
    const merchant = await requireMerchant(tx, id);
    if (!merchant.keysStoppedAt) throw new ShopError("nothing_changes");
    const shown = { version: KEYS_VERSION, from: sql`merchants m where m.id = ${id}` };
    await requireShownRow(tx, { version }, shown);
    await tx.update(merchants).set({ foreignKeys: 0, keysStoppedAt: null }).where(eq(merchants.id, id));
    const detail = { foreign: merchant.foreignKeys };
    await audit({ actor, action: "merchant.keys_allowed", subject: id, detail }, tx);
    return { merchant_id: id };
  });
}
