import { eq } from "drizzle-orm";
import { shopNow, type Tx } from "@/db/client";
import { productChanges } from "@/db/schema/merchants";
import { editProduct } from "@/lib/catalog/console/edit-product";
import { mailOwners } from "@/lib/merchants/states/change-state";
import { requireTradeFile } from "@/lib/merchants/trade-file/settle-trade-file";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ChangeRow } from "./check-change";
import { AUTOMATIC, listsNew } from "./rules";

export type Decider = {
  /** a user's id, or `automatic` */
  decidedBy: string;
  note?: string | undefined;
  locale: Locale;
};

/**
 * Writes the change of a locked row to the product as the editor does, and marks the row. `approved`: prices outside
 * the guardrails are allowed.
 * @throws ShopError trade_file_incomplete (only for something new), revision_conflict, invalid_input with the problems
 * of fields
 */
export async function applyChange(
  tx: Tx,
  change: ChangeRow,
  { decidedBy, note, locale }: Decider,
): Promise<number> {
  const { id, productId, baseRevision, content, merchantId, createdBy } = change;
  const isAutomatic = decidedBy === AUTOMATIC;
  const result = await editProduct(
    { userId: createdBy, locale },
    { id: productId, baseRevision, line: content, merchantId },
    { within: tx, approved: !isAutomatic },
  );
  if (listsNew(result.changes)) await requireTradeFile(tx, merchantId);
  await tx
    .update(productChanges)
    .set({
      state: "approved",
      decidedBy,
      decidedAt: shopNow,
      updatedAt: shopNow,
      note: note ?? null,
      productId: result.product_id,
      revision: result.revision,
    })
    .where(eq(productChanges.id, id));
  const detail = {
    product: result.product_id,
    revision: result.revision,
    kind: change.kind,
    risk: change.risk,
    fields: result.changes.length,
    before: { state: change.state },
    after: { state: "approved" },
    ...(isAutomatic && { automatic: true }),
    ...(note && { note }),
  };
  const actor = isAutomatic ? "system" : decidedBy;
  await audit({ actor, action: "change.approved", subject: id, detail }, tx);
  return result.revision;
}

/** Mails the owners which plans of a product a member took off sale. */
export async function mailPause(
  tx: Tx,
  { user, actor, merchant }: MerchantViewer,
  { productId, plans }: { productId: number | null; plans: readonly string[] },
): Promise<void> {
  if (!user || productId === null || plans.length === 0) return;
  const refs = { merchantId: merchant.id, productId, plans: plans.join(","), actor };
  await mailOwners(tx, merchant.id, { event: "plan-paused", refs });
}
