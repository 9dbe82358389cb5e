import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { readOrderLines, toPassLine } from "@/lib/orders/emails/read-order-lines";
import type { Locale } from "@/lib/platform/i18n/locales";
import { giftToken } from "./gift-token";

/** The email to the recipient: the passes and the link; null when a newer link replaced this one, or it was used. */
export async function giftMail(giftId: string, serial: number, locale: Locale) {
  const [gift] = await db.execute<{ orderId: string; claimUntil: string }>(sql`
    select order_id as "orderId", claim_until as "claimUntil" from gifts
    where id = ${giftId} and serial = ${serial} and state = 'sent'`);
  if (!gift) return null;
  const passes = await listMailedPasses(gift.orderId, locale);
  if (passes.length === 0) return null; // refunded in the meantime
  return { token: giftToken(giftId, serial), claimUntil: new Date(gift.claimUntil), passes };
}

/** The email to the giver of a gift that no one claimed; null when it was refunded. */
export async function giftReturnedMail(orderId: string, locale: Locale) {
  const passes = await listMailedPasses(orderId, locale);
  return passes.length > 0 ? { orderId, passes } : null;
}

async function listMailedPasses(orderId: string, locale: Locale) {
  const rows = await readOrderLines(orderId, locale);
  return rows
    .filter((row) => row.assigned_units > 0)
    .map((row) => ({ ...toPassLine(row, locale), quantity: row.assigned_units, totalCents: 0 }));
}
