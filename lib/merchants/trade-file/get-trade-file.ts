import { eq } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import { merchantTradeFiles } from "@/db/schema/merchants";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";
import type { TradeFile } from "./contract";
import { readStoredFile, type StoredField, type StoredFile, summarizeFields } from "./read-trade-file";
import { TERMS_VERSION } from "./rules";
import { readShopTime } from "./settle-trade-file";
import { toDetails } from "./values";

const iso = (time: Date | null) => time?.toISOString() ?? null;

const toField = ({ field, state, note, ...row }: StoredField) => ({
  field,
  state,
  given_at: iso(row.givenAt),
  checked_at: iso(row.checkedAt),
  checked_how: row.checkedHow,
  note,
  expires_at: iso(row.expiresAt),
});

const toDocument = ({
  id,
  kind,
  name,
  mediaType,
  bytes,
  state,
  note,
  ...row
}: StoredFile["documents"][number]) => ({
  document_id: id,
  kind,
  name,
  media_type: mediaType,
  bytes,
  state,
  note,
  created_at: row.createdAt.toISOString(),
  expires_at: iso(row.expiresAt),
});

/**
 * A merchant's trader file with the current state of each field, and its stored fields.
 * @throws ShopError merchant_unknown
 */
export async function readTradeFile(
  merchantId: string,
  tx: Db = db,
): Promise<{ file: TradeFile; stored: StoredFile }> {
  const now = await readShopTime(tx);
  const [row] = await tx
    .select({ heldAt: merchants.tradeHeldAt, file: merchantTradeFiles })
    .from(merchants)
    .leftJoin(merchantTradeFiles, eq(merchantTradeFiles.merchantId, merchants.id))
    .where(eq(merchants.id, merchantId));
  if (!row) throw new ShopError("merchant_unknown");
  const stored = await readStoredFile(merchantId, now, tx);
  const { state, missing } = summarizeFields(stored.fields, now);
  const file = {
    state,
    required: row.file?.requiredAt != null,
    missing,
    due_at: iso(row.file?.dueAt ?? null),
    held_at: iso(row.heldAt),
    details: toDetails(stored.fields),
    revision: String(row.file?.revision ?? 0),
    fields: stored.fields.map(toField),
    documents: stored.documents.map(toDocument),
    terms_version: TERMS_VERSION,
  };
  return { file, stored };
}

/** The trader file of the viewer's merchant. */
export const getTradeFile = async ({ merchant }: MerchantViewer, tx: Db = db): Promise<TradeFile> =>
  (await readTradeFile(merchant.id, tx)).file;
