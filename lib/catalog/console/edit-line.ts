import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { CategoryRecord, SynonymsRecord } from "@/lib/catalog/import/contract";
import { writeLines } from "@/lib/catalog/import/write-lines";
import { audit } from "@/lib/platform/audit";
import { ShopError } from "@/lib/platform/errors";
import type { LineSaved } from "./contract-editor";
import {
  type Editor,
  fieldProblem,
  parseLine,
  revisionConflict,
  runChange,
  toParsedLine,
} from "./edit-product";

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
  const value = parseLine(isCategory ? CategoryRecord : SynonymsRecord, { ...line, kind }, locale);
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
