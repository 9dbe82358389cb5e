/**
 * What a marketplace must know about its sellers (DSA art. 30, INFORM Act, 特定商取引法), in the order of the screens
 * (docs/product.md#1412-trader-file).
 */
export const TRADE_FIELDS = [
  "legal_name",
  "form",
  "register",
  "tax",
  "address",
  "phone",
  "contact",
  "representative",
  "documents",
  "certification",
  "terms",
] as const;
export type TradeField = (typeof TRADE_FIELDS)[number];

/** The fields that an owner fills in; the others are documents and declarations. */
export const TYPED_FIELDS = [
  "legal_name",
  "form",
  "register",
  "tax",
  "address",
  "phone",
  "contact",
  "representative",
] as const satisfies readonly TradeField[];
export type TypedField = (typeof TYPED_FIELDS)[number];
/** The declarations of an owner, which are stored with their text, language and time. */
export const DECLARED_FIELDS = ["certification", "terms"] as const satisfies readonly TradeField[];
export type DeclaredField = (typeof DECLARED_FIELDS)[number];

/** `expired`: the field was given or checked, but its last day has passed or newer terms are in force. */
export const FIELD_STATES = ["missing", "given", "checked", "expired"] as const;
export type FieldState = (typeof FIELD_STATES)[number];

/**
 * `incomplete`: a field is missing or expired. `unchecked`: all fields are given, but staff have not checked all of
 * them.
 */
export const TRADE_FILE_STATES = ["incomplete", "unchecked", "complete"] as const;
export type TradeFileState = (typeof TRADE_FILE_STATES)[number];

export const LEGAL_FORMS = ["individual", "partnership", "company", "association", "public"] as const;

/** The methods by which staff check a field. */
export const CHECK_METHODS = ["register", "tax_service", "document", "call", "website"] as const;
export type CheckMethod = (typeof CHECK_METHODS)[number];

export const DOCUMENT_KINDS = ["register_extract", "identity", "tax", "address", "licence"] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];
export const DOCUMENT_STATES = ["given", "checked", "refused"] as const;

/** The maximum number of documents of a merchant, and the maximum size of one in bytes. */
export const DOCUMENTS_MAX = 10;
export const DOCUMENT_LIMIT_BYTES = 8 * 1024 * 1024;
export const DOCUMENT_TYPES = ["application/pdf", "image/png", "image/jpeg"] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];
export const DOCUMENT_NAME_MAX = 120;

/** The terms for merchants that are in force; `console.trade_words.terms` has their words. */
export const TERMS_VERSION = "2026-12";
/** The self-certification is made again each year (INFORM Act). */
export const CERTIFICATION_DAYS = 365;

/** Days from the notice of an incomplete file to the pause, and before the pause or an expiry at which owners are reminded. */
export const NOTICE_DAYS = 30;
export const REMINDER_DAYS = 7;
export const EXPIRY_NOTICE_DAYS = 30;
/** Months after a merchant's end for which its documents are kept (DSA art. 30 (5)). */
export const DOCUMENT_KEPT_MONTHS = 6;

export const FIELD_NOTE_MAX = 500;

/** The emails to owners about the file. */
export const TRADE_MAILS = ["notice", "reminder", "expiring", "held", "released", "asked"] as const;
export type TradeMail = (typeof TRADE_MAILS)[number];

/** The reports for authorities. */
export const TRADE_REPORTS = ["dac7", "dsa"] as const;
