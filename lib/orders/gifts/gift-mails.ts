import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { readOrderLines, toPassLine } from "@/lib/orders/emails/read-order-lines";
import type { Locale } from "@/lib/platform/i18n/locales";
import { giftProof, giftToken } from "./gift-token";

type MailedGift = { orderId: string; claimUntil: string; from: string | null };

/**
 * The email to the recipient: the passes and the link, in the first one with the secret that verifies its address; null when a
 * newer link replaced this one, or it was used. A free order names no giver.
 */
export async function giftMail(giftId: string, serial: number, locale: Locale, first = false) {
  const [gift] = await db.execute<MailedGift>(sql`
    select g.order_id as "orderId", g.claim_until as "claimUntil", case when o.total_cents > 0 then g.from_name end as "from"
    from gifts g join orders o on o.id = g.order_id
    where g.id = ${giftId} and g.serial = ${serial} and g.state = 'sent'`);
  if (!gift) return null;
  const passes = await listMailedPasses(gift.orderId, locale);
  if (passes.length === 0) return null; // refunded in the meantime
  return {
    token: giftToken(giftId, serial),
    proof: first ? giftProof(giftId, serial) : null,
    from: gift.from,
    claimUntil: new Date(gift.claimUntil),
    passes,
  };
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
