import { db, transaction } from "@/db/client";
import type { BulkInput, BulkResult } from "@/lib/catalog/console/contract-editor";
import { editProducts, requireShownProducts } from "@/lib/catalog/console/edit-products";
import { audit } from "@/lib/platform/audit";
import { permissionRule } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ApprovalNeeded } from "@/lib/platform/console/approval";
import { lockSumOfDay, sumOfDay } from "@/lib/platform/console/sum-of-day";
import type { Locale } from "@/lib/platform/i18n/locales";

/**
 * Changes many products in one way. More of one person and day than the permission allows wait for a second person.
 * @throws ApprovalNeeded; ShopError revision_conflict
 */
export async function changeProducts(
  viewer: StaffViewer,
  { preview, ...change }: BulkInput,
  locale: Locale,
): Promise<BulkResult> {
  const ids = [...new Set(change.product_ids)];
  const { userId: actor } = viewer;
  const exceeds = (today: number) => today + ids.length > permissionRule("products.write").fourEyesAbove!;
  const editor = { userId: actor, locale };
  if (preview) {
    const needs_approval = exceeds(await sumOfDay(db, actor, "changed_products"));
    return { ...(await editProducts(editor, change, { preview })), needs_approval };
  }
  await transaction(async (tx) => {
    await requireShownProducts(tx, ids, change.revisions);
    const subject = `${change.action} × ${ids.length}`;
    if (exceeds(await lockSumOfDay(tx, actor, "changed_products")))
      throw new ApprovalNeeded({
        kind: "change_products",
        payload: { ...change, product_ids: ids },
        subject,
      });
    const detail = { action: change.action, products: ids.length };
    await audit({ actor, action: "products.changed", subject, detail }, tx);
  });
  return { ...(await editProducts(editor, change, { preview })), needs_approval: false };
}
