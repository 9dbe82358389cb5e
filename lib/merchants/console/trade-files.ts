import { and, eq, inArray, sql } from "drizzle-orm";
import { db, shopNow, transaction } from "@/db/client";
import { users } from "@/db/schema/accounts";
import { merchantDocuments, merchantTradeFields } from "@/db/schema/merchants";
import { readTradeFile } from "@/lib/merchants/trade-file/get-trade-file";
import { readStoredFile } from "@/lib/merchants/trade-file/read-trade-file";
import type { TradeField } from "@/lib/merchants/trade-file/rules";
import {
  lockTradeFile,
  mailTradeFile,
  readShopTime,
  settleTradeFile,
} from "@/lib/merchants/trade-file/settle-trade-file";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ConsoleTradeFile, TradeAskInput, TradeCheckInput } from "./contract-trade-files";
import { tradeFileLines } from "./trade-file-lines";

/**
 * A merchant's trader file for staff, with the values of its fields and who gave and checked them; without the content of documents.
 * @throws ShopError merchant_unknown
 */
export async function getConsoleTradeFile(id: string, locale: Locale): Promise<ConsoleTradeFile> {
  const { file, stored } = await readTradeFile(id);
  const { fields, revision, ...rest } = file;
  const people = [
    ...new Set(stored.fields.flatMap((one) => [one.givenBy, one.checkedBy].filter((by) => by !== null))),
  ];
  const named = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(users.id, people));
  const nameOf = (by: string | null) =>
    by === null ? null : (named.find((one) => one.id === by)?.email ?? by);
  const countries = new Intl.DisplayNames([locale], { type: "region" });
  return {
    ...rest,
    merchant_id: id,
    version: revision,
    fields: fields.map((field, index) => {
      const { value, givenBy, checkedBy } = stored.fields[index]!;
      const lines = tradeFileLines(field.field, value, (code) => countries.of(code) ?? code);
      return { ...field, value: lines, given_by: nameOf(givenBy), checked_by: nameOf(checkedBy) };
    }),
  };
}

type Target = { fields: TradeField[]; documents: string[]; version?: string | undefined };

/** Runs a decision about fields and documents of a locked file, if it has not changed since it was shown. */
async function decide<T extends Target>(
  id: string,
  input: T,
  actor: string,
  write: (tx: Parameters<Parameters<typeof transaction>[0]>[0], input: T) => Promise<void>,
) {
  if (input.fields.length + input.documents.length === 0) throw new ShopError("nothing_changes");
  return transaction(async (tx) => {
    const file = await lockTradeFile(tx, id);
    if (String(file.revision) !== input.version) throw new ShopError("revision_conflict");
    const { fields, documents } = await readStoredFile(id, await readShopTime(tx), tx);
    const isGiven = (name: TradeField) =>
      fields.some(({ field, state }) => field === name && state !== "missing");
    if (!input.fields.every(isGiven)) throw new ShopError("nothing_changes");
    if (!input.documents.every((name) => documents.some((one) => one.id === name)))
      throw new ShopError("document_unknown");
    await write(tx, input);
    await settleTradeFile(tx, id, actor);
    return { merchant_id: id };
  });
}

const ofFields = (id: string, fields: TradeField[]) =>
  and(eq(merchantTradeFields.merchantId, id), inArray(merchantTradeFields.field, fields));
const ofDocuments = (id: string, documents: string[]) =>
  and(eq(merchantDocuments.merchantId, id), inArray(merchantDocuments.id, documents));

/**
 * Marks fields and documents as checked, with the method and the finding.
 * @throws ShopError merchant_unknown, document_unknown, revision_conflict, nothing_changes: none is named, or one is
 * missing
 */
export const checkTradeFile = (viewer: StaffViewer, id: string, input: TradeCheckInput) =>
  decide(id, input, viewer.userId, async (tx, { fields, documents, how, note, expires }) => {
    const until = expires ? new Date(`${expires}T23:59:59Z`) : null;
    const checked = { checkedAt: shopNow, checkedBy: viewer.userId, note };
    await tx
      .update(merchantTradeFields)
      .set({ ...checked, checkedHow: how, expiresAt: until })
      .where(ofFields(id, fields));
    await tx
      .update(merchantDocuments)
      .set({ ...checked, state: "checked", ...(until && { expiresAt: until }) })
      .where(ofDocuments(id, documents));
    const detail = { fields, documents, how, note, ...(expires && { expires }) };
    await audit({ actor: viewer.userId, action: "trade_file.checked", subject: id, detail }, tx);
  });

/**
 * Requests fields and documents from the owners again: they are missing until they are submitted.
 * @throws ShopError merchant_unknown, document_unknown, revision_conflict, nothing_changes
 */
export const askForTradeFields = (viewer: StaffViewer, id: string, input: TradeAskInput) =>
  decide(id, input, viewer.userId, async (tx, { fields, documents, note }) => {
    const nothing = { value: sql`null`, givenAt: null, givenBy: null, checkedAt: null, checkedBy: null };
    await tx
      .update(merchantTradeFields)
      .set({ ...nothing, checkedHow: null, expiresAt: null, note })
      .where(ofFields(id, fields));
    await tx
      .update(merchantDocuments)
      .set({ state: "refused", checkedAt: null, checkedBy: null, note })
      .where(ofDocuments(id, documents));
    const detail = { fields, documents, note };
    await audit({ actor: viewer.userId, action: "trade_file.asked", subject: id, detail }, tx);
    const asked: TradeField[] = [...fields, ...(documents.length > 0 ? (["documents"] as const) : [])];
    await mailTradeFile(tx, id, { kind: "asked", fields: asked, note });
  });
