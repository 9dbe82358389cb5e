import { drawInProcess, RefusedPicture } from "./drawing-process";
import { ShopError } from "./errors";
import type { Locale } from "./i18n/locales";

/** A part of a document, from top to bottom. */
export type PdfBlock =
  | { kind: "title"; text: string }
  | { kind: "heading"; text: string }
  /** two columns of lines; the first line of each is its quiet heading, the second is bold */
  | { kind: "columns"; columns: readonly (readonly string[])[] }
  | { kind: "rows"; rows: readonly { term: string; value: string; bold?: boolean }[] }
  /** `align`: of each column; the first column takes the remaining width */
  | { kind: "table"; head: readonly string[]; rows: readonly (readonly TableCell[])[] }
  | { kind: "note"; text: string };

/** A cell; `detail` is a quiet second line. */
export type TableCell = { text: string; detail?: string };

export type PdfInfo = { title: string; author: string; createdAt: Date };

/**
 * Writes blocks as an A4 document, in its own process (lib/platform/pdf-writer.ts). Returns the file.
 * @throws ShopError documents_busy
 */
export async function renderPdf(
  blocks: readonly PdfBlock[],
  { createdAt, ...info }: PdfInfo,
  locale: Locale,
): Promise<Buffer> {
  const job = { job: "pdf", blocks, info: { ...info, createdAt: createdAt.toISOString() }, locale } as const;
  try {
    return (await drawInProcess("documents", job)).bytes;
  } catch (error) {
    // What stands in a document is bounded: only a very busy machine takes too long for it.
    if (error instanceof RefusedPicture)
      throw new ShopError("documents_busy", { params: { retryAfterSeconds: 10 } });
    throw error;
  }
}
