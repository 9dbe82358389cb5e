import { eq } from "drizzle-orm";
import { z } from "zod";
import { db, transaction } from "@/db/client";
import { products } from "@/db/schema/catalog";
import {
  editLine,
  editProduct,
  editProducts,
  type LineEdit,
  type ProductEdit,
  requireShownProducts,
  undoEdit,
} from "@/lib/catalog/console/commands-editor";
import {
  BulkInput,
  type BulkResult,
  EditInput,
  type EditResult,
  type LineSaved,
  ShownRevisions,
  type WeakCodes,
} from "@/lib/catalog/console/contract-editor";
import { readProductLines } from "@/lib/catalog/import/queries";
import { textsOfLine } from "@/lib/catalog/import/rules-line";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import {
  type ApprovalHandlers,
  type ApprovalRequest,
  approvalRequired,
  askApproval,
} from "@/lib/staff/approvals/commands";
import { lockSumOfDay, sumOfDay } from "@/lib/staff/day-sums/commands";
import { permissionRule } from "@/lib/staff/rules";

/** The payloads of the approvals. */
const PriceChange = EditInput.omit({ preview: true }).extend({ product_id: z.int().nullable() });
const BulkChange = BulkInput.omit({ preview: true }).extend({
  /** absent from what was asked before it was kept */
  revisions: ShownRevisions.optional(),
});

const askFor = async (viewer: StaffViewer, request: ApprovalRequest): Promise<never> => {
  throw approvalRequired(await transaction((tx) => askApproval(tx, viewer, request)));
};

type Options = { preview: boolean; locale: Locale };

/**
 * Saves a product. Prices that differ a lot wait for a second person.
 * @throws ShopError approval_required, note_has_code, and those of `editProduct`
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
  return askFor(viewer, { kind: "change_prices", payload, subject: result.slug });
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

/** Returns a product to an earlier revision, as a new one. @throws ShopError revision_unknown, and those of `saveProduct` */
export async function undoProduct(
  viewer: StaffViewer,
  { id, base_revision, revision }: { id: number; base_revision: number; revision: number },
  options: Options,
): Promise<EditResult> {
  return saveProduct(viewer, await undoEdit(id, base_revision, revision), options);
}

/**
 * Changes many products in one way. More of one person and day than the permission allows wait for a second person.
 * @throws ShopError revision_conflict, approval_required
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
  const approvalId = await transaction(async (tx) => {
    await requireShownProducts(tx, ids, change.revisions);
    const subject = `${change.action} × ${ids.length}`;
    if (exceeds(await lockSumOfDay(tx, actor, "changed_products")))
      return askApproval(tx, viewer, {
        kind: "change_products",
        payload: { ...change, product_ids: ids },
        subject,
      });
    const detail = { action: change.action, products: ids.length };
    await audit({ actor, action: "products.changed", subject, detail }, tx);
    return null;
  });
  if (approvalId) throw approvalRequired(approvalId);
  return { ...(await editProducts(editor, change, { preview })), needs_approval: false };
}

/**
 * Says whether a product takes codes that may be mistaken for words (lib/delivery/import/rules-form.ts).
 * @throws ShopError product_unknown, nothing_changes
 */
export async function allowWeakCodes(
  { userId: actor }: StaffViewer,
  id: number,
  allowed: boolean,
): Promise<WeakCodes> {
  return transaction(async (tx) => {
    const isProduct = eq(products.id, id);
    const [product] = await tx
      .select({ allowed: products.weakKeys })
      .from(products)
      .where(isProduct)
      .for("update");
    if (!product) throw new ShopError("product_unknown");
    if (product.allowed === allowed) throw new ShopError("nothing_changes");
    await tx.update(products).set({ weakKeys: allowed }).where(isProduct);
    const detail = { before: { weak_codes: !allowed }, after: { weak_codes: allowed } };
    await audit({ actor, action: "product.weak_codes", subject: `product:${id}`, detail }, tx);
    return { product_id: id, allowed };
  });
}

/** What approvals about products do. The person who asked is the author, the one who approved stands in the audit log. */
export const productApprovals: Pick<ApprovalHandlers, "change_prices" | "change_products"> = {
  async change_prices(tx, payload, { askedBy }) {
    const { product_id: id, base_revision: baseRevision, line, note } = PriceChange.parse(payload);
    const edit = { id, baseRevision, line, note };
    await editProduct({ userId: askedBy, locale: "en" }, edit, { approved: true, within: tx });
  },
  async change_products(tx, payload, { askedBy }) {
    const { refused } = await editProducts({ userId: askedBy, locale: "en" }, BulkChange.parse(payload), {
      within: tx,
    });
    if (refused.length > 0) throw new ShopError("revision_conflict");
  },
};
