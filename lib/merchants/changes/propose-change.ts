import { eq } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { productChanges } from "@/db/schema/merchants";
import { revisionConflict } from "@/lib/catalog/console/edit-product";
import { requireTradeFile } from "@/lib/merchants/trade-file/settle-trade-file";
import { audit } from "@/lib/platform/audit";
import { type MerchantViewer, requireReauthenticated } from "@/lib/platform/auth/merchant-access";
import type { SeenVersion } from "@/lib/platform/console/version";
import type { Locale } from "@/lib/platform/i18n/locales";
import { applyChange, mailPause } from "./apply-change";
import { type CheckedChange, checkChange, passesAlone, toColumns } from "./check-change";
import type { ChangeMoved } from "./contract";
import { lockOwnChange } from "./lock-own-change";
import { rebaseChange, storedRecord } from "./rebase-change";
import { AUTOMATIC, EDITABLE_STATES, isSensitive, listsNew, pausedPlans } from "./rules";

/**
 * Proposes a checked change of this row; a low-risk one of a trusted merchant is live immediately. If it sets prices or
 * takes plans off sale, it requires the member's second factor.
 * @throws ShopError second_factor_required, reauthentication_required, trade_file_incomplete: of something new
 */
export async function proposeWithin(
  tx: Tx,
  viewer: MerchantViewer,
  { id, checked, locale }: { id: string; checked: CheckedChange; locale: Locale },
): Promise<ChangeMoved> {
  if (passesAlone(viewer, checked) && isSensitive(checked.changes)) requireReauthenticated(viewer.user);
  if (listsNew(checked.changes)) await requireTradeFile(tx, viewer.merchant.id);
  const [row] = await tx
    .update(productChanges)
    .set({ ...toColumns(checked), state: "proposed", proposedAt: shopNow, updatedAt: shopNow })
    .where(eq(productChanges.id, id))
    .returning();
  const change = row!;
  const detail = { product: change.productId, kind: change.kind, risk: change.risk };
  await audit({ actor: viewer.actor, action: "change.proposed", subject: id, detail }, tx);
  if (!passesAlone(viewer, checked)) return { change_id: id, state: "proposed", revision: null };
  const revision = await applyChange(tx, change, { decidedBy: AUTOMATIC, locale });
  await mailPause(tx, viewer, { productId: change.productId, plans: pausedPlans(checked.changes) });
  return { change_id: id, state: "approved", revision };
}

/**
 * Proposes a draft or a returned change. Staff decide; a low-risk change of a trusted merchant is approved
 * automatically.
 * @throws ShopError change_unknown, change_decided, those of `createChange` and `proposeWithin`
 */
export async function proposeChange(
  viewer: MerchantViewer,
  id: string,
  { version, locale }: SeenVersion & { locale: Locale },
): Promise<ChangeMoved> {
  const find = (tx: Tx) => lockOwnChange(tx, viewer, { id, states: EDITABLE_STATES, version });
  const { content, ...row } = await transaction(find);
  const { productId } = row;
  const now = await rebaseChange(db, {
    productId,
    baseRevision: row.baseRevision,
    line: storedRecord(content),
  });
  // The merchant must first see what the shop changed in the same fields.
  if (now.conflicts.length > 0) throw revisionConflict(now.baseRevision);
  const { baseRevision, line } = now;
  const checked = await checkChange(viewer, { productId, baseRevision, line }, locale);
  return transaction(async (tx) => {
    await find(tx);
    return proposeWithin(tx, viewer, { id, checked, locale });
  });
}
