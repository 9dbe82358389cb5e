import { sql } from "drizzle-orm";
import { type Db, db, dryRun, type Tx, transaction } from "@/db/client";
import { ProductRecord } from "@/lib/catalog/import/contract";
import { readProductRecords } from "@/lib/catalog/import/read-product-records";
import { lineHash, rejectionReason } from "@/lib/catalog/import/reject-line";
import { planKind, storedPictureHash } from "@/lib/catalog/import/rules-line";
import type { ParsedLine } from "@/lib/catalog/import/store-plans";
import { writeLines } from "@/lib/catalog/import/write-lines";
import { audit } from "@/lib/platform/audit";
import { type Reason, reason } from "@/lib/platform/error-messages";
import type { PriceEffect } from "./contract";
import { type PriceFileError, readPriceFile } from "./price-file";
import { readPricedPlans } from "./read-priced-plans";
import { type EditOutcome, type PlanEdit, type PricedPlan, planEditOutcome, toPriceEffect } from "./rules";

type Counts = { added: number; changed: number; unchanged: number; refused: number };
export type PriceImportOptions = {
  /** a member of staff's id, in revisions and the audit log */
  actor: string;
  /** Reports the outcome without writing anything. */
  preview?: boolean;
  onRefused: (refusal: PriceFileError) => void;
  onProgress: (counts: Counts) => void;
  /** What buyers will see of each plan that changes. */
  onEffect?: (effect: PriceEffect) => void;
};

/** Plans of a transaction. */
const BATCH = 300;

/**
 * Imports a file of prices (docs/product.md#1310-imports) in batches. A line is rejected when it violates the
 * price rules or needs a second person's approval; the others are applied. Repeating a file changes nothing,
 * so an import can be stopped and run again.
 */
export async function importPrices(
  source: AsyncIterable<Buffer>,
  options: PriceImportOptions,
): Promise<Counts> {
  const counts: Counts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  const { edits, refused } = await readPriceFile(source);
  const refuse = (refusal: PriceFileError) => {
    counts.refused += 1;
    options.onRefused(refusal);
  };
  for (const refusal of refused) refuse(refusal);
  const run = async (parent: Db) => {
    for (let at = 0; at < edits.length; at += BATCH) {
      const batch = edits.slice(at, at + BATCH);
      const done = await writeBatch(parent, batch, options);
      for (const { edit, outcome, plan } of done) {
        if (outcome.state === "refused") refuse({ line: edit.line, field: "price", ...outcome.reason });
        else counts[outcome.state] += 1;
        if (outcome.state === "changed" && plan) options.onEffect?.(toPriceEffect(edit, plan, outcome));
      }
      options.onProgress(counts);
    }
  };
  await (options.preview ? dryRun((tx) => run(tx)) : run(db));
  return counts;
}

export type EditDone = { edit: PlanEdit; outcome: EditOutcome; plan: PricedPlan | undefined };

/** The current outcome of each edit. A plan that the owner does not see counts as missing. */
export function outcomesOf(
  edits: readonly PlanEdit[],
  { plans, now }: { plans: ReadonlyMap<number, PricedPlan>; now: Date },
): EditDone[] {
  return edits.map((edit) => {
    const plan = plans.get(edit.planId);
    const outcome: EditOutcome = plan
      ? planEditOutcome(plan, edit, now)
      : { state: "refused", reason: reason("price_plan") };
    return { edit, outcome, plan };
  });
}

/** Writes a batch in one transaction; after an error each product in its own, so that only the invalid one fails. */
async function writeBatch(
  parent: Db,
  edits: readonly PlanEdit[],
  options: PriceImportOptions,
): Promise<EditDone[]> {
  try {
    return await transaction((tx) => writeEdits(tx, edits, options), { within: parent });
  } catch (error) {
    const why = rejectionReason(error);
    if (!why) throw error;
    if (edits.length === 1) return edits.map((edit) => ({ edit, outcome: refusedBy(why), plan: undefined }));
  }
  const done: EditDone[] = [];
  for (const edit of edits) done.push(...(await writeBatch(parent, [edit], options)));
  return done;
}

const refusedBy = (why: Reason): EditOutcome => ({ state: "refused", reason: why });

async function writeEdits(
  tx: Tx,
  edits: readonly PlanEdit[],
  { actor }: PriceImportOptions,
): Promise<EditDone[]> {
  const planIds = edits.map(({ planId }) => planId);
  // Every writer of products locks them in this order.
  await tx.execute(sql`
    select from products where id in (select product_id from plans where id = any(${sql.param(planIds)}::int[]))
    order by id for no key update`);
  const done = outcomesOf(edits, await readPricedPlans(tx, planIds, { locale: "en" })).map((one) =>
    one.outcome.state === "changed" && one.outcome.needsApproval
      ? { ...one, outcome: refusedBy(reason("price_needs_approval")) }
      : one,
  );
  const products = groupByProduct(done.filter(isChange));
  const records = await readProductRecords([...products.keys()], tx);
  const batch: (ParsedLine<ProductRecord> & { id: number })[] = [];
  for (const [id, changes] of products) {
    const value = withEdits(records.get(id)!, changes);
    const problem = ProductRecord.safeParse(value).error?.issues[0];
    if (problem) {
      for (const change of changes) change.outcome = refusedBy({ message: problem.message });
      continue;
    }
    const hash = value.image === undefined ? null : storedPictureHash(value.image);
    const picture = hash === null ? null : { hash };
    batch.push({ id, line: changes[0]!.edit.line, value, hash: lineHash(value, picture), picture });
  }
  const results = await writeLines(tx, batch, { source: "console", by: actor, note: "prices" });
  for (const [i, result] of results.entries()) {
    const { id } = batch[i]!;
    const changes = products.get(id)!;
    if (typeof result === "object") for (const change of changes) change.outcome = refusedBy(result);
    else {
      const prices = changes.map(({ plan, outcome }) => ({
        path: `plans.${plan!.kind}.price`,
        ...(outcome.state === "changed" && { before: outcome.beforeCents, after: outcome.afterCents }),
      }));
      await audit(
        { actor, action: "product.changed", subject: `product:${id}`, detail: { changes: prices } },
        tx,
      );
    }
  }
  return done;
}

const isChange = ({ outcome }: EditDone) => outcome.state === "changed";

/** By product, in the order of their first lines. */
export function groupByProduct(changes: readonly EditDone[]): Map<number, EditDone[]> {
  const groups = new Map<number, EditDone[]>();
  for (const change of changes) {
    const { productId } = change.plan!;
    groups.set(productId, [...(groups.get(productId) ?? []), change]);
  }
  return groups;
}

/** The record of a product with the edits of its plans. */
export function withEdits(record: ProductRecord, changes: readonly EditDone[]): ProductRecord {
  const fields = new Map(
    changes.map(({ plan, outcome }) => [plan!.kind, outcome.state === "changed" ? outcome.fields : {}]),
  );
  return { ...record, plans: record.plans.map((plan) => ({ ...plan, ...fields.get(planKind(plan)) })) };
}
