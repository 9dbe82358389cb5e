import { eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { replacementRequests } from "@/db/schema/delivery";
import type { PassLine } from "@/emails/pass";
import type { PassType } from "@/lib/catalog/rules";
import { frozenLineSql, PASS_STARTED_AT_SQL } from "@/lib/delivery/library/queries";
import { passEnd, type Reminder } from "@/lib/delivery/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { supportAddress } from "@/lib/platform/support-address";

type PassRow = {
  order_id: string;
  line_id: string;
  name: string;
  translated: boolean;
  vendor: string;
  vip_type: PassType;
  duration_days: number | null;
  started_at: string | null;
  redeem_by: string | null;
  blocked: boolean;
  now: string;
};

async function findPass(keyId: string, locale: Locale) {
  const [row] = await db.execute<PassRow>(sql`
    select l.order_id, l.id as line_id, coalesce(t.name, e.name) as name, t.locale is not null as translated, p.vendor,
      l.pass_type as vip_type, l.duration_days, ${PASS_STARTED_AT_SQL} as started_at, k.redeem_by,
      k.state <> 'assigned' or ${frozenLineSql("l")} as blocked, shop_now() as now
    from keys k join order_lines l on l.id = k.order_line_id join products p on p.id = l.product_id
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    left join product_texts e on e.product_id = p.id and e.locale = 'en'
    where k.id = ${keyId}`);
  if (!row) return null;
  const pass: PassLine = {
    lineId: row.line_id,
    productName: row.name,
    vendor: row.vendor,
    language: row.translated ? locale : "en",
    vipType: row.vip_type,
    durationDays: row.duration_days,
    quantity: 1,
    totalCents: 0,
  };
  return { row, pass };
}

/** The data of a reminder email; null when the pass is refunded, locked, expired, or (for `redeem_by`) started. */
export async function findPassEndingMail(keyId: string, reminder: Reminder, locale: Locale) {
  const found = await findPass(keyId, locale);
  if (!found || found.row.blocked) return null;
  const { row, pass } = found;
  const hasStarted = row.started_at !== null;
  const at = hasStarted
    ? passEnd(row.started_at, row.duration_days)
    : row.redeem_by && new Date(row.redeem_by);
  if (!at || at <= new Date(row.now) || hasStarted !== (reminder === "ends")) return null;
  return { orderId: row.order_id, pass, reminder, at };
}

/** The email about a refused replacement. */
export async function findReplacementRefusedMail(requestId: string, note: string, locale: Locale) {
  const [request] = await db
    .select({ keyId: replacementRequests.keyId })
    .from(replacementRequests)
    .where(eq(replacementRequests.id, requestId));
  const found = request && (await findPass(request.keyId, locale));
  return found ? { orderId: found.row.order_id, pass: found.pass, note, support: supportAddress() } : null;
}
