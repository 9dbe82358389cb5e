import { z } from "zod";
import { PriceEffect } from "@/lib/catalog/bulk/contract";
import { Instant } from "@/lib/platform/api/fields";
import { Cursor, Flag, listOf, NewestFirst } from "@/lib/platform/console/list";
import { IMPORT_KINDS, IMPORT_STATES, type ImportCounts, type ImportReportLine } from "./rules";

const Sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" });
/** A file's name, without a folder. */
const FileName = z.string().trim().min(1).max(200).meta({ example: "keys.csv" });

const Counts = z.object({
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  refused: z.int(),
}) satisfies z.ZodType<ImportCounts>;
const ReportLine = z.object({
  line: z.int(),
  field: z.string(),
  message: z.string(),
}) satisfies z.ZodType<ImportReportLine>;

/** POST /admin/imports/{catalog,keys,coupons,prices}/preview */
export const ImportPreview = z.object({
  sha256: Sha256,
  lines: z.int(),
  counts: Counts,
  /** at most 10,000 entries */
  report: z.array(ReportLine),
  /** The refused lines that `confirm_held` would take, counted to 10,000. */
  held: z.int(),
  /** A second person must approve the import of this file. */
  needs_approval: z.boolean(),
  /** of a file of prices: what buyers will see of the first 1,000 plans that change */
  effects: z.array(PriceEffect),
});
export type ImportPreview = z.output<typeof ImportPreview>;

/** POST /admin/imports/{keys,coupons}/preview: whether to take codes that look like numbers or dates of a spreadsheet. */
export const CodesPreviewQuery = z.object({ confirm_held: Flag.optional() });
/** POST /admin/imports/{keys,coupons}/run: the file that was previewed. */
export const ImportRunQuery = CodesPreviewQuery.extend({ sha256: Sha256, name: FileName });
export type ImportRunQuery = z.output<typeof ImportRunQuery>;
/** The same of a catalogue, and its preview: whether lines may overwrite what was edited in the console. */
export const CatalogPreviewQuery = z.object({ take_over: Flag.optional() });
export const CatalogRunQuery = ImportRunQuery.omit({ confirm_held: true }).extend({
  take_over: Flag.optional(),
});
/** The same of a file of prices. */
export const PricesRunQuery = ImportRunQuery.omit({ confirm_held: true });
export const ImportStarted = z.object({ import_id: z.string() });

/** GET /admin/imports */
export const ImportsInput = z.object({
  cursor: Cursor,
  sort: NewestFirst,
  kind: z.enum(IMPORT_KINDS).optional(),
});
export type ImportsInput = z.output<typeof ImportsInput>;
export const ImportRunItem = z.object({
  import_id: z.string(),
  kind: z.enum(IMPORT_KINDS),
  /** the file's name */
  name: z.string(),
  sha256: z.string(),
  state: z.enum(IMPORT_STATES),
  /** lines of the file */
  lines: z.int(),
  counts: Counts,
  /** an address */
  started_by: z.string(),
  started_at: Instant,
  ended_at: Instant.nullable(),
});
export type ImportRunItem = z.output<typeof ImportRunItem>;
export const ImportRunList = listOf(ImportRunItem);
export type ImportRunList = z.output<typeof ImportRunList>;

/** GET /admin/imports/{id} */
export const ImportParams = z.object({ id: z.string().min(1).max(64) });
/** GET /admin/imports/{id}, with the refused lines once it has ended. */
export const ImportRun = ImportRunItem.extend({ report: z.array(ReportLine) });
export type ImportRun = z.output<typeof ImportRun>;

/** POST /admin/imports/pictures */
export const ImportPictureQuery = z.object({ name: FileName.meta({ example: "focus-writer.png" }) });
export const ImportPictureStored = z.object({ name: z.string() });
