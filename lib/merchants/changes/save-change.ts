import { eq } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { productChanges } from "@/db/schema/merchants";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { Locale } from "@/lib/platform/i18n/locales";
import { readOwnVersion } from "./change-version";
import { checkChange, toColumns, toSaved } from "./check-change";
import type { ChangeSaved, SaveChangeInput } from "./contract";
import { lockOwnChange } from "./lock-own-change";
import { EDITABLE_STATES } from "./rules";

/**
 * Saves a draft, or a change that staff returned, which stays returned until it is proposed again.
 * @throws ShopError change_unknown, change_decided, and those of `createChange`
 */
export async function saveChange(
  viewer: MerchantViewer,
  id: string,
  { version, base_revision, line, preview, locale }: SaveChangeInput & { locale: Locale },
): Promise<ChangeSaved> {
  const find = (tx: Tx) => lockOwnChange(tx, viewer, { id, states: EDITABLE_STATES, version });
  const { productId } = await transaction(find);
  const checked = await checkChange(viewer, { productId, baseRevision: base_revision, line }, locale);
  return transaction(async (tx) => {
    const { state, ...before } = await find(tx);
    const saved = async () => toSaved(viewer, checked, { id, state, version: await readOwnVersion(tx, id) });
    if (preview) return saved();
    await tx
      .update(productChanges)
      .set({ ...toColumns(checked), updatedAt: shopNow })
      .where(eq(productChanges.id, id));
    const detail = {
      before: { base_revision: before.baseRevision, kind: before.kind },
      after: { base_revision: checked.baseRevision, kind: checked.kind },
    };
    await audit({ actor: viewer.actor, action: "change.saved", subject: id, detail }, tx);
    return saved();
  });
}
