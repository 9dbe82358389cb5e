import type { productChanges } from "@/db/schema/merchants";
import { checkProduct, revisionConflict } from "@/lib/catalog/console/edit-product";
import { readProductRecords } from "@/lib/catalog/import/read-product-records";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ChangeSaved } from "./contract";
import { findRevision } from "./get-merchant-product";
import type { ChangeState } from "./lock-own-change";
import { describeChange, withShopFields } from "./rules";

export type ChangeRow = typeof productChanges.$inferSelect;

/** A change as the merchant submits it. */
export type ChangeContent = { productId: number | null; baseRevision: number; line: Record<string, unknown> };

/** A change that passed the checks of an import. */
export type CheckedChange = Pick<ChangeRow, "productId" | "baseRevision" | "kind" | "risk" | "content"> &
  Pick<ChangeSaved, "needs_approval" | "changes" | "prices">;

/**
 * The change with the shop's fields as they are.
 * @throws ShopError product_unknown, revision_conflict, invalid_input with the fields of the shop
 */
async function prepareEdit(
  viewer: MerchantViewer,
  { productId, baseRevision, line }: ChangeContent,
  locale: Locale,
) {
  const revision = productId === null ? null : await findRevision(viewer, productId);
  if (productId !== null && revision === null) throw new ShopError("product_unknown");
  if (revision !== null && revision !== baseRevision) throw revisionConflict(revision);
  const stored = productId === null ? null : ((await readProductRecords([productId])).get(productId) ?? null);
  const complete = withShopFields(line, stored);
  const issues = complete.refused.map((field) => ({
    path: `line.${field}`,
    message: errorMessage("line_field_fixed", locale),
  }));
  if (issues.length > 0) throw new ShopError("invalid_input", { issues });
  return { id: productId, baseRevision, line: complete.line, merchantId: viewer.merchant.id };
}

/**
 * Checks a change by a dry run of its approval.
 * @throws ShopError product_unknown, revision_conflict, nothing_changes, invalid_input with the problems of fields
 */
export async function checkChange(
  viewer: MerchantViewer,
  change: ChangeContent,
  locale: Locale,
): Promise<CheckedChange> {
  const edit = await prepareEdit(viewer, change, locale);
  const { outcome, line } = await checkProduct({ userId: viewer.actor, locale }, edit);
  const { changes, prices, needs_approval } = outcome;
  if (changes.length === 0) throw new ShopError("nothing_changes");
  const isNew = change.productId === null;
  return {
    productId: change.productId,
    baseRevision: isNew ? 0 : change.baseRevision,
    content: line,
    ...describeChange(changes, { isNew, needsApproval: needs_approval }),
    needs_approval,
    changes,
    prices,
  };
}

export const passesAlone = (viewer: MerchantViewer, { risk }: Pick<ChangeRow, "risk">): boolean =>
  risk === "low" && viewer.merchant.trust === "trusted";

export const toSaved = (
  viewer: MerchantViewer,
  checked: CheckedChange,
  { id, state, version }: { id: string | null; state: ChangeState; version: string | null },
): ChangeSaved => ({
  change_id: id,
  version,
  product_id: checked.productId,
  state,
  kind: checked.kind,
  risk: checked.risk,
  automatic: passesAlone(viewer, checked),
  needs_approval: checked.needs_approval,
  changes: checked.changes,
  prices: checked.prices,
});

export const toColumns = ({ productId, baseRevision, kind, risk, content }: CheckedChange) => ({
  productId,
  baseRevision,
  kind,
  risk,
  content,
});
