import type { Reason } from "@/lib/platform/error-messages";

/** What staff import: a catalogue, activation codes, campaigns with their coupons, prices. */
export const IMPORT_KINDS = ["catalog", "keys", "coupons", "prices"] as const;
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
  prices: "text/csv",
} as const satisfies Record<ImportKind, string>;

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
