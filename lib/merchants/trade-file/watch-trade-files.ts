import { eq, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import { merchantTradeFiles } from "@/db/schema/merchants";
import { audit } from "@/lib/platform/audit";
import { readStoredFile } from "./read-trade-file";
import {
  DOCUMENT_KEPT_MONTHS,
  EXPIRY_NOTICE_DAYS,
  NOTICE_DAYS,
  REMINDER_DAYS,
  type TradeField,
} from "./rules";
import { lockTradeFile, mailTradeFile, readShopTime, settleTradeFile } from "./settle-trade-file";

const DAY_MS = 86_400_000;
const isWithin = (time: Date | null, now: Date, days: number): boolean =>
  time !== null && time.getTime() - now.getTime() <= days * DAY_MS;

/** SQL: the merchants with something to do for `stepTradeFile`; each condition has its index. */
const DUE = sql`
  select f.merchant_id from merchant_trade_files f where f.required_at is not null and f.expires_at is not null
    and (f.expires_at <= shop_now() or (f.expires_at <= shop_now() + make_interval(days => ${EXPIRY_NOTICE_DAYS})
      and f.expiry_mailed is distinct from f.expires_at))
  union select f.merchant_id from merchant_trade_files f where f.required_at is not null and f.due_at is not null
    and (f.due_at <= shop_now() or (f.due_at <= shop_now() + make_interval(days => ${REMINDER_DAYS}) and f.reminded_at is null))
  union select f.merchant_id from merchant_trade_files f where f.required_at is not null and f.state = 'incomplete' and f.due_at is null
    and exists (select from products p where p.merchant_id = f.merchant_id and p.published)`;

/**
 * Watches the trader files of merchants that sell (docs/product.md#1412-trader-file): expires fields, sends notices of
 * incomplete files and reminders, and pauses sales and payouts after 30 days. Uses one transaction per merchant and
 * records each step, so that it can be stopped at any point and run again.
 */
export async function watchTradeFiles(): Promise<number> {
  await db.execute(sql`
    delete from merchant_documents d using merchants m
    where m.id = d.merchant_id and m.state = 'ended' and m.state_at < shop_now() - make_interval(months => ${DOCUMENT_KEPT_MONTHS})`);
  const due = await db.execute<{ merchant_id: string }>(sql`
    select d.merchant_id from (${DUE}) d join merchants m on m.id = d.merchant_id
    where m.state in ('active', 'paused') and m.trade_held_at is null order by d.merchant_id`);
  for (const { merchant_id } of due) await transaction((tx) => stepTradeFile(tx, merchant_id));
  return due.length;
}

async function stepTradeFile(tx: Tx, merchantId: string): Promise<void> {
  let file = await lockTradeFile(tx, merchantId);
  const now = await readShopTime(tx);
  if (file.expiresAt && file.expiresAt <= now) file = await settleTradeFile(tx, merchantId, "system");
  const isFile = eq(merchantTradeFiles.merchantId, merchantId);
  const fields = file.missing as TradeField[];
  if (file.state !== "incomplete") {
    if (
      !isWithin(file.expiresAt, now, EXPIRY_NOTICE_DAYS) ||
      file.expiryMailed?.getTime() === file.expiresAt?.getTime()
    )
      return;
    const stored = await readStoredFile(merchantId, now, tx);
    const expiring = stored.fields.filter(({ expiresAt }) => isWithin(expiresAt, now, EXPIRY_NOTICE_DAYS));
    const about = file.expiresAt!.toISOString();
    await mailTradeFile(tx, merchantId, {
      kind: "expiring",
      fields: expiring.map(({ field }) => field),
      about,
    });
    await tx.update(merchantTradeFiles).set({ expiryMailed: file.expiresAt }).where(isFile);
    return;
  }
  if (file.dueAt === null) {
    if (!(await sells(tx, merchantId))) return;
    const [row] = await tx
      .update(merchantTradeFiles)
      .set({
        noticedAt: shopNow,
        dueAt: sql<Date>`shop_now() + make_interval(days => ${NOTICE_DAYS})`,
        remindedAt: null,
      })
      .where(isFile)
      .returning({ dueAt: merchantTradeFiles.dueAt });
    const about = row!.dueAt!.toISOString();
    await audit(
      {
        actor: "system",
        action: "trade_file.noticed",
        subject: merchantId,
        detail: { fields, until: about },
      },
      tx,
    );
    await mailTradeFile(tx, merchantId, { kind: "notice", fields, about });
    return;
  }
  const about = file.dueAt.toISOString();
  if (file.dueAt <= now) {
    await tx.update(merchants).set({ tradeHeldAt: shopNow }).where(eq(merchants.id, merchantId));
    await audit({ actor: "system", action: "trade_file.held", subject: merchantId, detail: { fields } }, tx);
    await mailTradeFile(tx, merchantId, { kind: "held", fields, about });
    return;
  }
  if (file.remindedAt === null && isWithin(file.dueAt, now, REMINDER_DAYS)) {
    await tx.update(merchantTradeFiles).set({ remindedAt: shopNow }).where(isFile);
    await mailTradeFile(tx, merchantId, { kind: "reminder", fields, about });
  }
}

/** Whether a merchant has products on sale. */
async function sells(tx: Tx, merchantId: string): Promise<boolean> {
  const [row] = await tx.execute(
    sql`select from products where merchant_id = ${merchantId} and published limit 1`,
  );
  return row !== undefined;
}
