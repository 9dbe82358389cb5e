import { db } from "@/db/client";
import type { EditResult, LineSaved } from "@/lib/catalog/console/contract-editor";
import { editLine, type LineEdit } from "@/lib/catalog/console/edit-line";
import { editProduct, type ProductEdit, undoEdit } from "@/lib/catalog/console/edit-product";
import { readProductLines } from "@/lib/catalog/import/read-product-lines";
import { textsOfLine } from "@/lib/catalog/import/rules-line";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ApprovalNeeded } from "@/lib/platform/console/approval";
import type { Locale } from "@/lib/platform/i18n/locales";

type Options = { preview: boolean; locale: Locale };

/**
 * Saves a product. Prices that differ a lot wait for a second person.
 * @throws ApprovalNeeded; ShopError note_has_code, and those of `editProduct`
 */
export async function saveProduct(
  viewer: StaffViewer,
  edit: ProductEdit,
  { preview, locale }: Options,
): Promise<EditResult> {
  const before = edit.id === null ? undefined : (await readProductLines([edit.id])).get(edit.id);
  await requireNoCode(db, [edit.note ?? "", ...textsOfLine(edit.line, before).map(({ text }) => text)]);
  const result = await editProduct({ userId: viewer.userId, locale }, edit, { preview });
  if (preview || !result.needs_approval) return result;
  const { id, baseRevision, line, note } = edit;
  const payload = { product_id: id, base_revision: baseRevision, line, ...(note && { note }) };
  throw new ApprovalNeeded({ kind: "change_prices", payload, subject: result.slug });
}

/**
 * Writes a category or a group of synonyms.
 * @throws ShopError note_has_code, and those of `editLine`
 */
export async function saveLine(
  viewer: StaffViewer,
  kind: "category" | "synonyms",
  edit: LineEdit,
  { preview, locale }: Options,
): Promise<LineSaved> {
  await requireNoCode(
    db,
    textsOfLine(edit.line).map(({ text }) => text),
  );
  return editLine({ userId: viewer.userId, locale }, kind, edit, preview);
}

/** Returns a product to an earlier revision, as a new one. @throws ApprovalNeeded; ShopError revision_unknown, and those of `saveProduct` */
export async function undoProduct(
  viewer: StaffViewer,
  { id, base_revision, revision }: { id: number; base_revision: number; revision: number },
  options: Options,
): Promise<EditResult> {
  return saveProduct(viewer, await undoEdit(id, base_revision, revision), options);
}
