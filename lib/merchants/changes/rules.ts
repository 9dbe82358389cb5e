import type { FieldChange } from "@/lib/catalog/console/rules-changes";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import { PLAIN_FIELD_NAMES, PLAIN_FIELDS } from "@/lib/catalog/import/rules-fields";
import type { CHANGE_KINDS, CHANGE_RISKS, ChangeState } from "@/lib/merchants/rules";

// What a merchant may change of a product, and what such a change is about (docs/product.md#145-products-by-proposal).

export type ChangeKind = (typeof CHANGE_KINDS)[number];
export type ChangeRisk = (typeof CHANGE_RISKS)[number];

/** States in which its merchant can edit a change, and in which it can withdraw it. */
export const EDITABLE_STATES: readonly ChangeState[] = ["draft", "returned"];
export const OPEN_STATES: readonly ChangeState[] = ["draft", "returned", "proposed"];
/** The changes that staff see: no drafts and no withdrawn ones. */
export const DECIDED_STATES = [
  "proposed",
  "returned",
  "approved",
  "refused",
] as const satisfies ChangeState[];

/** The note of staff to the merchant. */
export const CHANGE_NOTE_MAX = 1000;
/** `product_changes.decided_by` of a low-risk change of a trusted merchant, and of a pause. */
export const AUTOMATIC = "automatic";
/** `product_changes.created_by` of what the shop changed of a merchant's product: no proposal, an entry of its log. */
export const BY_SHOP = "shop";
/** Days in which a product is marked as changed by the shop. */
export const SHOP_MARK_DAYS = 14;

/** The place in lists of a new product. Staff may move it. */
const NEUTRAL_SORT_NUM = 0;
/** Fields of a record that the shop sets. */
const SHOP_FIELDS: readonly (keyof ProductRecord)[] = [
  ...PLAIN_FIELD_NAMES.filter((name) => PLAIN_FIELDS[name].setBy === "shop"),
  "sort_num",
  "listed",
];

/**
 * A merchant's record with the stored values of the shop's fields (null: a new product), and the shop's fields that the
 * merchant tried to change. A record may omit them.
 */
export function withShopFields(
  given: Record<string, unknown>,
  stored: ProductRecord | null,
): { line: Record<string, unknown>; refused: string[] } {
  const own: Partial<ProductRecord> = stored ?? { sort_num: NEUTRAL_SORT_NUM };
  const line: Record<string, unknown> = { ...given, kind: "product" };
  const refused = SHOP_FIELDS.filter((field) => {
    const [value, kept] = [given[field], own[field]];
    delete line[field];
    if (kept !== undefined) line[field] = kept;
    return value !== undefined && value !== kept && !(field === "listed" && value === true && kept !== false);
  });
  return { line, refused };
}

/** What a changed field is about, and its risk. `plans.week:7.price` */
function describeField({ path, after }: FieldChange): { kind: ChangeKind; risk: ChangeRisk } {
  const field = path.replace(/^plans\.[^.]+\./, "plan.");
  if (/^texts\.|^plan\.includes\.|^(plan\.)?activation\.steps\./.test(field))
    return { kind: "texts", risk: "low" };
  if (field === "plan.price" || field.startsWith("plan.deal.")) return { kind: "price", risk: "low" };
  // A merchant may resume its own pause immediately; as a proposal it waits.
  if (field === "plan.availability")
    return { kind: "availability", risk: after === "paused" ? "low" : "high" };
  if (field.startsWith("plan.") || field === "plan_order") return { kind: "plans", risk: "high" };
  return { kind: "details", risk: "high" };
}

/** The plans that a change takes off sale, as `week:7`. */
export const pausedPlans = (changes: readonly FieldChange[]): string[] =>
  changes.flatMap(({ path, after }) => {
    const plan = /^plans\.([^.]+)\.availability$/.exec(path)?.[1];
    return plan !== undefined && after === "paused" ? [plan] : [];
  });

/** Whether a change puts something new on sale: a product, or another pass of one. */
export const listsNew = (changes: readonly FieldChange[]): boolean =>
  changes.some(({ path, before }) => before === null && /^(?:slug|plans\.[^.]+\.type)$/.test(path));

/** Whether a change sets prices or takes plans off sale, which someone with a member's password alone may not do. */
export const isSensitive = (changes: readonly FieldChange[]): boolean =>
  changes.some((change) => describeField(change).kind === "price") || pausedPlans(changes).length > 0;

/** The kinds by weight: a change is of its weightiest. */
const WEIGHTS: readonly ChangeKind[] = ["plans", "details", "price", "availability", "texts"];

/**
 * The kind of a change, and whether it needs approval even from a trusted merchant. It does for prices outside the
 * guardrails, new products, and everything except texts, steps, pauses and prices.
 */
export function describeChange(
  changes: readonly FieldChange[],
  { isNew, needsApproval }: { isNew: boolean; needsApproval: boolean },
): { kind: ChangeKind; risk: ChangeRisk } {
  const fields = changes.map(describeField);
  const kind = isNew ? "new" : (WEIGHTS.find((one) => fields.some((field) => field.kind === one)) ?? "texts");
  const isHigh = isNew || needsApproval || fields.some(({ risk }) => risk === "high");
  return { kind, risk: isHigh ? "high" : "low" };
}
