import { db, transaction } from "@/db/client";
import { reason } from "@/lib/platform/error-messages";
import { decideRows, listResults } from "./decide-rows";
import type { KeyImportCounts, KeyImportError, KeyImportOptions } from "./import-options";
import { type KeyList, type KeyRow, listRows, readRows } from "./read-key-rows";
import { findExisting, writeKeys } from "./write-keys";

const BATCH_LINES = 500;

/**
 * Imports activation codes from CSV (docs/product.md#812-imports): columns product, plan (`month` or `day:3`), key,
 * redeem_by (optional); plan_id in place of product and plan. Streams the file and decides per line; importing a file twice
 * changes nothing. A key is imported once, regardless of how it is written (`normalizeKey`); a key of another plan is reported as
 * "already imported" only.
 */
export const importKeys = (
  source: AsyncIterable<Buffer>,
  options: KeyImportOptions,
): Promise<KeyImportCounts> => importRows(readRows(source, options), options);

/** The same for a list of keys of one plan. */
export const importKeyList = (list: KeyList, options: KeyImportOptions): Promise<KeyImportCounts> =>
  importRows(listRows(list, options), options);

async function importRows(
  rows: AsyncIterable<KeyRow | KeyImportError>,
  options: KeyImportOptions,
): Promise<KeyImportCounts> {
  const counts: KeyImportCounts = { added: 0, unchanged: 0, refused: 0 };
  const seen = new Map<string, number>();
  let batch: KeyRow[] = [];
  const refuse = (rejection: KeyImportError) => {
    counts.refused += 1;
    options.onRefused?.(rejection);
  };
  const flush = async () => {
    if (batch.length === 0) return;
    const results = options.preview
      ? listResults(batch, decideRows(await findExisting(db, batch, options), batch, options).results)
      : await transaction((tx) => writeKeys(tx, batch, options));
    for (const result of results)
      if (typeof result === "string") counts[result] += 1;
      else refuse(result);
    batch = [];
    options.onProgress?.(counts);
  };
  for await (const row of rows) {
    const repeated = "print" in row && seen.get(row.print);
    if ("message" in row) refuse(row);
    else if (repeated) refuse({ line: row.line, ...reason("key_repeated", { line: repeated }) });
    else {
      seen.set(row.print, row.line);
      batch.push(row);
    }
    if (batch.length >= BATCH_LINES) await flush();
  }
  await flush();
  return counts;
}
