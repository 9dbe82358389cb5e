import type { z } from "zod";
import { type Db, db, dryRun, transaction } from "@/db/client";
import { findStoredPicture, isPictureShown } from "@/lib/catalog/images/store-picture";
import {
  InvalidPictureError,
  type Picture,
  pictureHash,
  validatePicture,
} from "@/lib/catalog/images/validate-picture";
import { firstFailure } from "@/lib/platform/api/validation-messages";
import { type Line, readLines } from "@/lib/platform/content/lines";
import { type Reason, reason } from "@/lib/platform/error-messages";
import { CatalogRecord, FIELD_ALIASES, type ImportError } from "./contract";
import type { LineResult, Writer } from "./line-writer";
import type { FindTextsWithCode } from "./refuse-codes";
import { lineHash, rejectionReason } from "./reject-line";
import { LINE_LIMIT_BYTES, storedPictureHash } from "./rules-line";
import type { ParsedLine } from "./store-plans";
import { writeLines } from "./write-lines";

export type ImportCounts = { added: number; changed: number; unchanged: number; refused: number };

export type ImportOptions = {
  /** Reports the results without writing. */
  preview?: boolean;
  /** Replaces what was edited in the console since; otherwise such a line is refused. */
  takeOver?: boolean;
  /** Who imports, for the revisions; a staff member's id. */
  actor?: string;
  findTextsWithCode: FindTextsWithCode;
  /** Reads a picture named in the file; throws InvalidPictureError when it cannot be read. */
  readImage: (path: string) => Promise<Buffer>;
  onRefused?: (error: ImportError) => void;
  /** Called after each batch. */
  onProgress?: (counts: ImportCounts) => void;
};

const BATCH_LINES = 200;

/**
 * Imports a catalogue file (docs/product.md#812-imports) in batches, all or nothing per line; the same content twice
 * changes nothing. Refused lines are reported and do not stop the others.
 */
export async function importCatalog(source: AsyncIterable<Buffer>, options: ImportOptions) {
  return options.preview ? dryRun((tx) => importInto(tx, source, options)) : importInto(db, source, options);
}

async function importInto(parent: Db, source: AsyncIterable<Buffer>, options: ImportOptions) {
  const counts: ImportCounts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  const seen = new Map<string, number>();
  let batch: ParsedLine[] = [];
  const refuse = (errors: ImportError[]) => {
    counts.refused += 1;
    for (const error of errors) options.onRefused?.(error);
  };
  const flush = async () => {
    const results =
      batch.length > 0
        ? await writeBatch(parent, batch, {
            source: "import",
            by: options.actor ?? "import",
            takeOver: options.takeOver,
            findTextsWithCode: options.findTextsWithCode,
          })
        : [];
    batch = [];
    for (const result of results)
      if (typeof result === "string") counts[result] += 1;
      else refuse([result]);
    if (results.length > 0) options.onProgress?.(counts);
  };
  for await (const line of readLines(source, LINE_LIMIT_BYTES)) {
    if (line.problem === undefined && line.text.trim() === "") continue;
    const parsedLine = await parseLine(line, seen, options);
    if (Array.isArray(parsedLine)) {
      refuse(parsedLine);
      continue;
    }
    // The category of a product must be written before it: it comes first in the file.
    if (
      batch.length >= BATCH_LINES ||
      (parsedLine.value.kind === "category" && batch.at(-1)?.value.kind === "product")
    )
      await flush();
    batch.push(parsedLine);
  }
  await flush();
  return counts;
}

async function parseLine(
  line: Line,
  seen: Map<string, number>,
  { readImage }: ImportOptions,
): Promise<ParsedLine | ImportError[]> {
  const rejection = (why: Reason, path = ""): ImportError[] => [{ line: line.number, path, ...why }];
  if (line.problem !== undefined) return rejection(line.problem);
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    return rejection(reason("line_json"));
  }
  const named = withCurrentNames(value);
  const parsed = CatalogRecord.safeParse(named);
  if (!parsed.success)
    return parsed.error.issues.slice(0, 20).map((issue) => ({
      line: line.number,
      path: formatPath(issue.path),
      message: issue.message,
      ...nameOf(issue, named),
    }));
  const key = `${parsed.data.kind} ${parsed.data.slug}`;
  const duplicateLine = seen.get(key);
  if (duplicateLine)
    return rejection(reason("line_repeated", { line: duplicateLine, slug: parsed.data.slug }), "slug");
  seen.set(key, line.number);
  try {
    const picture = await loadPicture(parsed.data, readImage);
    return { line: line.number, value: parsed.data, hash: lineHash(parsed.data, picture), picture };
  } catch (error) {
    if (error instanceof InvalidPictureError) return rejection(error.reason, "image");
    throw error;
  }
}

/** The name of a shape's issue, whose own message is English; a field that is unknown is named. */
function nameOf(issue: z.core.$ZodIssue, input: unknown): Omit<Reason, "message"> {
  const { name, params, path } = firstFailure(issue, input);
  return name === "field_unknown"
    ? { error: "line_field_unknown", values: { field: path } }
    : { error: name, ...(params && { values: params }) };
}

function withCurrentNames(line: unknown): unknown {
  if (typeof line !== "object" || line === null || Array.isArray(line)) return line;
  return Object.fromEntries(
    Object.entries(line).map(([key, value]) => [FIELD_ALIASES.get(key) ?? key, value]),
  );
}

const formatPath = (path: PropertyKey[]) =>
  path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");

/** The last validated picture, because neighbouring lines often share one. */
let lastPicture: Picture | null = null;

async function loadPicture(line: CatalogRecord, readImage: ImportOptions["readImage"]) {
  // Older files name a generated drawing as `emblem:…`; they get the placeholder.
  if (line.kind !== "product" || !line.image || line.image.startsWith("emblem:")) return null;
  const stored = storedPictureHash(line.image);
  if (stored) return findStoredPicture(stored);
  const bytes = await readImage(line.image);
  const hash = pictureHash(bytes);
  if (lastPicture?.hash === hash) return lastPicture;
  if (await isPictureShown(hash)) return { hash };
  lastPicture = await validatePicture(bytes, { patient: true });
  return lastPicture;
}

/** Writes the batch in one transaction; after an error each line in its own, so that only the invalid one fails. */
async function writeBatch(parent: Db, batch: ParsedLine[], writer: Writer): Promise<LineResult[]> {
  try {
    return await transaction((tx) => writeLines(tx, batch, writer), { within: parent });
  } catch (error) {
    const why = rejectionReason(error);
    if (!why) throw error;
    if (batch.length === 1) return batch.map(({ line }) => ({ line, path: "", ...why }));
  }
  const results: LineResult[] = [];
  for (const parsed of batch) results.push(...(await writeBatch(parent, [parsed], writer)));
  return results;
}
