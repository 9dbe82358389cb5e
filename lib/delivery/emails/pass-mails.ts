import { eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { replacementRequests } from "@/db/schema/delivery";
import type { PassLine } from "@/emails/pass";
import { frozenLineSql, PASS_STARTED_AT_SQL } from "@/lib/delivery/library/key-state-sql";
import { passEnd, type Reminder, type ReplacementState } from "@/lib/delivery/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { supportAddress } from "@/lib/platform/support-address";

type PassRow = Omit<PassLine, "language" | "quantity" | "totalCents"> & {
  /** null: a claimed gift, whose order is the giver's */
  order_id: string | null;
  translated: boolean;
  started_at: string | null;
  redeem_by: string | null;
  blocked: boolean;
  now: string;
};

async function findPass(keyId: string, locale: Locale) {
  const [row] = await db.execute<PassRow>(sql`
    select case when exists (select from gifts g where g.order_id = l.order_id and g.state = 'claimed') then null else l.order_id end as order_id, l.id as "lineId", coalesce(t.name, translate_product_text(e.name, ${locale})) as "productName", t.locale is not null or translate_product_text(e.name, ${locale}) <> e.name as translated, p.vendor,
      l.pass_type as "vipType", l.duration_days as "durationDays", ${PASS_STARTED_AT_SQL} as started_at, k.redeem_by,
      k.state <> 'assigned' or ${frozenLineSql("l")} as blocked, shop_now() as now
    from keys k join order_lines l on l.id = k.order_line_id join products p on p.id = l.product_id
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    left join product_texts e on e.product_id = p.id and e.locale = 'en'
    where k.id = ${keyId}`);
  if (!row) return null;
  const { order_id: orderId, translated, started_at, redeem_by, blocked, now, ...columns } = row;
  const pass: PassLine = { ...columns, language: translated ? locale : "en", quantity: 1, totalCents: 0 };
  return { orderId, started_at, redeem_by, blocked, now, pass };
}

/**
 * The data of a reminder email; null when the pass is refunded, locked, expired, or (but for `ends`) started.
 * `endedAt`: for `next`, the end of the previous pass.
 */
export async function findPassEndingMail(
  keyId: string,
  reminder: Reminder,
  locale: Locale,
  endedAt: string | null = null,
) {
  const found = await findPass(keyId, locale);
  if (!found || found.blocked) return null;
  const { orderId, started_at, redeem_by, now, pass } = found;
  if (reminder === "next")
    return started_at || !endedAt ? null : { orderId, pass, reminder, at: new Date(endedAt) };
  const at = started_at ? passEnd(started_at, pass.durationDays) : redeem_by && new Date(redeem_by);
  if (!at || at <= new Date(now) || Boolean(started_at) !== (reminder === "ends")) return null;
  return { orderId, pass, reminder, at };
}

export async function findReplacementRefusedMail(requestId: string, note: string, locale: Locale) {
  const [request] = await db
    .select({ keyId: replacementRequests.keyId, askedBy: replacementRequests.askedBy })
    .from(replacementRequests)
    .where(eq(replacementRequests.id, requestId));
  const found = request && (await findPass(request.keyId, locale));
  if (!found) return null;
  const { orderId, pass } = found;
  return { orderId, pass, askedByStaff: request.askedBy !== null, note, support: supportAddress() };
}

type CodeRequestRow = { key_id: string; state: ReplacementState; created_at: string; handle: string };

/** The data of an email to a merchant about a request for another code; null when it is decided. */
export async function findCodeRequestMail(requestId: string, reminder: boolean, locale: Locale) {
  const [request] = await db.execute<CodeRequestRow>(sql`
    select r.key_id, r.state, r.created_at, m.handle
    from replacement_requests r join merchants m on m.id = r.merchant_id where r.id = ${requestId}`);
  const found = request?.state === "asked" ? await findPass(request.key_id, locale) : null;
  if (!request || !found) return null;
  return { pass: found.pass, handle: request.handle, askedAt: new Date(request.created_at), reminder };
}
