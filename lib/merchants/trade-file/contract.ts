import { z } from "zod";
import {
  ADDRESS_LINE_PATTERN,
  CITY_MAX,
  LINE_MAX,
  NAME_MAX,
  POSTAL_CODE_MAX,
  REGION_MAX,
} from "@/lib/accounts/billing/rules";
import { EmailAddress, Instant } from "@/lib/platform/api/fields";
import { Day } from "@/lib/platform/console/list";
import {
  CHECK_METHODS,
  DOCUMENT_KINDS,
  DOCUMENT_NAME_MAX,
  DOCUMENT_STATES,
  DOCUMENT_TYPES,
  FIELD_STATES,
  LEGAL_FORMS,
  TRADE_FIELDS,
  TRADE_FILE_STATES,
} from "./rules";

const line = (max: number) => z.string().trim().max(max).regex(ADDRESS_LINE_PATTERN).default("");

/** All details that an owner types; an empty text clears a field. */
export const TradeDetails = z.object({
  legal_name: line(NAME_MAX).meta({ example: "Kettle Row Software GmbH" }),
  form: z.enum(LEGAL_FORMS).nullable().default(null),
  /** an individual without a registration */
  unregistered: z.boolean().default(false),
  register_name: line(NAME_MAX).meta({ example: "Handelsregister München" }),
  register_number: line(40).meta({ example: "HRB 271828" }),
  vat_id: line(20).meta({ example: "DE123456788" }),
  tax_id: line(30).meta({ example: "143/815/08155" }),
  line1: line(LINE_MAX),
  line2: line(LINE_MAX),
  city: line(CITY_MAX),
  region: line(REGION_MAX),
  postal_code: line(POSTAL_CODE_MAX),
  country: z.string().trim().toUpperCase().max(2).default("").meta({ example: "DE" }),
  phone: line(40).meta({ example: "+49 89 1234567" }),
  contact_name: line(NAME_MAX),
  contact_email: EmailAddress.nullable().default(null),
  representative: line(NAME_MAX),
});
export type TradeDetails = z.output<typeof TradeDetails>;

/** A field as both sides see it. */
export const FieldView = z.object({
  field: z.enum(TRADE_FIELDS),
  state: z.enum(FIELD_STATES),
  given_at: Instant.nullable(),
  checked_at: Instant.nullable(),
  checked_how: z.enum(CHECK_METHODS).nullable(),
  /** what staff noted, or why they ask for it again */
  note: z.string().nullable(),
  expires_at: Instant.nullable(),
});

/** A document without its content, which only staff with the permission can open. */
const DocumentView = z.object({
  document_id: z.string(),
  kind: z.enum(DOCUMENT_KINDS),
  name: z.string(),
  media_type: z.enum(DOCUMENT_TYPES),
  bytes: z.int(),
  state: z.enum(DOCUMENT_STATES),
  note: z.string().nullable(),
  created_at: Instant,
  expires_at: Instant.nullable(),
});

const File = {
  state: z.enum(TRADE_FILE_STATES),
  /** whether the shop requires the file; false for a merchant that staff run */
  required: z.boolean(),
  missing: z.array(z.enum(TRADE_FIELDS)),
  /** when sales pause unless the file is complete; null without a notice */
  due_at: Instant.nullable(),
  /** since when sales pause and payouts are held; null if they do not */
  held_at: Instant.nullable(),
  details: TradeDetails,
  revision: z.string(),
};

/** GET /merchant/trade-file */
export const TradeFile = z.object({
  ...File,
  fields: z.array(FieldView),
  documents: z.array(DocumentView),
  /** the terms in force, which an owner accepts */
  terms_version: z.string(),
});
export type TradeFile = z.output<typeof TradeFile>;

/** POST /merchant/trade-file */
export const TradeDetailsInput = TradeDetails.extend({ revision: z.string().min(1).max(20) });
export type TradeDetailsInput = z.output<typeof TradeDetailsInput>;

/** POST /merchant/trade-file/declare: the declarations, in the words of the screen. */
export const DeclareInput = z.object({
  /** the merchant offers only lawful goods and services */
  certification: z.boolean().default(false),
  /** the version of the terms that were shown */
  terms_version: z.string().max(20).nullable().default(null).meta({ example: "2026-12" }),
});
export type DeclareInput = z.output<typeof DeclareInput>;

/** POST /merchant/trade-file/documents: the body is the file. */
export const DocumentQuery = z.object({
  kind: z.enum(DOCUMENT_KINDS),
  name: z.string().trim().min(1).max(DOCUMENT_NAME_MAX),
  /** the last day of the document's validity */
  expires: Day.optional(),
});
export type DocumentQuery = z.output<typeof DocumentQuery>;
export const DocumentParams = z.object({ id: z.string().trim().min(1).max(64) });
