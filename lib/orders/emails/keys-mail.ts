import { and, count, eq, inArray, ne, sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { keys } from "@/db/schema/delivery";
import { gifts, orders } from "@/db/schema/orders";
import { activationFor } from "@/lib/catalog/product/rules";
import { decryptKeys, openKeysForEmail } from "@/lib/delivery/library/open-keys";
import { findReplacementKeys } from "@/lib/delivery/replacement/find-replacement-keys";
import { isOnHold } from "@/lib/orders/disputes/is-on-hold";
import { giftDueSql } from "@/lib/orders/gifts/find-gift";
import { rightOf, withdrawalApplies } from "@/lib/orders/withdrawal/rules";
import { refundDecision, toRefundView } from "@/lib/payments/refunds/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { readOrderLines, toDate, toPassLine } from "./read-order-lines";
import { readOrderSellers } from "./read-order-sellers";

/**
 * The delivery email: the codes of `keyIds` in plain text, and the number of keys that stay in the library
 * (`keptKeyIds`). `claimed`: for the account that claimed the order as a gift. `open`: what reads the codes.
 */
export async function keysMail(
  orderId: string,
  keyIds: string[],
  locale: Locale,
  keptKeyIds: string[] = [],
  claimed = false,
  open: typeof decryptOrderKeys = decryptOrderKeys,
) {
  const [rows, mailedKeys, keptCounts, replacementKeys, [gift]] = await Promise.all([
    readOrderLines(orderId, locale),
    open(orderId, keyIds),
    countKeptKeys(keptKeyIds),
    findReplacementKeys([...keyIds, ...keptKeyIds]),
    db
      .select({ deliverOn: gifts.deliverOn, due: giftDueSql("gifts").mapWith(Boolean) })
      .from(gifts)
      .where(and(eq(gifts.orderId, orderId), ne(gifts.state, "returned"))),
  ]);
  if (!mailedKeys) return null;
  const passes = rows.flatMap((row) => {
    const codes = mailedKeys.filter((key) => key.lineId === row.lineId);
    const keptInLibrary = keptCounts.get(row.lineId) ?? 0;
    if (codes.length + keptInLibrary === 0) return [];
    const paidAt = toDate(row.paid_at);
    const refundFacts = {
      durationDays: row.durationDays,
      paidCents: row.totalCents - row.refunded_cents,
      limitedTime: row.limited_time,
      paidAt,
      preOrder: row.pre_order,
      deliveredAt: toDate(row.delivered_at),
      redemption: "unknown" as const,
    };
    // As of the payment, so that a retried email states the same. The email shows all codes but those kept.
    const now = paidAt ?? new Date(0);
    const rightFacts = {
      paidAt,
      totalCents: row.totalCents,
      leftCents: refundFacts.paidCents,
      leftUnits: row.quantity - row.refunded_quantity,
      applies: withdrawalApplies(row.country, row.time_zone),
      shown: row.assigned_units - keptInLibrary,
      unrevealed: keptInLibrary,
      chosen: true,
      consented: true,
      disputed: false,
    };
    const { url: redeemUrl, steps } = activationFor(row.activation, locale);
    return {
      ...toPassLine(row, locale),
      codes,
      keptInLibrary,
      redeemUrl,
      steps,
      refund: toRefundView(refundDecision(refundFacts, now), rightOf(rightFacts, now)),
    };
  });
  const [order] = rows;
  if (!order || passes.length === 0) return null;
  return {
    orderId,
    totalCents: order.order_total_cents,
    passes,
    reader: claimed ? ("claimer" as const) : gift ? ("giver" as const) : ("owner" as const),
    sellers: await readOrderSellers(orderId, locale),
    giftDay: gift && !gift.due ? new Date(`${gift.deliverOn}T00:00:00Z`) : null,
    withdrawal: withdrawalApplies(order.country, order.time_zone),
    agreedAt: toDate(order.agreed_at),
    replacement: [...mailedKeys.map(({ keyId }) => keyId), ...keptKeyIds].every((id) =>
      replacementKeys.includes(id),
    ),
  };
}

/** Counts these keys by line, without refunded ones. */
async function countKeptKeys(keyIds: string[]): Promise<Map<string | null, number>> {
  if (keyIds.length === 0) return new Map();
  const rows = await db
    .select({ lineId: keys.orderLineId, count: count() })
    .from(keys)
    .where(and(inArray(keys.id, keyIds), eq(keys.state, "assigned")))
    .groupBy(keys.orderLineId);
  return new Map(rows.map((row) => [row.lineId, row.count]));
}

/**
 * Opens the keys after any concurrent change of the order: a refund granted before the first mailing counts the codes as never
 * shown, so they must not be read earlier. Decrypts them once that they are opened is committed.
 */
async function decryptOrderKeys(orderId: string, keyIds: string[]) {
  const opened = await transaction(async (tx) => {
    await tx.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId)).for("share");
    // The email is dropped as a whole; a dispute that is not lost, or staff who let the sale stand, queue it again (`requeueDroppedMails`).
    if (await isOnHold(tx, orderId)) return null;
    return openKeysForEmail(tx, orderId, keyIds);
  });
  return opened && decryptKeys(opened);
}

/** In place of a code that staff do not see. */
const MASK = "••••-••••-••••";

/** The codes of an email by their references alone, for staff: nothing is opened or decrypted. */
export async function maskOrderKeys(orderId: string, keyIds: string[]) {
  if (keyIds.length === 0) return [];
  const rows = await db.execute<{ keyId: string; lineId: string; redeemBy: string | null }>(sql`
    select k.id as "keyId", k.order_line_id as "lineId", k.redeem_by as "redeemBy" from keys k
    join order_lines l on l.id = k.order_line_id where l.order_id = ${orderId} and k.id in ${keyIds} order by k.slot`);
  return rows.map((row) => ({ ...row, code: MASK, redeemBy: toDate(row.redeemBy) }));
}
