import { z } from "zod";
import { FieldView, TradeFile } from "@/lib/merchants/trade-file/contract";
import {
  CHECK_METHODS,
  FIELD_NOTE_MAX,
  TRADE_FIELDS,
  TRADE_FILE_STATES,
  TRADE_REPORTS,
  TYPED_FIELDS,
} from "@/lib/merchants/trade-file/rules";
import { Instant, IntParam } from "@/lib/platform/api/fields";
import { Cursor, Day, Flag, listOf } from "@/lib/platform/console/list";
import { SeenVersion, Version } from "@/lib/platform/console/version";

/** GET /admin/trade-files: of merchants with an owner, the last changed first. */
export const TradeFilesInput = z.object({
  cursor: Cursor,
  state: z.enum(TRADE_FILE_STATES).optional(),
  /** sales pause and payouts are held */
  held: Flag.optional(),
});
export type TradeFilesInput = z.output<typeof TradeFilesInput>;

export const TradeFileRow = z.object({
  merchant_id: z.string(),
  name: z.string(),
  state: z.enum(TRADE_FILE_STATES),
  missing: z.array(z.enum(TRADE_FIELDS)),
  unchecked: z.array(z.enum(TRADE_FIELDS)),
  due_at: Instant.nullable(),
  held_at: Instant.nullable(),
  updated_at: Instant,
});
export type TradeFileRow = z.output<typeof TradeFileRow>;
export const TradeFileList = listOf(TradeFileRow);
export type TradeFileList = z.output<typeof TradeFileList>;

/** GET /admin/merchants/{id}/trade-file */
export const ConsoleTradeFile = TradeFile.omit({ fields: true, revision: true }).extend({
  merchant_id: z.string(),
  /** a decision names it */
  version: Version,
  fields: z.array(
    FieldView.extend({
      /** the value, line by line; for a declaration its text */
      value: z.array(z.string()),
      /** email addresses */
      given_by: z.string().nullable(),
      checked_by: z.string().nullable(),
    }),
  ),
});
export type ConsoleTradeFile = z.output<typeof ConsoleTradeFile>;

const Fields = z.array(z.enum(TYPED_FIELDS)).max(TYPED_FIELDS.length).default([]);
const Documents = z.array(z.string().trim().min(1).max(64)).max(20).default([]);
const Note = z.string().trim().min(1).max(FIELD_NOTE_MAX);

/** POST /admin/merchants/{id}/trade-file/check */
export const TradeCheckInput = SeenVersion.extend({
  fields: Fields,
  documents: Documents,
  how: z.enum(CHECK_METHODS),
  /** the finding, which the merchant can read too */
  note: Note.meta({ example: "Handelsregister HRB 271828, read today." }),
  /** the last day for which the check holds */
  expires: Day.optional(),
});
export type TradeCheckInput = z.output<typeof TradeCheckInput>;

/** POST /admin/merchants/{id}/trade-file/ask */
export const TradeAskInput = SeenVersion.extend({
  fields: Fields,
  documents: Documents,
  /** mailed to the owners */
  note: Note.meta({ example: "The address is not that of the register." }),
});
export type TradeAskInput = z.output<typeof TradeAskInput>;

export const TradeDocumentInput = z.object({ document: z.string().trim().min(1).max(64) });

/** POST /admin/trade-files/export */
export const TradeExportInput = z.object({
  report: z.enum(TRADE_REPORTS),
  /** for `dac7`: the calendar year, with one row per quarter */
  year: IntParam.min(2024).max(2100).optional(),
});
export type TradeExportInput = z.output<typeof TradeExportInput>;

export const TradeDecided = z.object({ merchant_id: z.string() });
