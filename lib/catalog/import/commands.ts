import { createHash } from "node:crypto";
import { type Db, db, rolledBack, transaction } from "@/db/client";
import {
  IMAGE_LIMIT_BYTES,
  InvalidPictureError,
  type Picture,
  pictureHash,
  validatePicture,
} from "@/lib/catalog/images/commands";
import { type Line, linesOf } from "@/lib/platform/content/lines";
import type { ParsedLine } from "./commands-plans";
import { type LineResult, writeLines } from "./commands-write";
import { CatalogLine, FIELD_ALIASES, type ImportError } from "./contract";

export type ImportCounts = { added: number; changed: number; unchanged: number; refused: number };

export type ImportOptions = {
  /** Reports what would happen and writes nothing. */
  preview?: boolean;
  /** Reads a picture named in the file; throws InvalidPictureError when it cannot be read. */
  readImage: (path: string) => Promise<Buffer>;
  onRefused?: (refusal: ImportError) => void;
  /** Called after each batch. */
  onProgress?: (counts: ImportCounts) => void;
};

const LINE_LIMIT_BYTES = 256 * 1024;
const BATCH_LINES = 200;

/**
 * Imports a catalogue file (docs/product.md#812-imports): streaming, all or nothing per line; the same content twice
 * changes nothing. Refused lines are reported and do not stop the others. Holds one batch of lines and the seen slugs
 * in memory.
 */
export async function importCatalog(
  source: AsyncIterable<Buffer>,
  options: ImportOptions,
): Promise<ImportCounts> {
  return options.preview
    ? rolledBack((tx) => importInto(tx, source, options))
    : importInto(db, source, options);
}

async function importInto(
  parent: Db,
  source: AsyncIterable<Buffer>,
  options: ImportOptions,
): Promise<ImportCounts> {
  const counts: ImportCounts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  const seen = new Map<string, number>();
  let batch: ParsedLine[] = [];
  const refuse = (refusals: ImportError[]) => {
    counts.refused += 1;
    for (const refusal of refusals) options.onRefused?.(refusal);
  };
  const flush = async () => {
    const outcomes = batch.length > 0 ? await writeBatch(parent, batch) : [];
    batch = [];
    for (const outcome of outcomes)
      if (typeof outcome === "string") counts[outcome] += 1;
      else refuse([outcome]);
    if (outcomes.length > 0) options.onProgress?.(counts);
  };
  for await (const line of linesOf(source, LINE_LIMIT_BYTES)) {
    if (line.problem === undefined && line.text.trim() === "") continue;
    const read = await readLine(line, seen, options);
    if (Array.isArray(read)) {
      refuse(read);
      continue;
    }
    // A product finds only categories above it in the file.
    if (
      batch.length >= BATCH_LINES ||
      (read.value.kind === "category" && batch.at(-1)?.value.kind === "product")
    )
      await flush();
    batch.push(read);
  }
  await flush();
  return counts;
}

/** A valid line, or all its problems. */
async function readLine(
  line: Line,
  seen: Map<string, number>,
  { readImage }: ImportOptions,
): Promise<ParsedLine | ImportError[]> {
  const no = (message: string, path = ""): ImportError[] => [{ line: line.number, path, message }];
  if (line.problem !== undefined) return no(line.problem);
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    return no("The line is not JSON.");
  }
  const parsed = CatalogLine.safeParse(withCurrentNames(value));
  if (!parsed.success)
    return parsed.error.issues.slice(0, 20).map((issue) => ({
      line: line.number,
      path: pathOf(issue.path),
      message: issue.message,
    }));
  const name = `${parsed.data.kind} ${parsed.data.slug}`;
  const before = seen.get(name);
  if (before) return no(`Line ${before} has the same slug: ${parsed.data.slug}.`, "slug");
  seen.set(name, line.number);
  try {
    const picture = await pictureOf(parsed.data, readImage);
    const hash = createHash("sha256")
      .update(JSON.stringify(parsed.data) + (picture?.hash ?? ""))
      .digest("hex");
    return { line: line.number, value: parsed.data, hash, picture };
  } catch (error) {
    if (error instanceof InvalidPictureError) return no(error.message, "image");
    throw error;
  }
}

function withCurrentNames(line: unknown): unknown {
  if (typeof line !== "object" || line === null || Array.isArray(line)) return line;
  return Object.fromEntries(
    Object.entries(line).map(([name, value]) => [FIELD_ALIASES[name] ?? name, value]),
  );
}

const pathOf = (path: PropertyKey[]) =>
  path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");

const checked = new Map<string, Picture>();

async function pictureOf(line: CatalogLine, readImage: ImportOptions["readImage"]): Promise<Picture | null> {
  // Older files name a generated drawing as `emblem:…`; they get the placeholder.
  if (line.kind !== "product" || !line.image || line.image.startsWith("emblem:")) return null;
  const bytes = await readImage(line.image);
  if (bytes.length > IMAGE_LIMIT_BYTES) throw new InvalidPictureError("The picture is larger than 5 MB.");
  const known = checked.get(pictureHash(bytes));
  if (known) return known;
  const picture = await validatePicture(bytes);
  checked.clear(); // only the last picture: neighbours often share one
  checked.set(picture.hash, picture);
  return picture;
}

/** One transaction for the batch; after an error one for each line, so that only the invalid one fails. */
async function writeBatch(parent: Db, batch: ParsedLine[]): Promise<LineResult[]> {
  try {
    return await transaction((tx) => writeLines(tx, batch), { within: parent });
  } catch (error) {
    const problem = refusalOf(error);
    if (!problem) throw error;
    if (batch.length === 1) return batch.map(({ line }) => ({ line, path: "", message: problem }));
  }
  const outcomes: LineResult[] = [];
  for (const ready of batch) outcomes.push(...(await writeBatch(parent, [ready])));
  return outcomes;
}

/** The sentence for content that the database rejects; null for other errors. */
function refusalOf(error: unknown): string | null {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code, constraint_name: constraint } = cause as { code?: string; constraint_name?: string };
  if (!/^2[23]/.test(code ?? "")) return null;
  if (constraint === "deals_claimed") return "The deal has fewer units than were sold already.";
  return `The database refuses the line (${constraint ?? code}).`;
}
