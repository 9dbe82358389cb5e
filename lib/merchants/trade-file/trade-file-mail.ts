import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { instant } from "@/lib/platform/instant";
import { TRADE_FIELDS, TRADE_MAILS, type TradeField } from "./rules";

/**
 * The data of the email to an owner about the trader file; null if it is obsolete, because the file was completed or
 * the sales were paused meanwhile.
 */
export async function tradeFileMail(
  merchantId: string,
  refs: { kind: string; fields: string; note: string },
) {
  const kind = TRADE_MAILS.find((one) => one === refs.kind);
  const [row] = await db.execute<{
    merchant: string;
    handle: string;
    due: string | null;
    expires: string | null;
    held: boolean;
  }>(sql`
    select m.name as merchant, m.handle, f.due_at as due, f.expires_at as expires, m.trade_held_at is not null as held
    from merchants m left join merchant_trade_files f on f.merchant_id = m.id where m.id = ${merchantId}`);
  if (!row || !kind) return null;
  const { merchant, handle, held } = row;
  const time = kind === "expiring" ? row.expires : row.due;
  const date = time === null ? null : new Date(instant(time));
  if ((kind === "notice" || kind === "reminder") && (date === null || held)) return null;
  if (kind === "expiring" && date === null) return null;
  if (kind === "held" && !held) return null;
  const names = refs.fields.split(",");
  const fields: TradeField[] = TRADE_FIELDS.filter((field) => names.includes(field));
  return { merchant, handle, kind, fields, date, note: refs.note };
}
