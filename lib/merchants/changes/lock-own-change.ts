import { and, eq } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { productChanges } from "@/db/schema/merchants";
import type { CHANGE_STATES } from "@/lib/merchants/rules";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";
import { requireShownChange } from "./change-version";
import type { ChangeRow } from "./check-change";

export type ChangeState = (typeof CHANGE_STATES)[number];

/** Locks one of the merchant's changes in one of these states, as it was shown. @throws ShopError change_unknown, change_decided, revision_conflict */
export async function lockOwnChange(
  tx: Tx,
  { merchant }: MerchantViewer,
  { id, states, version }: SeenVersion & { id: string; states: readonly ChangeState[] },
): Promise<ChangeRow> {
  const [found] = await tx
    .select()
    .from(productChanges)
    .where(and(eq(productChanges.id, id), eq(productChanges.merchantId, merchant.id)))
    .for("update");
  if (!found) throw new ShopError("change_unknown");
  if (!states.includes(found.state)) throw new ShopError("change_decided");
  await requireShownChange(tx, { version }, id);
  return found;
}
