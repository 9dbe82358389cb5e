import { shopNow, type Tx, transaction } from "@/db/client";
import { productChanges } from "@/db/schema/merchants";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { newId } from "@/lib/platform/crypto/ids";
import type { Locale } from "@/lib/platform/i18n/locales";
import { readOwnVersion } from "./change-version";
import { type CheckedChange, checkChange, toColumns, toSaved } from "./check-change";
import type { ChangeSaved, NewChangeInput } from "./contract";

/** Stores a new draft in the transaction. */
export async function insertDraft(tx: Tx, viewer: MerchantViewer, checked: CheckedChange): Promise<string> {
  const id = newId("chg");
  const values = {
    id,
    merchantId: viewer.merchant.id,
    createdBy: viewer.actor,
    createdAt: shopNow,
    updatedAt: shopNow,
  };
  await tx.insert(productChanges).values({ ...values, ...toColumns(checked) });
  const detail = { product: checked.productId, kind: checked.kind, risk: checked.risk };
  await audit({ actor: viewer.actor, action: "change.created", subject: id, detail }, tx);
  return id;
}

/**
 * Stores a draft of a change of a product, or of a new one. Nothing of it is live. With `preview` only the response is
 * computed.
 * @throws ShopError product_unknown, revision_conflict, nothing_changes, invalid_input with the problems of fields
 */
export async function createChange(
  viewer: MerchantViewer,
  { product_id, base_revision, line, preview }: NewChangeInput,
  locale: Locale,
): Promise<ChangeSaved> {
  const content = { productId: product_id, baseRevision: base_revision, line };
  const checked = await checkChange(viewer, content, locale);
  if (preview) return toSaved(viewer, checked, { id: null, state: "draft", version: null });
  return transaction(async (tx) => {
    const id = await insertDraft(tx, viewer, checked);
    return toSaved(viewer, checked, { id, state: "draft", version: await readOwnVersion(tx, id) });
  });
}
