import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "@/db/client";
import { productChanges } from "@/db/schema/merchants";
import { type FieldConflict, findConflicts, mergeRecords } from "@/lib/catalog/console/rules-changes";
import { ProductRecord } from "@/lib/catalog/import/contract";
import { readProductRecords } from "@/lib/catalog/import/read-product-records";
import type { ChangeRow } from "./check-change";
import type { MerchantChange } from "./contract";

/** The content of a change: the record that a check has returned. */
export const storedRecord = (content: ChangeRow["content"]): ProductRecord => ProductRecord.parse(content);

/** The record on which a change was made; null: a new product, or none is left. */
export async function readBaseRecord(
  tx: Db,
  { product_id, base_revision }: Pick<MerchantChange, "product_id" | "base_revision">,
): Promise<ProductRecord | null> {
  if (product_id === null) return null;
  // A product from before revisions were kept has its first record as revision 1, once it was changed.
  const [row] = await tx.execute<{ line: ProductRecord }>(sql`
    select line from product_revisions where product_id = ${product_id} and revision = ${Math.max(1, base_revision)}`);
  return row?.line ?? (await readProductRecords([product_id], tx)).get(product_id) ?? null;
}

/**
 * A change applied to its product's newest revision: its own values in the fields that it changed, and the shop's
 * current values in all others.
 */
export type RebasedChange = {
  baseRevision: number;
  line: ProductRecord;
  /** the record it is compared with; null: a new product */
  base: ProductRecord | null;
  /** The product was changed since the change was made. */
  rebased: boolean;
  /** In these fields `line` has the change's values. */
  conflicts: FieldConflict[];
};

/** Moves a change to its product's newest revision, field by field. */
export async function rebaseChange(
  tx: Db,
  { productId, baseRevision, line }: { productId: number | null; baseRevision: number; line: ProductRecord },
): Promise<RebasedChange> {
  const base = await readBaseRecord(tx, { product_id: productId, base_revision: baseRevision });
  const [row] = await tx.execute<{ revision: number }>(
    sql`select revision from products where id = ${productId}`,
  );
  const theirs = productId === null ? undefined : (await readProductRecords([productId], tx)).get(productId);
  if (!row || !theirs || !base || row.revision === baseRevision)
    return { baseRevision, line, base, rebased: false, conflicts: [] };
  return {
    baseRevision: row.revision,
    line: mergeRecords(base, line, theirs),
    base: theirs,
    rebased: true,
    conflicts: findConflicts(base, line, theirs),
  };
}

/** Rebases a waiting change, whose product is locked, to the newest revision, as it was shown to the decider. */
export async function rebaseProposed(tx: Tx, change: ChangeRow): Promise<ChangeRow> {
  const { productId, baseRevision, content } = change;
  if (productId === null) return change;
  const now = await rebaseChange(tx, { productId, baseRevision, line: storedRecord(content) });
  if (!now.rebased) return change;
  const rebased = { baseRevision: now.baseRevision, content: { ...now.line } };
  await tx.update(productChanges).set(rebased).where(eq(productChanges.id, change.id));
  return { ...change, ...rebased };
}
