import type { EditResult } from "@/lib/catalog/console/contract-editor";
import { editProduct, type ProductEdit, undoEdit } from "@/lib/catalog/console/edit-product";
import { readProductRecords } from "@/lib/catalog/import/read-product-records";
import { textsOfRecord } from "@/lib/catalog/import/rules-line";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ApprovalNeeded } from "@/lib/platform/console/approval";
import type { Locale } from "@/lib/platform/i18n/locales";

/** The texts that an edit changes. Unchanged texts of the product are not checked again. */
export async function textsOfEdit({ id, line, note }: Omit<ProductEdit, "baseRevision">): Promise<string[]> {
  const before = id === null ? undefined : (await readProductRecords([id])).get(id);
  return [note ?? "", ...textsOfRecord(line, before).map(({ text }) => text)];
}

type Options = { preview: boolean; locale: Locale };

/**
 * Saves a product. Prices that differ a lot wait for a second person.
 * @throws ApprovalNeeded, and the errors of `editProduct`
 */
export async function saveProduct(
  viewer: StaffViewer,
  edit: ProductEdit,
  { preview, locale }: Options,
): Promise<EditResult> {
  const result = await editProduct({ userId: viewer.userId, locale }, edit, { preview });
  if (preview || !result.needs_approval) return result;
  const { id, baseRevision, line, note } = edit;
  const payload = { product_id: id, base_revision: baseRevision, line, ...(note && { note }) };
  throw new ApprovalNeeded({ kind: "change_prices", payload, subject: result.slug });
}

/** Returns a product to an earlier revision, as a new one. @throws ShopError revision_unknown, and the errors of `saveProduct` */
export async function undoProduct(
  viewer: StaffViewer,
  { id, base_revision, revision }: { id: number; base_revision: number; revision: number },
  options: Options,
): Promise<EditResult> {
  return saveProduct(viewer, await undoEdit(id, base_revision, revision), options);
}
