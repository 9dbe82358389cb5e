import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { WITHDRAWAL_REASONS } from "@/lib/orders/withdrawal/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { supportAddress } from "@/lib/platform/support-address";
import { readOrderLines, toPassLine } from "./read-order-lines";

type WithdrawalRow = {
  order_id: string;
  refunded_cents: number;
  refused: { order_product_id: string; reason: string }[];
  created_at: string;
  refunds: Record<string, number> | null;
};

/** The recorded result of a withdrawal: what is refunded and what is not. */
export async function withdrawalMail(withdrawalId: string, lineIds: string[], locale: Locale) {
  const [row] = await db.execute<WithdrawalRow>(sql`
    select w.order_id, w.refunded_cents, w.refused, w.created_at,
      (select json_object_agg(distinct r.order_line_id, r.amount_cents) from refunds r
        where r.order_id = w.order_id and r.reason = 'withdrawn' and r.order_line_id is not null) as refunds
    from withdrawals w where w.id = ${withdrawalId}`);
  if (!row) return null;
  const lines = (await readOrderLines(row.order_id, locale)).map((line) => toPassLine(line, locale));
  const lineById = new Map(lines.map((line) => [line.lineId, line]));
  return {
    orderId: row.order_id,
    at: new Date(row.created_at),
    lines: lines
      .filter((line) => lineIds.includes(line.lineId))
      .map((line) => ({ ...line, totalCents: row.refunds?.[line.lineId] ?? 0 })),
    amountCents: row.refunded_cents,
    kept: row.refused.flatMap(({ order_product_id, reason }) => {
      const line = lineById.get(order_product_id);
      const knownReason = WITHDRAWAL_REASONS.find((known) => known === reason);
      return line && knownReason && knownReason !== "open" ? [{ line, reason: knownReason }] : [];
    }),
    support: supportAddress(),
  };
}
