import { and, eq } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { productChanges } from "@/db/schema/merchants";
import { checkProduct, editProduct, revisionConflict } from "@/lib/catalog/console/commands-editor";
import { ProductLine } from "@/lib/catalog/import/contract";
import { readProductLines } from "@/lib/catalog/import/queries";
import type { CHANGE_STATES } from "@/lib/merchants/rules";
import { mailOwners } from "@/lib/merchants/states/commands";
import { audit } from "@/lib/platform/audit";
import { type MerchantViewer, requireReauthenticated } from "@/lib/platform/auth/merchant-access";
import type { SeenVersion } from "@/lib/platform/console/version";
import { newId } from "@/lib/platform/crypto/ids";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ChangeMoved, ChangeSaved, NewChangeInput, SaveChangeInput } from "./contract";
import { findRevision, readOwnVersion, rebaseChange, requireShownChange } from "./queries";
import {
  AUTOMATIC,
  describeChange,
  EDITABLE_STATES,
  isSensitive,
  OPEN_STATES,
  pausedPlans,
  withShopFields,
} from "./rules";

export type ChangeRow = typeof productChanges.$inferSelect;
type State = (typeof CHANGE_STATES)[number];

/** A change as its merchant gives it. */
export type ChangeContent = { productId: number | null; baseRevision: number; line: Record<string, unknown> };

/** A change that was checked as an import checks its line. */
type CheckedChange = Pick<ChangeRow, "productId" | "baseRevision" | "kind" | "risk" | "content"> &
  Pick<ChangeSaved, "needs_approval" | "changes" | "prices">;

/**
 * The change with the shop's fields as they are.
 * @throws ShopError product_unknown, revision_conflict, invalid_input with the fields of the shop
 */
async function prepareEdit(
  viewer: MerchantViewer,
  { productId, baseRevision, line }: ChangeContent,
  locale: Locale,
) {
  const revision = productId === null ? null : await findRevision(viewer, productId);
  if (productId !== null && revision === null) throw new ShopError("product_unknown");
  if (revision !== null && revision !== baseRevision) throw revisionConflict(revision);
  const stored = productId === null ? null : ((await readProductLines([productId])).get(productId) ?? null);
  const complete = withShopFields(line, stored);
  const issues = complete.refused.map((field) => ({
    path: `line.${field}`,
    message: errorMessage("line_field_fixed", locale),
  }));
  if (issues.length > 0) throw new ShopError("invalid_input", { issues });
  return { id: productId, baseRevision, line: complete.line, merchantId: viewer.merchant.id };
}

/**
 * Checks a change by a dry run of its approval.
 * @throws ShopError product_unknown, revision_conflict, nothing_changes, invalid_input with the problems of fields
 */
export async function checkChange(
  viewer: MerchantViewer,
  change: ChangeContent,
  locale: Locale,
): Promise<CheckedChange> {
  const edit = await prepareEdit(viewer, change, locale);
  const { outcome, line } = await checkProduct({ userId: viewer.actor, locale }, edit);
  const { changes, prices, needs_approval } = outcome;
  if (changes.length === 0) throw new ShopError("nothing_changes");
  const isNew = change.productId === null;
  return {
    productId: change.productId,
    baseRevision: isNew ? 0 : change.baseRevision,
    content: line,
    ...describeChange(changes, { isNew, needsApproval: needs_approval }),
    needs_approval,
    changes,
    prices,
  };
}

const passesAlone = (viewer: MerchantViewer, { risk }: Pick<ChangeRow, "risk">): boolean =>
  risk === "low" && viewer.merchant.trust === "trusted";

export const toSaved = (
  viewer: MerchantViewer,
  checked: CheckedChange,
  { id, state, version }: { id: string | null; state: State; version: string | null },
): ChangeSaved => ({
  change_id: id,
  version,
  product_id: checked.productId,
  state,
  kind: checked.kind,
  risk: checked.risk,
  automatic: passesAlone(viewer, checked),
  needs_approval: checked.needs_approval,
  changes: checked.changes,
  prices: checked.prices,
});

const toColumns = ({ productId, baseRevision, kind, risk, content }: CheckedChange) => ({
  productId,
  baseRevision,
  kind,
  risk,
  content,
});

/** Stores a new draft in the transaction. */
export async function insertDraft(tx: Tx, viewer: MerchantViewer, checked: CheckedChange): Promise<string> {
  const id = newId("chg");
  const values = {
    id,
    merchantId: viewer.merchant.id,
    createdBy: viewer.actor,
    createdAt: shopNow,
    updatedAt: shopNow,
  };
  await tx.insert(productChanges).values({ ...values, ...toColumns(checked) });
  const detail = { product: checked.productId, kind: checked.kind, risk: checked.risk };
  await audit({ actor: viewer.actor, action: "change.created", subject: id, detail }, tx);
  return id;
}

/**
 * Stores a draft of a change of a product, or of a new one. Nothing of it is live. With `preview` only the answer is made.
 * @throws ShopError product_unknown, revision_conflict, nothing_changes, invalid_input with the problems of fields
 */
export async function createChange(
  viewer: MerchantViewer,
  { product_id, base_revision, line, preview }: NewChangeInput,
  locale: Locale,
): Promise<ChangeSaved> {
  const content = { productId: product_id, baseRevision: base_revision, line };
  const checked = await checkChange(viewer, content, locale);
  if (preview) return toSaved(viewer, checked, { id: null, state: "draft", version: null });
  return transaction(async (tx) => {
    const id = await insertDraft(tx, viewer, checked);
    return toSaved(viewer, checked, { id, state: "draft", version: await readOwnVersion(tx, id) });
  });
}

/** Locks one of the merchant's changes in one of these states, as it was shown. @throws ShopError change_unknown, change_decided, revision_conflict */
async function lockOwnChange(
  tx: Tx,
  { merchant }: MerchantViewer,
  { id, states, version }: SeenVersion & { id: string; states: readonly State[] },
): Promise<ChangeRow> {
  const [found] = await tx
    .select()
    .from(productChanges)
    .where(and(eq(productChanges.id, id), eq(productChanges.merchantId, merchant.id)))
    .for("update");
  if (!found) throw new ShopError("change_unknown");
  if (!states.includes(found.state)) throw new ShopError("change_decided");
  await requireShownChange(tx, { version }, id);
  return found;
}

/**
 * Saves a draft, or a change that staff returned, which stays returned until it is proposed again.
 * @throws ShopError change_unknown, change_decided, and those of `createChange`
 */
export async function saveChange(
  viewer: MerchantViewer,
  id: string,
  { version, base_revision, line, preview, locale }: SaveChangeInput & { locale: Locale },
): Promise<ChangeSaved> {
  const find = (tx: Tx) => lockOwnChange(tx, viewer, { id, states: EDITABLE_STATES, version });
  const { productId } = await transaction(find);
  const checked = await checkChange(viewer, { productId, baseRevision: base_revision, line }, locale);
  return transaction(async (tx) => {
    const { state, ...before } = await find(tx);
    const saved = async () => toSaved(viewer, checked, { id, state, version: await readOwnVersion(tx, id) });
    if (preview) return saved();
    await tx
      .update(productChanges)
      .set({ ...toColumns(checked), updatedAt: shopNow })
      .where(eq(productChanges.id, id));
    const detail = {
      before: { base_revision: before.baseRevision, kind: before.kind },
      after: { base_revision: checked.baseRevision, kind: checked.kind },
    };
    await audit({ actor: viewer.actor, action: "change.saved", subject: id, detail }, tx);
    return saved();
  });
}

/** The content of a change: the line that a check has returned. */
const storedLine = (content: ChangeRow["content"]): ProductLine => ProductLine.parse(content);

/** A waiting change on the newest revision of its product, which is locked, as its decider was shown it. */
export async function rebaseProposed(tx: Tx, change: ChangeRow): Promise<ChangeRow> {
  const { productId, baseRevision, content } = change;
  if (productId === null) return change;
  const now = await rebaseChange(tx, { productId, baseRevision, line: storedLine(content) });
  if (!now.rebased) return change;
  const rebased = { baseRevision: now.baseRevision, content: { ...now.line } };
  await tx.update(productChanges).set(rebased).where(eq(productChanges.id, change.id));
  return { ...change, ...rebased };
}

export type Decider = {
  /** a user's id, or `automatic` */
  decidedBy: string;
  note?: string | undefined;
  locale: Locale;
};

/**
 * Writes the change of a locked row to the product by the path of the editor, and marks the row. `approved`: prices outside
 * of the guardrails are too.
 * @throws ShopError revision_conflict, invalid_input with the problems of fields
 */
export async function applyChange(
  tx: Tx,
  change: ChangeRow,
  { decidedBy, note, locale }: Decider,
): Promise<number> {
  const { id, productId, baseRevision, content, merchantId, createdBy } = change;
  const isAutomatic = decidedBy === AUTOMATIC;
  const result = await editProduct(
    { userId: createdBy, locale },
    { id: productId, baseRevision, line: content, merchantId },
    { within: tx, approved: !isAutomatic },
  );
  await tx
    .update(productChanges)
    .set({
      state: "approved",
      decidedBy,
      decidedAt: shopNow,
      updatedAt: shopNow,
      note: note ?? null,
      productId: result.product_id,
      revision: result.revision,
    })
    .where(eq(productChanges.id, id));
  const detail = {
    product: result.product_id,
    revision: result.revision,
    kind: change.kind,
    risk: change.risk,
    fields: result.changes.length,
    before: { state: change.state },
    after: { state: "approved" },
    ...(isAutomatic && { automatic: true }),
    ...(note && { note }),
  };
  const actor = isAutomatic ? "system" : decidedBy;
  await audit({ actor, action: "change.approved", subject: id, detail }, tx);
  return result.revision;
}

/** Tells the owners which plans of a product a person took off sale. */
export async function mailPause(
  tx: Tx,
  { user, actor, merchant }: MerchantViewer,
  { productId, plans }: { productId: number | null; plans: readonly string[] },
): Promise<void> {
  if (!user || productId === null || plans.length === 0) return;
  const refs = { merchantId: merchant.id, productId, plans: plans.join(","), actor };
  await mailOwners(tx, merchant.id, { event: "plan-paused", refs });
}

/**
 * Proposes a checked change of this row; a low-risk one of a trusted merchant is live at once. One that sets prices or takes plans
 * off sale then needs the person's second factor.
 * @throws ShopError second_factor_required, reauthentication_required
 */
export async function proposeWithin(
  tx: Tx,
  viewer: MerchantViewer,
  { id, checked, locale }: { id: string; checked: CheckedChange; locale: Locale },
): Promise<ChangeMoved> {
  if (passesAlone(viewer, checked) && isSensitive(checked.changes)) requireReauthenticated(viewer.user);
  const [row] = await tx
    .update(productChanges)
    .set({ ...toColumns(checked), state: "proposed", proposedAt: shopNow, updatedAt: shopNow })
    .where(eq(productChanges.id, id))
    .returning();
  const change = row!;
  const detail = { product: change.productId, kind: change.kind, risk: change.risk };
  await audit({ actor: viewer.actor, action: "change.proposed", subject: id, detail }, tx);
  if (!passesAlone(viewer, checked)) return { change_id: id, state: "proposed", revision: null };
  const revision = await applyChange(tx, change, { decidedBy: AUTOMATIC, locale });
  await mailPause(tx, viewer, { productId: change.productId, plans: pausedPlans(checked.changes) });
  return { change_id: id, state: "approved", revision };
}

/**
 * Proposes a draft or a returned change. Staff decide; a low-risk change of a trusted merchant passes by itself.
 * @throws ShopError change_unknown, change_decided, those of `createChange` and `proposeWithin`
 */
export async function proposeChange(
  viewer: MerchantViewer,
  id: string,
  { version, locale }: SeenVersion & { locale: Locale },
): Promise<ChangeMoved> {
  const find = (tx: Tx) => lockOwnChange(tx, viewer, { id, states: EDITABLE_STATES, version });
  const { content, ...row } = await transaction(find);
  const { productId } = row;
  const now = await rebaseChange(db, {
    productId,
    baseRevision: row.baseRevision,
    line: storedLine(content),
  });
  // What the shop changed in the same fields is for the merchant to see first.
  if (now.conflicts.length > 0) throw revisionConflict(now.baseRevision);
  const { baseRevision, line } = now;
  const checked = await checkChange(viewer, { productId, baseRevision, line }, locale);
  return transaction(async (tx) => {
    await find(tx);
    return proposeWithin(tx, viewer, { id, checked, locale });
  });
}

/** Takes a change back that is not decided. @throws ShopError change_unknown, change_decided, revision_conflict */
export async function cancelChange(
  viewer: MerchantViewer,
  id: string,
  { version }: SeenVersion,
): Promise<ChangeMoved> {
  return transaction(async (tx) => {
    const { state } = await lockOwnChange(tx, viewer, { id, states: OPEN_STATES, version });
    const cancelled = { state: "cancelled", updatedAt: shopNow } as const;
    await tx.update(productChanges).set(cancelled).where(eq(productChanges.id, id));
    const detail = { before: { state }, after: { state: "cancelled" } };
    await audit({ actor: viewer.actor, action: "change.cancelled", subject: id, detail }, tx);
    return { change_id: id, state: "cancelled", revision: null };
  });
}
