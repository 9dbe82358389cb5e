import { type Reason, reason } from "@/lib/platform/error-messages";
import type { ErrorName, ErrorParams } from "@/lib/platform/errors";
import type { KeyImportError, KeyImportOptions } from "./import-options";
import type { KeyRow, PlanName } from "./read-key-rows";
import { CODE_MIN } from "./rules-form";

const DAY_MS = 86_400_000;

type RowResult = "added" | "unchanged" | KeyImportError;
type StoredKey = { plan: number; batch: string | null; own: boolean };
export type ExistingRows = {
  now: string;
  plans: { id: number; product: string; kind: string; weak: boolean; margin: number }[];
  prints: Record<string, StoredKey>;
};

type NewKeys = Map<string, { row: KeyRow; planId: number }>;

/** The results of a batch, by what is stored already; keys to be stored count as added. */
export function decideRows(existing: ExistingRows, batch: KeyRow[], { owner }: KeyImportOptions) {
  const now = new Date(existing.now);
  const results = new Map<KeyRow, RowResult>();
  const foreign = new Set<KeyRow>();
  const newKeys: NewKeys = new Map();
  for (const row of batch) {
    const reject = (error: ErrorName, values?: ErrorParams) =>
      results.set(row, { line: row.line, ...reason(error, values) });
    const plan = findPlan(existing, row.plan);
    const storedKey = existing.prints[row.print];
    if ("message" in plan) results.set(row, { line: row.line, ...plan });
    else if (storedKey && !storedKey.own) {
      // Does not reveal that this is another merchant's code.
      reject("key_not_accepted");
      foreign.add(row);
    } else if (storedKey) {
      if (storedKey.plan !== plan.id) reject("key_known");
      else results.set(row, owner?.batchId && owner.batchId === storedKey.batch ? "added" : "unchanged");
    } else if (row.isWeak && !plan.weak) reject("key_weak", { min: CODE_MIN });
    else if (row.redeemBy && row.redeemBy <= now) reject("key_expired");
    else if (row.redeemBy && row.redeemBy.getTime() - plan.margin * DAY_MS <= now.getTime())
      reject("key_redeem_soon", { days: plan.margin });
    else {
      results.set(row, "added");
      newKeys.set(row.print, { row, planId: plan.id });
    }
  }
  return { results, newKeys, foreign };
}

type ImportPlan = Pick<ExistingRows["plans"][number], "id" | "weak" | "margin">;

function findPlan({ plans }: ExistingRows, name: PlanName): ImportPlan | Reason {
  if (name.planId !== undefined)
    return plans.find(({ id }) => id === name.planId) ?? reason("key_plan_missing");
  const ofProduct = plans.filter(({ product }) => product === name.product);
  if (ofProduct.length === 0) return reason("key_product");
  const kinds = ofProduct.map(({ kind }) => kind).join(", ");
  return ofProduct.find(({ kind }) => kind === name.kind) ?? reason("key_plan_unknown", { plans: kinds });
}

export const listResults = (batch: KeyRow[], results: Map<KeyRow, RowResult>) =>
  batch.map((row) => results.get(row) ?? "unchanged");
