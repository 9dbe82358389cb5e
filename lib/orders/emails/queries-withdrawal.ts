import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { MailProps } from "@/emails/render";
import { WITHDRAWAL_REASONS } from "@/lib/orders/withdrawal/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { supportAddress } from "@/lib/platform/support-address";
import { passLine, readOrder } from "./queries";

type WithdrawalRow = {
  order_id: string;
  refunded_cents: number;
  refused: { order_product_id: string; reason: string }[];
  created_at: string;
  refunds: Record<string, number> | null;
};

/** The recorded result of a withdrawal: what is refunded and what is not. */
export async function withdrawalMail(
  withdrawalId: string,
  lineIds: string[],
  locale: Locale,
): Promise<MailProps["withdrawal-received"] | null> {
  const [row] = await db.execute<WithdrawalRow>(sql`
    select w.order_id, w.refunded_cents, w.refused, w.created_at,
      (select json_object_agg(distinct r.order_line_id, r.amount_cents) from refunds r
        where r.order_id = w.order_id and r.reason = 'withdrawn' and r.order_line_id is not null) as refunds
    from withdrawals w where w.id = ${withdrawalId}`);
  if (!row) return null;
  const lines = (await readOrder(row.order_id, locale)).map((line) => passLine(line, locale));
  const byId = new Map(lines.map((line) => [line.lineId, line]));
  return {
    orderId: row.order_id,
    at: new Date(row.created_at),
    lines: lines
      .filter((line) => lineIds.includes(line.lineId))
      .map((line) => ({ ...line, totalCents: row.refunds?.[line.lineId] ?? 0 })),
    amountCents: row.refunded_cents,
    kept: row.refused.flatMap(({ order_product_id, reason }) => {
      const line = byId.get(order_product_id);
      const known = WITHDRAWAL_REASONS.find((each) => each === reason);
      return line && known && known !== "open" ? [{ line, reason: known }] : [];
    }),
    support: supportAddress(),
  };
}
