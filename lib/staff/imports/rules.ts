import type { Reason } from "@/lib/platform/error-messages";

/** What staff import: a catalogue, activation codes, campaigns with their coupons. */
export const IMPORT_KINDS = ["catalog", "keys", "coupons"] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** `broken`: the process ended during the import; the file is sent again. */
export const IMPORT_STATES = ["running", "done", "failed", "broken"] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

export type ImportCounts = { added: number; changed: number; unchanged: number; refused: number };

/** Why a line is refused: its number from 1, its field if one is wrong, and a reason that quotes no code. */
export type ImportReportLine = { line: number; field: string; message: string };
/** The same as it is stored, with the reason's name: it is said in the language of who reads it. */
export type StoredReportLine = { line: number; field: string } & Reason;

/** The media type of each kind's file. No form of another site can send either. */
export const IMPORT_TYPES = {
  catalog: "application/jsonl",
  keys: "text/csv",
  coupons: "application/jsonl",
} as const satisfies Record<ImportKind, string>;

export const IMPORT_LIMIT_BYTES = 16 * 1024 * 1024;
/** Refused lines that a report holds. */
export const MAX_REPORT_LINES = 10_000;
/** A running import without a sign of life for this long is broken. */
export const BROKEN_AFTER_SECONDS = 30;
/** Pictures that wait for a catalogue file are deleted after this. */
export const PICTURE_HOURS = 24;

/** The media types of pictures that a catalogue file can name. */
export const PICTURE_TYPES = [
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/avif",
  "image/svg+xml",
] as const;

/** The file name of a path as a catalogue file writes it. */
export const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

/**
 * The lines of a file that an import refused, to be corrected and sent again; with the header of a CSV file. The browser
 * has the file, so that no code comes back from the server.
 */
export function refusedLines(text: string, kind: ImportKind, report: readonly ImportReportLine[]): string {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const numbers = [...new Set(report.map(({ line }) => line))].sort((a, b) => a - b);
  const header = lines.findIndex((line) => line.trim() !== "") + 1;
  const chosen = kind === "keys" ? [header, ...numbers.filter((number) => number !== header)] : numbers;
  return chosen.map((number) => `${lines[number - 1] ?? ""}\n`).join("");
}
