import type { PlanRecord, ProductRecord } from "@/lib/catalog/import/contract";
import { byField, isPlainField, type PlainField } from "@/lib/catalog/import/rules-fields";
import { planKind } from "@/lib/catalog/import/rules-line";
import { byLocale, isLocale, type Locale } from "@/lib/platform/i18n/locales";

// What differs between two records of a product, and what two people changed in it.

/** A changed field: `texts.zh.tagline`, `plans.week:7.price`. null: the field is absent. Lists are texts with a line each. */
export type FieldChange = { path: string; before: string | null; after: string | null };

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The record with its plans by kind, so that each can be compared with itself. Their order is a separate field. */
function withNamedPlans(line: ProductRecord): Fields {
  const { plans, kind: _kind, ...fields } = line;
  return {
    ...fields,
    plans: Object.fromEntries(plans.map((plan) => [planKind(plan), plan])),
    plan_order: plans.map(planKind),
  };
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).join("\n");
  return typeof value === "string" ? value : JSON.stringify(value);
}

function flatten(value: unknown, path: string, into: Map<string, string>): Map<string, string> {
  if (isFields(value))
    for (const [name, inner] of Object.entries(value)) flatten(inner, path ? `${path}.${name}` : name, into);
  else if (value !== null && value !== undefined) into.set(path, toText(value));
  return into;
}

const flattenRecord = (line: ProductRecord | null): Map<string, string> =>
  line ? flatten(withNamedPlans(line), "", new Map()) : new Map();

/** A name in the path of a changed field, besides the kind of a plan. */
type PathName =
  | Exclude<keyof ProductRecord, "kind">
  | "plan_order"
  | keyof ProductRecord["texts"]
  | keyof ProductRecord["texts"]["en"]
  | keyof PlanRecord
  | keyof NonNullable<PlanRecord["deal"]>
  | keyof ProductRecord["activation"];

const { slug, ...otherPlainFields } = byField(() => true);

/** Every name, in the order in which an editor reads the fields: one that is missing here fails the type check. */
const PATH_NAMES = {
  type: true,
  duration_days: true,
  slug,
  listed: true,
  ...otherPlainFields,
  sort_num: true,
  image: true,
  texts: true,
  search_terms: true,
  activation: true,
  plans: true,
  plan_order: true,
  ...byLocale(() => true),
  name: true,
  tagline: true,
  description: true,
  price: true,
  list_price: true,
  deal: true,
  quantity: true,
  ends_at: true,
  availability: true,
  releases_on: true,
  purchase_limit: true,
  redeem_margin_days: true,
  region: true,
  includes: true,
  url: true,
  steps: true,
} satisfies Record<PathName, boolean>;
const FIELD_ORDER = Object.keys(PATH_NAMES);

/** A name that lists of changes show, besides plain fields, languages and kinds of plans. */
export type FieldName = Exclude<PathName, Locale | PlainField | "plans">;
export const isFieldName = (name: string): name is FieldName =>
  Object.hasOwn(PATH_NAMES, name) && !isPlainField(name) && !isLocale(name) && name !== "plans";

function compareFields(one: FieldChange, other: FieldChange): number {
  const [a, b] = [one, other].map(({ path }) => path.split(".").map((name) => FIELD_ORDER.indexOf(name)));
  const i = (a ?? []).findIndex((place, at) => place !== b?.[at]);
  return (a?.[i] ?? 0) - (b?.[i] ?? 0);
}

/** The fields that differ, in the order of the editor. A plan that came or went changes the order of plans only by that. */
export function findChanges(before: ProductRecord | null, after: ProductRecord): FieldChange[] {
  const [old, now] = [flattenRecord(before), flattenRecord(after)];
  const kept = (order: string | undefined, other: string | undefined) =>
    (order ?? "")
      .split("\n")
      .filter((kind) => (other ?? "").split("\n").includes(kind))
      .join("\n");
  const orders = [old.get("plan_order"), now.get("plan_order")] as const;
  if (kept(orders[0], orders[1]) === kept(orders[1], orders[0])) {
    old.delete("plan_order");
    now.delete("plan_order");
  }
  return [...new Set([...old.keys(), ...now.keys()])]
    .flatMap((path) => {
      const change = { path, before: old.get(path) ?? null, after: now.get(path) ?? null };
      return change.before === change.after ? [] : [change];
    })
    .sort(compareFields);
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function mergeValues<T>(base: unknown, mine: T, theirs: T): T {
  if (same(mine, theirs) || same(base, theirs)) return mine;
  if (same(base, mine)) return theirs;
  if (!isFields(mine) || !isFields(theirs)) return mine;
  const before = isFields(base) ? base : {};
  const merged: Fields = {};
  for (const name of new Set([...Object.keys(mine), ...Object.keys(theirs)]))
    merged[name] = mergeValues(before[name], mine[name], theirs[name]);
  return Object.assign({}, mine, merged);
}

/** A field that two edits changed to different values. null: the field is absent. */
export type FieldConflict = { path: string; mine: string | null; theirs: string | null };

/** The fields of which `mergeRecords` has to choose a value. */
export function findConflicts(
  base: ProductRecord,
  mine: ProductRecord,
  theirs: ProductRecord,
): FieldConflict[] {
  const others = new Map(findChanges(base, theirs).map(({ path, after }) => [path, after]));
  return findChanges(base, mine).flatMap(({ path, after }) => {
    const other = others.get(path);
    return other === undefined || other === after ? [] : [{ path, mine: after, theirs: other }];
  });
}

/**
 * Two edits of one record as one record: the fields that only one of the two changed have that change; where both changed a
 * field, mine is kept.
 */
export function mergeRecords(base: ProductRecord, mine: ProductRecord, theirs: ProductRecord): ProductRecord {
  const byKind = (line: ProductRecord) => new Map(line.plans.map((plan) => [planKind(plan), plan]));
  const [before, own, other] = [byKind(base), byKind(mine), byKind(theirs)];
  const plans = [...new Set([...own.keys(), ...other.keys()])].flatMap((kind) => {
    const [old, here, there] = [before.get(kind), own.get(kind), other.get(kind)];
    if (here && there) return [mergeValues(old, here, there)];
    // A plan that is not mine stays where they added it. One that is not theirs any more stays where I changed or added it.
    if (!here) return there && !old ? [there] : [];
    return same(old, here) ? [] : [here];
  });
  return { ...mergeValues({ ...base, plans: [] }, { ...mine, plans: [] }, { ...theirs, plans: [] }), plans };
}
