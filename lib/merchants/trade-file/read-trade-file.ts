import { and, asc, eq } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { merchantDocuments, merchantTradeFields, type merchantTradeFiles } from "@/db/schema/merchants";
import {
  type FIELD_STATES,
  type FieldState,
  TERMS_VERSION,
  TRADE_FIELDS,
  type TradeField,
  type TradeFileState,
} from "./rules";

type FieldRow = typeof merchantTradeFields.$inferSelect;
export type DocumentRow = Omit<typeof merchantDocuments.$inferSelect, "sealed" | "vaultKeyId">;
export type FileRow = typeof merchantTradeFiles.$inferSelect;

/** A field of a file and its current state. The times of `documents` are those of the best document. */
export type StoredField = Omit<FieldRow, "merchantId"> & { state: FieldState };

/** The fields and documents of a merchant's file, at a time of the shop's clock. */
export type StoredFile = { fields: StoredField[]; documents: DocumentRow[] };

const NOTHING = {
  value: null,
  givenAt: null,
  givenBy: null,
  checkedAt: null,
  checkedBy: null,
  checkedHow: null,
  note: null,
  expiresAt: null,
};

/** Reads a file without the content of its documents. */
export async function readStoredFile(merchantId: string, now: Date, tx: Db = db): Promise<StoredFile> {
  const rows = await tx
    .select()
    .from(merchantTradeFields)
    .where(eq(merchantTradeFields.merchantId, merchantId));
  const { sealed: _, vaultKeyId: __, ...columns } = documentColumns;
  const documents = await tx
    .select(columns)
    .from(merchantDocuments)
    .where(and(eq(merchantDocuments.merchantId, merchantId)))
    .orderBy(asc(merchantDocuments.createdAt), asc(merchantDocuments.id));
  const fields = TRADE_FIELDS.map((field): StoredField => {
    if (field === "documents") return documentsField(documents, now);
    const row = rows.find((one) => one.field === field);
    if (!row) return { ...NOTHING, field, state: "missing" };
    const { merchantId: _id, ...rest } = row;
    return { ...rest, state: stateOf(rest, now) };
  });
  return { fields, documents };
}

const documentColumns = {
  id: merchantDocuments.id,
  merchantId: merchantDocuments.merchantId,
  kind: merchantDocuments.kind,
  name: merchantDocuments.name,
  mediaType: merchantDocuments.mediaType,
  bytes: merchantDocuments.bytes,
  sealed: merchantDocuments.sealed,
  vaultKeyId: merchantDocuments.vaultKeyId,
  state: merchantDocuments.state,
  givenBy: merchantDocuments.givenBy,
  createdAt: merchantDocuments.createdAt,
  checkedAt: merchantDocuments.checkedAt,
  checkedBy: merchantDocuments.checkedBy,
  note: merchantDocuments.note,
  expiresAt: merchantDocuments.expiresAt,
};

function stateOf(
  { field, value, checkedAt, expiresAt }: Omit<FieldRow, "merchantId">,
  now: Date,
): FieldState {
  if (value === null) return "missing";
  const isOld = field === "terms" && (value as { version?: string }).version !== TERMS_VERSION;
  if (isOld || (expiresAt && expiresAt <= now)) return "expired";
  return checkedAt ? "checked" : "given";
}

/** The field `documents`: its state is the best one among the documents that are not rejected. */
function documentsField(documents: readonly DocumentRow[], now: Date): StoredField {
  const best = documents
    .filter(({ state }) => state !== "refused")
    .map((row) => {
      const isExpired = row.expiresAt !== null && row.expiresAt <= now;
      return {
        row,
        state: isExpired
          ? ("expired" as const)
          : row.state === "checked"
            ? ("checked" as const)
            : ("given" as const),
      };
    })
    .toSorted((a, b) => documentRank(b) - documentRank(a))[0];
  if (!best) {
    const note = documents.findLast(({ state }) => state === "refused")?.note ?? null;
    return { ...NOTHING, field: "documents", state: "missing", note };
  }
  const { row, state } = best;
  return {
    ...NOTHING,
    field: "documents",
    state,
    givenAt: row.createdAt,
    givenBy: row.givenBy,
    checkedAt: row.checkedAt,
    checkedBy: row.checkedBy,
    checkedHow: row.checkedAt ? "document" : null,
    note: row.note,
    expiresAt: row.expiresAt,
  };
}

const RANKED: readonly FieldState[] = [
  "expired",
  "given",
  "checked",
] satisfies (typeof FIELD_STATES)[number][];
/** Prefers checked documents to unchecked ones, then those that stay valid longest. */
const documentRank = ({ row, state }: { row: DocumentRow; state: FieldState }): number =>
  RANKED.indexOf(state) +
  Math.min(0.9, (row.expiresAt?.getTime() ?? Number.MAX_SAFE_INTEGER) / Number.MAX_SAFE_INTEGER);

/** The missing fields of a file, those that staff have not checked, and when the next field expires. */
export function summarizeFields(fields: readonly StoredField[], now: Date) {
  const missing = fields.filter(({ state }) => state === "missing" || state === "expired");
  const unchecked = fields.filter(({ field, state }) => state === "given" && isChecked(field));
  const expiries = fields.flatMap(({ expiresAt }) => (expiresAt && expiresAt > now ? [expiresAt] : []));
  const state: TradeFileState =
    missing.length > 0 ? "incomplete" : unchecked.length > 0 ? "unchecked" : "complete";
  return {
    state,
    missing: missing.map(({ field }) => field),
    unchecked: unchecked.map(({ field }) => field),
    expiresAt: expiries.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null,
  };
}

/** Staff check every field except the declarations of owners. */
export const isChecked = (field: TradeField): boolean => field !== "certification" && field !== "terms";
