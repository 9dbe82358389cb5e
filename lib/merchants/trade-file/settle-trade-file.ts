import { eq, sql } from "drizzle-orm";
import { type Db, shopNow, type Tx } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import { merchantTradeFiles } from "@/db/schema/merchants";
import { lockMerchant, mailOwners } from "@/lib/merchants/states/change-state";
import { audit } from "@/lib/platform/audit";
import { ShopError } from "@/lib/platform/errors";
import { type FileRow, readStoredFile, summarizeFields } from "./read-trade-file";
import type { TradeField, TradeMail } from "./rules";

export async function readShopTime(tx: Db): Promise<Date> {
  const [row] = await tx.execute<{ now: string }>(sql`select shop_now() as now`);
  return new Date(row!.now);
}

/**
 * Locks a merchant and its trader file, which is created if it does not exist.
 * @throws ShopError merchant_unknown
 */
export async function lockTradeFile(tx: Tx, merchantId: string): Promise<FileRow> {
  const merchant = await lockMerchant(tx, merchantId);
  if (!merchant) throw new ShopError("merchant_unknown");
  await tx.insert(merchantTradeFiles).values({ merchantId }).onConflictDoNothing();
  const [row] = await tx
    .select()
    .from(merchantTradeFiles)
    .where(eq(merchantTradeFiles.merchantId, merchantId));
  return row!;
}

/**
 * Updates the state of a locked file after a change, or after a field has expired. If the file is now complete, ends
 * the notice, the pause of sales and the hold of payouts, and mails the owners.
 */
export async function settleTradeFile(tx: Tx, merchantId: string, actor: string): Promise<FileRow> {
  const now = await readShopTime(tx);
  const sum = summarizeFields((await readStoredFile(merchantId, now, tx)).fields, now);
  const isWhole = sum.state !== "incomplete";
  const [row] = await tx
    .update(merchantTradeFiles)
    .set({
      ...sum,
      ...(isWhole && { noticedAt: null, dueAt: null, remindedAt: null }),
      revision: sql`${merchantTradeFiles.revision} + 1`,
      updatedAt: shopNow,
    })
    .where(eq(merchantTradeFiles.merchantId, merchantId))
    .returning();
  if (isWhole) await release(tx, merchantId, actor);
  return row!;
}

async function release(tx: Tx, merchantId: string, actor: string): Promise<void> {
  const released = await tx
    .update(merchants)
    .set({ tradeHeldAt: null })
    .where(sql`${merchants.id} = ${merchantId} and ${merchants.tradeHeldAt} is not null`)
    .returning({ id: merchants.id });
  if (released.length === 0) return;
  await audit({ actor, action: "trade_file.released", subject: merchantId }, tx);
  await mailTradeFile(tx, merchantId, { kind: "released", fields: [] });
}

/** Mails the owners about the file: with `about` once per subject, otherwise on each call. */
export const mailTradeFile = (
  tx: Tx,
  merchantId: string,
  {
    kind,
    fields,
    note = "",
    about,
  }: { kind: TradeMail; fields: readonly TradeField[]; note?: string; about?: string },
): Promise<void> =>
  mailOwners(tx, merchantId, {
    event: "trade-file",
    refs: { merchantId, kind, fields: fields.join(","), note },
    ...(about && { about: `${kind}:${merchantId}:${about}` }),
  });

/** Rejects new listings of a merchant whose required file is incomplete. */
export async function requireTradeFile(tx: Tx, merchantId: string): Promise<void> {
  const [row] = await tx.execute(sql`
    select from merchant_trade_files where merchant_id = ${merchantId} and required_at is not null and state = 'incomplete'`);
  if (row) throw new ShopError("trade_file_incomplete");
}

/** Starts to require the trader file of a merchant that now has an owner. */
export async function beginTradeFile(tx: Tx, merchantId: string): Promise<void> {
  await tx
    .insert(merchantTradeFiles)
    .values({ merchantId, requiredAt: shopNow })
    .onConflictDoUpdate({
      target: merchantTradeFiles.merchantId,
      set: { requiredAt: sql`coalesce(${merchantTradeFiles.requiredAt}, shop_now())` },
    });
}
