import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { PlanRecord, ProductRecord } from "@/lib/catalog/import/contract";
import { readProductRecords } from "@/lib/catalog/import/read-product-records";
import { lineHash } from "@/lib/catalog/import/reject-line";
import { storedPictureHash } from "@/lib/catalog/import/rules-line";
import type { ParsedLine } from "@/lib/catalog/import/store-plans";
import { writeLines } from "@/lib/catalog/import/write-lines";
import { audit } from "@/lib/platform/audit";
import { errorMessage, type Reason } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { BulkInput, BulkResult, ShownRevisions } from "./contract-editor";
import { type Editor, runChange } from "./edit-product";

/**
 * Locks these products, all of which are as they were shown.
 * @throws ShopError revision_conflict: one was changed since, or its revision is not named
 */
export async function requireShownProducts(
  tx: Tx,
  ids: readonly number[],
  revisions: ShownRevisions,
): Promise<void> {
  const stored = await tx.execute<{ id: number; revision: number }>(sql`
    select id, revision from products where id = any(${sql.param(ids)}::int[]) order by id for no key update`);
  if (stored.some(({ id, revision }) => revisions[id] !== revision)) throw new ShopError("revision_conflict");
}

/** `revisions`: as the products were shown to the editor; absent from what was asked before they were named. */
type BulkEdit = Omit<BulkInput, "preview" | "revisions"> & { revisions?: ShownRevisions | undefined };

/**
 * Changes many products in one way; `actor` of the audit log is the editor.
 * @throws ShopError revision_conflict
 */
export async function editProducts(
  { userId, locale }: Editor,
  { product_ids, revisions, action, category }: BulkEdit,
  { preview = false, within }: { preview?: boolean; within?: Tx } = {},
): Promise<BulkResult> {
  const ids = [...new Set(product_ids)];
  const run = async (tx: Tx): Promise<BulkResult> => {
    if (revisions) await requireShownProducts(tx, ids, revisions);
    const lines = await readProductRecords(ids, tx);
    const outcome: BulkResult = { changed: 0, unchanged: 0, refused: [], needs_approval: false };
    const refuse = (product_id: number, { error = "line_refused", values }: Partial<Reason>) =>
      outcome.refused.push({ product_id, message: errorMessage(error, locale, values) });
    const batch: (ParsedLine<ProductRecord> & { id: number })[] = [];
    for (const [line, id] of ids.entries()) {
      const stored = lines.get(id);
      if (!stored) {
        refuse(id, { error: "product_unknown" });
        continue;
      }
      const value = withAction(stored, action, category);
      const hash = value.image === undefined ? null : storedPictureHash(value.image);
      const picture = hash === null ? null : { hash };
      batch.push({ id, line, value, hash: lineHash(value, picture), picture });
    }
    const results = await writeLines(tx, batch, { source: "console", by: userId, note: action });
    const changed: number[] = [];
    for (const [i, result] of results.entries()) {
      const { id } = batch[i]!;
      if (typeof result === "object") refuse(id, result);
      else if (result === "unchanged") outcome.unchanged += 1;
      else changed.push(id);
    }
    outcome.changed = changed.length;
    if (!preview && changed.length > 0)
      await auditBulk(tx, userId, { action, ...(category !== undefined && { category }) }, changed);
    return outcome;
  };
  return within ? run(within) : runChange(run, preview, locale);
}

/** One entry for each product, so that its own history has it. */
async function auditBulk(
  tx: Tx,
  actor: string,
  detail: Record<string, unknown>,
  ids: number[],
): Promise<void> {
  for (const id of ids)
    await audit({ actor, action: "product.changed", subject: `product:${id}`, detail }, tx);
}

/** What a paused plan was: a paused pre-order keeps its date. */
const resumed = ({ releases_on }: PlanRecord) => (releases_on === null ? "in_stock" : "pre_order");

function withAction(
  line: ProductRecord,
  action: BulkInput["action"],
  category: string | undefined,
): ProductRecord {
  switch (action) {
    case "pause":
      return { ...line, plans: line.plans.map((plan) => ({ ...plan, availability: "paused" as const })) };
    case "resume":
      return {
        ...line,
        plans: line.plans.map((plan) => ({
          ...plan,
          availability: plan.availability === "paused" ? resumed(plan) : plan.availability,
        })),
      };
    case "list": {
      const { listed: _listed, ...rest } = line;
      return rest;
    }
    case "unlist":
      return { ...line, listed: false };
    case "category":
      return { ...line, category: category ?? line.category };
  }
}
