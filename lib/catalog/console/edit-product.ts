import { sql } from "drizzle-orm";
import type { z } from "zod";
import { dryRun, type Tx, transaction } from "@/db/client";
import { findStoredPicture } from "@/lib/catalog/images/store-picture";
import { InvalidPictureError } from "@/lib/catalog/images/validate-picture";
import { type CatalogRecord, type ImportError, ProductRecord } from "@/lib/catalog/import/contract";
import type { Writer } from "@/lib/catalog/import/line-writer";
import { readProductRecords } from "@/lib/catalog/import/read-product-records";
import { lineHash, rejectionReason } from "@/lib/catalog/import/reject-line";
import { storedPictureHash } from "@/lib/catalog/import/rules-line";
import type { ParsedLine } from "@/lib/catalog/import/store-plans";
import { writeLines } from "@/lib/catalog/import/write-lines";
import { validationError } from "@/lib/platform/api/validation-messages";
import { audit } from "@/lib/platform/audit";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { EditResult } from "./contract-editor";
import { readShownPrices } from "./get-edited-product";
import { readRevision } from "./list-revisions";
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

/** The error of a field of the record; `path` as an import reports it: `plans[0].price`. */
export function fieldProblem(
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

/** Parses a record. @throws ShopError invalid_input with each field's path below `line` */
export function parseLine<S extends z.ZodType>(
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

export async function toParsedLine<L extends CatalogRecord>(
  value: L,
  locale: Locale,
): Promise<ParsedLine<L>> {
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

/** What the database rejects is a problem of the record. */
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
export const runChange = <T>(run: (tx: Tx) => Promise<T>, preview: boolean, locale: Locale): Promise<T> =>
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

/** What an edit does, and the resulting record. */
export type WrittenProduct = { outcome: EditResult; line: ProductRecord };

async function writeProduct(
  tx: Tx,
  edit: ProductEdit,
  parsed: ParsedLine<ProductRecord>,
  { editor, approved, preview }: { editor: Editor; approved: boolean; preview: boolean },
): Promise<WrittenProduct> {
  const { userId, locale } = editor;
  const { slug } = parsed.value;
  await lockProduct(tx, edit, slug, locale);
  const before = edit.id === null ? null : ((await readProductRecords([edit.id], tx)).get(edit.id) ?? null);
  const shownBefore = edit.id === null ? new Map() : await readShownPrices(edit.id, tx);
  const { note, merchantId } = edit;
  const writer: Writer = { source: "console", by: userId, note, approved, merchantId };
  let [result] = await writeLines(tx, [parsed], writer);
  // Another person has made the same product meanwhile.
  if (edit.id === null && typeof result === "string" && result !== "added")
    throw fieldProblem({ path: "slug", error: "line_slug_taken" }, locale);
  const needsApproval = typeof result === "object" && result.error === "price_needs_approval";
  // A preview continues, and reports that an approval is needed.
  if (needsApproval) [result] = await writeLines(tx, [parsed], { ...writer, approved: true });
  if (typeof result === "object") throw fieldProblem(result, locale);
  const [row] = await tx.execute<{ id: number; revision: number }>(
    sql`select id, revision from products where slug = ${slug}`,
  );
  const { id, revision } = row!;
  const line = (await readProductRecords([id], tx)).get(id)!;
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
 * What an edit would do, and the record as it would be stored. Nothing is written.
 * @throws ShopError product_unknown, revision_conflict, invalid_input with the problems of fields
 */
export async function checkProduct(editor: Editor, edit: ProductEdit): Promise<WrittenProduct> {
  const { locale } = editor;
  const parsed = await toParsedLine(parseLine(ProductRecord, edit.line, locale), locale);
  const run = (tx: Tx) => writeProduct(tx, edit, parsed, { editor, approved: false, preview: true });
  return runChange(run, true, locale);
}

/**
 * Writes a product as the importer does. With `needs_approval` in the answer nothing is written; within another transaction
 * it is a problem of the record.
 * @throws ShopError product_unknown, revision_conflict, invalid_input with the problems of fields
 */
export async function editProduct(
  editor: Editor,
  edit: ProductEdit,
  { preview = false, approved = false, within }: { preview?: boolean; approved?: boolean; within?: Tx } = {},
): Promise<EditResult> {
  const { locale } = editor;
  const parsed = await toParsedLine(parseLine(ProductRecord, edit.line, locale), locale);
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
  if (!(await readProductRecords([id])).has(id)) throw new ShopError("product_unknown");
  return { id, baseRevision, line: await readRevision(id, revision), note: `undo ${revision}` };
}
