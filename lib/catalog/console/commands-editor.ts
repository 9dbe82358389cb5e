import { sql } from "drizzle-orm";
import type { z } from "zod";
import { dryRun, type Tx, transaction } from "@/db/client";
import { findStoredPicture, InvalidPictureError } from "@/lib/catalog/images/commands";
import { lineHash, rejectionReason } from "@/lib/catalog/import/commands";
import type { ParsedLine } from "@/lib/catalog/import/commands-plans";
import { type Writer, writeLines } from "@/lib/catalog/import/commands-write";
import {
  type CatalogLine,
  CategoryLine,
  type ImportError,
  type PlanLine,
  ProductLine,
  SynonymsLine,
} from "@/lib/catalog/import/contract";
import { readProductLines } from "@/lib/catalog/import/queries";
import { storedPictureHash } from "@/lib/catalog/import/rules-line";
import { validationError } from "@/lib/platform/api/validation-messages";
import { audit } from "@/lib/platform/audit";
import { errorMessage, type Reason } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { BulkInput, BulkResult, EditResult, LineSaved, ShownRevisions } from "./contract-editor";
import { readRevision, readShownPrices } from "./queries-editor";
import { findChanges } from "./rules-changes";

/** Who edits (a user's id, or `token:` and a merchant's token), and in which language the problems of fields are said. */
export type Editor = { userId: string; locale: Locale };

/** A change of a product; without an id it is new. */
export type ProductEdit = {
  id: number | null;
  baseRevision: number;
  line: Record<string, unknown>;
  note?: string | undefined;
  /** the merchant whose change it is: a new product belongs to it; without it to the vendor's merchant */
  merchantId?: string | undefined;
};

/** The audit log keeps as many changed fields of an edit. */
const AUDITED_CHANGES = 60;

/** The error of a field of the line; `path` as an import reports it: `plans[0].price`. */
function fieldProblem(
  { path, error = "line_refused", values }: Partial<ImportError>,
  locale: Locale,
): ShopError {
  const steps = (path ?? "").replaceAll(/\[(\d+)\]/g, ".$1");
  const issue = {
    path: ["line", steps].filter(Boolean).join("."),
    message: errorMessage(error, locale, values),
  };
  return new ShopError("invalid_input", { issues: [issue] });
}

/** Parses a line. @throws ShopError invalid_input with each field's path below `line` */
function parseLine<S extends z.ZodType>(
  schema: S,
  line: Record<string, unknown>,
  locale: Locale,
): z.output<S> {
  const parsed = schema.safeParse(line);
  if (parsed.success) return parsed.data;
  const { issues = [] } = validationError(parsed.error, line, locale);
  throw new ShopError("invalid_input", {
    issues: issues.map((issue) => ({ ...issue, path: ["line", issue.path].filter(Boolean).join(".") })),
  });
}

async function toParsedLine<L extends CatalogLine>(value: L, locale: Locale): Promise<ParsedLine<L>> {
  const image = value.kind === "product" ? value.image : undefined;
  const hash = image === undefined ? null : storedPictureHash(image);
  const missing = () => fieldProblem({ path: "image", error: "line_picture" }, locale);
  if (image !== undefined && hash === null) throw missing();
  const picture =
    hash &&
    (await findStoredPicture(hash).catch((error: unknown) => {
      throw error instanceof InvalidPictureError ? missing() : error;
    }));
  return { line: 1, value, hash: lineHash(value, picture || null), picture: picture || null };
}

/** What the database rejects is a problem of the line. */
async function withLineProblems<T>(run: () => Promise<T>, locale: Locale): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const reason = error instanceof ShopError ? null : rejectionReason(error);
    if (!reason) throw error;
    throw fieldProblem({ path: reason.error === "line_deal_units" ? "plans" : "", ...reason }, locale);
  }
}

/** Runs a change, in a transaction that is rolled back for a preview. */
const runChange = <T>(run: (tx: Tx) => Promise<T>, preview: boolean, locale: Locale): Promise<T> =>
  withLineProblems(() => (preview ? dryRun(run) : transaction(run)), locale);

export const revisionConflict = (revision: number) =>
  new ShopError("revision_conflict", { issues: [{ path: "revision", message: String(revision) }] });

/** Locks the product of an edit. @throws ShopError product_unknown, revision_conflict, or of the field `slug` */
async function lockProduct(
  tx: Tx,
  { id, baseRevision }: ProductEdit,
  slug: string,
  locale: Locale,
): Promise<void> {
  if (id === null) {
    const [taken] = await tx.execute(sql`select 1 from products where slug = ${slug}`);
    if (taken) throw fieldProblem({ path: "slug", error: "line_slug_taken" }, locale);
    return;
  }
  const [found] = await tx.execute<{ slug: string; revision: number }>(
    sql`select slug, revision from products where id = ${id} for no key update`,
  );
  if (!found) throw new ShopError("product_unknown");
  if (found.revision !== baseRevision) throw revisionConflict(found.revision);
  if (found.slug !== slug) throw fieldProblem({ path: "slug", error: "line_slug_fixed" }, locale);
}

/** Rolls an edit back whose prices a second person must approve. */
class WaitsForApproval extends Error {
  constructor(readonly outcome: EditResult) {
    super("the prices need approval");
  }
}

/** What an edit does, and the line that it leads to. */
export type WrittenProduct = { outcome: EditResult; line: ProductLine };

async function writeProduct(
  tx: Tx,
  edit: ProductEdit,
  parsed: ParsedLine<ProductLine>,
  { editor, approved, preview }: { editor: Editor; approved: boolean; preview: boolean },
): Promise<WrittenProduct> {
  const { userId, locale } = editor;
  const { slug } = parsed.value;
  await lockProduct(tx, edit, slug, locale);
  const before = edit.id === null ? null : ((await readProductLines([edit.id], tx)).get(edit.id) ?? null);
  const shownBefore = edit.id === null ? new Map() : await readShownPrices(edit.id, tx);
  const { note, merchantId } = edit;
  const writer: Writer = { source: "console", by: userId, note, approved, merchantId };
  let [result] = await writeLines(tx, [parsed], writer);
  // Another person has made the same product meanwhile.
  if (edit.id === null && typeof result === "string" && result !== "added")
    throw fieldProblem({ path: "slug", error: "line_slug_taken" }, locale);
  const needsApproval = typeof result === "object" && result.error === "price_needs_approval";
  // A preview goes on, and says that somebody must approve it.
  if (needsApproval) [result] = await writeLines(tx, [parsed], { ...writer, approved: true });
  if (typeof result === "object") throw fieldProblem(result, locale);
  const [row] = await tx.execute<{ id: number; revision: number }>(
    sql`select id, revision from products where slug = ${slug}`,
  );
  const { id, revision } = row!;
  const line = (await readProductLines([id], tx)).get(id)!;
  const changes = findChanges(before, line);
  const shown = [...(await readShownPrices(id, tx)).values()];
  const saved = result !== "unchanged" && !needsApproval && !preview;
  if (saved)
    await audit(
      {
        actor: userId,
        action: edit.id === null ? "product.created" : "product.changed",
        subject: `product:${id}`,
        detail: {
          slug,
          revision,
          ...(edit.note && { note: edit.note }),
          ...(approved && { approved }),
          changes: changes.slice(0, AUDITED_CHANGES),
          ...(changes.length > AUDITED_CHANGES && { more: changes.length - AUDITED_CHANGES }),
        },
      },
      tx,
    );
  const outcome = {
    product_id: edit.id === null && preview ? null : id,
    slug,
    revision,
    saved,
    needs_approval: needsApproval,
    changes,
    prices: shown.filter((price) => JSON.stringify(price) !== JSON.stringify(shownBefore.get(price.plan))),
  };
  return { outcome, line };
}

/**
 * What an edit would do, and the line as it would be stored. Nothing is written.
 * @throws ShopError product_unknown, revision_conflict, invalid_input with the problems of fields
 */
export async function checkProduct(editor: Editor, edit: ProductEdit): Promise<WrittenProduct> {
  const { locale } = editor;
  const parsed = await toParsedLine(parseLine(ProductLine, edit.line, locale), locale);
  const run = (tx: Tx) => writeProduct(tx, edit, parsed, { editor, approved: false, preview: true });
  return runChange(run, true, locale);
}

/**
 * Writes a product as the importer does. With `needs_approval` in the answer nothing is written; within another transaction
 * it is a problem of the line.
 * @throws ShopError product_unknown, revision_conflict, invalid_input with the problems of fields
 */
export async function editProduct(
  editor: Editor,
  edit: ProductEdit,
  { preview = false, approved = false, within }: { preview?: boolean; approved?: boolean; within?: Tx } = {},
): Promise<EditResult> {
  const { locale } = editor;
  const parsed = await toParsedLine(parseLine(ProductLine, edit.line, locale), locale);
  const run = async (tx: Tx) => {
    const { outcome } = await writeProduct(tx, edit, parsed, { editor, approved, preview });
    if (outcome.needs_approval && !preview)
      throw within ? fieldProblem({ error: "price_needs_approval" }, locale) : new WaitsForApproval(outcome);
    return outcome;
  };
  if (within) return withLineProblems(() => run(within), locale);
  return runChange(run, preview, locale).catch((error: unknown) => {
    if (error instanceof WaitsForApproval) return error.outcome;
    throw error;
  });
}

/** The edit that returns a product to an earlier revision. @throws ShopError product_unknown, revision_unknown */
export async function undoEdit(id: number, baseRevision: number, revision: number): Promise<ProductEdit> {
  if (!(await readProductLines([id])).has(id)) throw new ShopError("product_unknown");
  return { id, baseRevision, line: await readRevision(id, revision), note: `undo ${revision}` };
}

/** A change of a category or a group of synonyms, by its slug. */
export type LineEdit = { slug: string; baseRevision: number; line: Record<string, unknown> };

/**
 * Writes a category or a group of synonyms as the importer does; a base revision of 0 without a row makes a new one.
 * @throws ShopError category_unknown, synonyms_unknown, revision_conflict, invalid_input with the problems of fields
 */
export async function editLine(
  { userId, locale }: Editor,
  kind: "category" | "synonyms",
  { slug, baseRevision, line }: LineEdit,
  preview = false,
): Promise<LineSaved> {
  const isCategory = kind === "category";
  const value = parseLine(isCategory ? CategoryLine : SynonymsLine, { ...line, kind }, locale);
  if (value.slug !== slug) throw fieldProblem({ path: "slug", error: "line_slug_fixed" }, locale);
  const parsed = await toParsedLine(value, locale);
  const table = sql.raw(isCategory ? "categories" : "search_synonyms");
  const run = async (tx: Tx): Promise<LineSaved> => {
    const find = () =>
      tx.execute<{ revision: number; line: Record<string, unknown> }>(
        sql`select revision, to_jsonb(t) - 'import_hash' as line from ${table} t where slug = ${slug} for no key update`,
      );
    const [before] = await find();
    if (!before && baseRevision > 0)
      throw new ShopError(isCategory ? "category_unknown" : "synonyms_unknown");
    if (before && before.revision !== baseRevision) throw revisionConflict(before.revision);
    const [result] = await writeLines(tx, [parsed], { source: "console", by: userId });
    if (typeof result === "object") throw fieldProblem(result, locale);
    const [after] = await find();
    const saved = result !== "unchanged" && !preview;
    const detail = { before: before?.line ?? null, after: after?.line ?? null };
    if (saved)
      await audit({ actor: userId, action: `${kind}.changed`, subject: `${kind}:${slug}`, detail }, tx);
    return { slug, revision: after?.revision ?? 0, saved };
  };
  return runChange(run, preview, locale);
}

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
    const lines = await readProductLines(ids, tx);
    const outcome: BulkResult = { changed: 0, unchanged: 0, refused: [], needs_approval: false };
    const refuse = (product_id: number, { error = "line_refused", values }: Partial<Reason>) =>
      outcome.refused.push({ product_id, message: errorMessage(error, locale, values) });
    const batch: (ParsedLine<ProductLine> & { id: number })[] = [];
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
const resumed = ({ releases_on }: PlanLine) => (releases_on === null ? "in_stock" : "pre_order");

function withAction(
  line: ProductLine,
  action: BulkInput["action"],
  category: string | undefined,
): ProductLine {
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
