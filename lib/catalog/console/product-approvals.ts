import { z } from "zod";
import { BulkInput, EditInput, ShownRevisions } from "@/lib/catalog/console/contract-editor";
import { editProduct } from "@/lib/catalog/console/edit-product";
import { editProducts } from "@/lib/catalog/console/edit-products";
import type { ApprovedActions } from "@/lib/platform/console/approval";
import { ShopError } from "@/lib/platform/errors";

/** The payloads of the approvals. */
const PriceChange = EditInput.omit({ preview: true }).extend({ product_id: z.int().nullable() });
const BulkChange = BulkInput.omit({ preview: true }).extend({
  /** absent from what was asked before it was kept */
  revisions: ShownRevisions.optional(),
});

/** What approvals about products do. The person who asked is the author, the one who approved stands in the audit log. */
export const productApprovals = {
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
} satisfies ApprovedActions;
