import { sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { EFFECTS_LISTED } from "@/lib/catalog/bulk/contract";
import { type EditDone, groupByProduct, outcomesOf, withEdits } from "@/lib/catalog/bulk/import-prices";
import type { PriceFileError } from "@/lib/catalog/bulk/price-file";
import { readPricedPlans } from "@/lib/catalog/bulk/read-priced-plans";
import { type PlanEdit, toPriceEffect } from "@/lib/catalog/bulk/rules";
import { readProductRecords } from "@/lib/catalog/import/read-product-records";
import { checkChange } from "@/lib/merchants/changes/check-change";
import { insertDraft } from "@/lib/merchants/changes/create-change";
import { proposeWithin } from "@/lib/merchants/changes/propose-change";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { reasonIn } from "@/lib/platform/error-messages";
import { isShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { runInBackground } from "@/lib/platform/request-scope";
import type { BulkApplied, BulkPreview } from "./contract";
import { APPLY_MS, APPLY_PRODUCTS } from "./rules";

/** The edits of plans that were read, and the lines that could not be read. */
export type ReadEdits = { edits: readonly PlanEdit[]; refused: readonly PriceFileError[] };

const toRefused = ({ line, field, ...reason }: PriceFileError, locale: Locale) => ({
  line,
  field,
  message: reasonIn(locale, reason),
});

/** Previews edits of plans, line by line. Writes nothing. */
export async function previewEdits(
  { merchant }: MerchantViewer,
  { edits, refused }: ReadEdits,
  { sha256, locale }: { sha256: string | null; locale: Locale },
): Promise<BulkPreview> {
  const planIds = edits.map(({ planId }) => planId);
  const done = await runInBackground(async () =>
    outcomesOf(edits, await readPricedPlans(db, planIds, { merchantId: merchant.id, locale })),
  );
  const report = [...refused, ...done.flatMap(toFileError)].sort((a, b) => a.line - b.line);
  const effects = done.flatMap(({ edit, outcome, plan }) =>
    outcome.state === "changed" && plan ? [toPriceEffect(edit, plan, outcome)] : [],
  );
  const count = (state: string) => done.filter(({ outcome }) => outcome.state === state).length;
  return {
    sha256,
    counts: { changed: count("changed"), unchanged: count("unchanged"), refused: report.length },
    effects: effects.slice(0, EFFECTS_LISTED),
    refused: report.map((line) => toRefused(line, locale)),
    automatic: merchant.trust === "trusted",
  };
}

const toFileError = ({ edit, outcome }: EditDone): PriceFileError[] =>
  outcome.state === "refused"
    ? [{ line: edit.line, field: edit.kind === "price" ? "price" : "", ...outcome.reason }]
    : [];

/**
 * Applies edits of plans as one change per product, which is live immediately if a change of one plan would be, and
 * otherwise proposed. Processes products with ids above `after` for about 1.5 seconds; the next call continues.
 * Repeating a call changes nothing.
 * @throws ShopError second_factor_required, reauthentication_required
 */
export async function applyEdits(
  viewer: MerchantViewer,
  { edits, refused }: ReadEdits,
  { after, locale }: { after: number; locale: Locale },
): Promise<BulkApplied> {
  const end = performance.now() + APPLY_MS;
  const owner = { merchantId: viewer.merchant.id, locale };
  const counts = { changed: 0, unchanged: 0, refused: 0, waiting: 0 };
  const report: PriceFileError[] = after === 0 ? [...refused] : [];
  const byPlan = new Map(edits.map((edit) => [edit.planId, edit]));
  return runInBackground(async () => {
    const { productIds, unknown, hasMore } = await findProducts(viewer, [...byPlan.keys()], after);
    // Plans of other merchants count as missing, and are reported by the first call only.
    if (after === 0)
      report.push(
        ...outcomesOf(
          unknown.map((id) => byPlan.get(id)!),
          { plans: new Map(), now: new Date() },
        ).flatMap(toFileError),
      );
    let last: number | null = null;
    for (const { productId, planIds } of productIds) {
      if (last !== null && performance.now() > end) break;
      const priced = await readPricedPlans(db, planIds, owner);
      const done = outcomesOf(
        planIds.map((id) => byPlan.get(id)!),
        priced,
      );
      const changes =
        groupByProduct(done.filter(({ outcome }) => outcome.state === "changed")).get(productId) ?? [];
      const state =
        changes.length > 0 ? await applyToProduct(viewer, productId, changes, locale) : "unchanged";
      report.push(...done.flatMap(toFileError));
      counts.unchanged += done.filter(({ outcome }) => outcome.state === "unchanged").length;
      if (typeof state === "object")
        report.push(...changes.map(({ edit }) => ({ line: edit.line, field: "price", ...state })));
      else counts[state === "unchanged" ? "unchanged" : "changed"] += changes.length;
      if (state === "proposed") counts.waiting += changes.length;
      last = productId;
    }
    const lines = report.sort((a, b) => a.line - b.line);
    const isDone = last === null || (!hasMore && last === productIds.at(-1)?.productId);
    return {
      counts: { ...counts, refused: lines.length },
      refused: lines.map((line) => toRefused(line, locale)),
      next: isDone ? null : last,
    };
  });
}

/** The next products of these plans by id, and the plans that the merchant does not sell. */
async function findProducts({ merchant }: MerchantViewer, planIds: readonly number[], after: number) {
  const rows = await db.execute<{ productId: number; planId: number }>(sql`
    select p.id as "productId", pl.id as "planId" from plans pl join products p on p.id = pl.product_id
    where pl.id = any(${sql.param(planIds)}::int[]) and pl.listed and p.merchant_id = ${merchant.id} order by p.id, pl.id`);
  const own = new Set(rows.map(({ planId }) => planId));
  const byProduct = new Map<number, number[]>();
  for (const { productId, planId } of rows)
    if (productId > after) byProduct.set(productId, [...(byProduct.get(productId) ?? []), planId]);
  const productIds = [...byProduct].map(([productId, ids]) => ({ productId, planIds: ids }));
  return {
    productIds: productIds.slice(0, APPLY_PRODUCTS),
    hasMore: productIds.length > APPLY_PRODUCTS,
    unknown: planIds.filter((id) => !own.has(id)),
  };
}

/** Applies all edits of a product as one change. Returns the reason if it is rejected. */
async function applyToProduct(
  viewer: MerchantViewer,
  productId: number,
  changes: readonly EditDone[],
  locale: Locale,
): Promise<"approved" | "proposed" | "unchanged" | { message: string }> {
  const [stored] = await db.execute<{ revision: number }>(
    sql`select revision from products where id = ${productId}`,
  );
  const record = (await readProductRecords([productId])).get(productId);
  if (!stored || !record) return "unchanged";
  const line = withEdits(record, changes);
  if (await isProposed(viewer, productId, changes)) return "unchanged";
  try {
    const content = { productId, baseRevision: stored.revision, line };
    const checked = await checkChange(viewer, content, locale);
    return await transaction(async (tx) => {
      const id = await insertDraft(tx, viewer, checked);
      const { state } = await proposeWithin(tx, viewer, { id, checked, locale });
      return state === "approved" ? "approved" : "proposed";
    });
  } catch (error) {
    if (isShopError(error, "nothing_changes")) return "unchanged";
    if (isShopError(error, "invalid_input") || isShopError(error, "revision_conflict"))
      return { message: error.issues?.[0]?.message ?? reasonIn(locale, { message: "", error: error.error }) };
    throw error;
  }
}

/** Whether a waiting change already proposes the same prices and deals. */
async function isProposed(
  { merchant }: MerchantViewer,
  productId: number,
  changes: readonly EditDone[],
): Promise<boolean> {
  const wanted = changes.map(({ plan, outcome }) => ({
    kind: plan!.kind,
    ...(outcome.state === "changed" && {
      price: outcome.fields.price ?? null,
      deal: outcome.fields.deal?.price ?? null,
    }),
  }));
  const [row] = await db.execute(sql`
    select from product_changes c where c.product_id = ${productId} and c.merchant_id = ${merchant.id} and c.state = 'proposed'
      and not exists (
        select from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w(kind text, price numeric, deal numeric)
        where not exists (
          select from jsonb_array_elements(c.content -> 'plans') x
          where (x ->> 'type') || coalesce(':' || (x ->> 'duration_days'), '') = w.kind
            and (w.price is null or (x ->> 'price')::numeric = w.price)
            and (w.deal is null or (x #>> '{deal,price}')::numeric = w.deal)))
    limit 1`);
  return row !== undefined;
}
