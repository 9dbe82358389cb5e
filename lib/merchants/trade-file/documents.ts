import { and, eq, gt, ne, sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { merchantDocuments } from "@/db/schema/merchants";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { reseal, sealBytes, unsealBytes, vaultKeyId } from "@/lib/platform/crypto/vault";
import { ShopError } from "@/lib/platform/errors";
import type { DocumentQuery, TradeFile } from "./contract";
import { getTradeFile } from "./get-trade-file";
import { DOCUMENT_LIMIT_BYTES, DOCUMENTS_MAX, type DocumentType } from "./rules";
import { lockTradeFile, settleTradeFile } from "./settle-trade-file";

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The type of a document by its first and last bytes, regardless of its name; null for a type that is not accepted. */
export function findDocumentType(bytes: Buffer): DocumentType | null {
  const end = bytes.subarray(-1024).toString("latin1");
  if (bytes.subarray(0, 5).toString("latin1") === "%PDF-")
    return end.includes("%%EOF") ? "application/pdf" : null;
  if (bytes.subarray(0, 8).equals(PNG)) return end.includes("IEND") ? "image/png" : null;
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
  return isJpeg && bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) > 3 ? "image/jpeg" : null;
}

async function readAll(file: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of file) parts.push(part);
  return Buffer.concat(parts);
}

/**
 * Adds a document to the merchant's file, encrypted. Only staff with the permission can read its content
 * (`openDocument`).
 * @throws ShopError document_type, documents_full
 */
export async function addDocument(
  viewer: MerchantViewer,
  { kind, name, expires }: DocumentQuery,
  file: AsyncIterable<Buffer>,
): Promise<TradeFile> {
  const content = await readAll(file);
  const mediaType = findDocumentType(content);
  if (!mediaType || content.length > DOCUMENT_LIMIT_BYTES) throw new ShopError("document_type");
  const { merchant, actor } = viewer;
  const id = newId("doc");
  const sealed = sealBytes(id, content);
  return transaction(async (tx) => {
    await lockTradeFile(tx, merchant.id);
    const count = await tx.$count(merchantDocuments, eq(merchantDocuments.merchantId, merchant.id));
    if (count >= DOCUMENTS_MAX) throw new ShopError("documents_full");
    await tx.insert(merchantDocuments).values({
      id,
      merchantId: merchant.id,
      kind,
      name,
      mediaType,
      bytes: content.length,
      ...sealed,
      givenBy: actor,
      expiresAt: expires ? new Date(`${expires}T23:59:59Z`) : null,
    });
    await audit(
      { actor, action: "trade_file.document_added", subject: merchant.id, detail: { document: id, kind } },
      tx,
    );
    await settleTradeFile(tx, merchant.id, actor);
    return getTradeFile(viewer, tx);
  });
}

/** Deletes a document of the merchant's file, with its content. @throws ShopError document_unknown */
export async function removeDocument(viewer: MerchantViewer, id: string): Promise<TradeFile> {
  const { merchant, actor } = viewer;
  return transaction(async (tx) => {
    await lockTradeFile(tx, merchant.id);
    const removed = await tx
      .delete(merchantDocuments)
      .where(and(eq(merchantDocuments.id, id), eq(merchantDocuments.merchantId, merchant.id)))
      .returning({ kind: merchantDocuments.kind });
    if (removed.length === 0) throw new ShopError("document_unknown");
    const detail = { document: id, kind: removed[0]!.kind };
    await audit({ actor, action: "trade_file.document_removed", subject: merchant.id, detail }, tx);
    await settleTradeFile(tx, merchant.id, actor);
    return getTradeFile(viewer, tx);
  });
}

export type OpenedDocument = { content: Buffer; mediaType: DocumentType; name: string };

/**
 * Opens a document for a member of staff. Writes the audit entry before it returns the content.
 * @throws ShopError document_unknown: also of another merchant
 */
export async function openDocument(
  { userId: actor }: StaffViewer,
  { id: merchantId, document }: { id: string; document: string },
): Promise<OpenedDocument> {
  return transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(merchantDocuments)
      .where(and(eq(merchantDocuments.id, document), eq(merchantDocuments.merchantId, merchantId)));
    if (!row) throw new ShopError("document_unknown");
    const { sealed, vaultKeyId: keyId, mediaType, name, kind } = row;
    const content = unsealBytes(document, { sealed, vaultKeyId: keyId });
    await audit(
      { actor, action: "trade_file.document_opened", subject: merchantId, detail: { document, kind } },
      tx,
    );
    return { content, mediaType, name };
  });
}

/** The number of documents that one transaction re-encrypts. */
const RESEALED_AT_ONCE = 20;

/**
 * Re-encrypts all documents under the current vault key (`npm run keys:rotate`), a few per transaction, so that it can
 * be stopped and run again. Returns their number.
 */
export async function resealDocuments(): Promise<number> {
  let count = 0;
  for (let after: string | undefined = ""; after !== undefined; ) {
    const from: string = after;
    after = await transaction(async (tx) => {
      const rows = await tx
        .select({
          id: merchantDocuments.id,
          sealed: merchantDocuments.sealed,
          vaultKeyId: merchantDocuments.vaultKeyId,
        })
        .from(merchantDocuments)
        .where(and(ne(merchantDocuments.vaultKeyId, vaultKeyId()), gt(merchantDocuments.id, from)))
        .orderBy(merchantDocuments.id)
        .limit(RESEALED_AT_ONCE)
        .for("update");
      for (const { id, ...sealed } of rows)
        await tx.update(merchantDocuments).set(reseal(id, sealed)).where(eq(merchantDocuments.id, id));
      count += rows.length;
      return rows.at(-1)?.id;
    });
  }
  return count;
}

/** The number of documents that are still encrypted under an earlier vault key. */
export const countDocumentsUnderOldVaultKeys = async (): Promise<number> =>
  transaction(async (tx) =>
    tx.$count(merchantDocuments, sql`${merchantDocuments.vaultKeyId} <> ${vaultKeyId()}`),
  );
