import { sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { listMerchantRecipients } from "@/lib/notifications/list-merchant-recipients";
import { queueMail } from "@/lib/notifications/queue-mail";
import { readOrderLines, toPassLine } from "@/lib/orders/emails/read-order-lines";
import type { Locale } from "@/lib/platform/i18n/locales";

/** Tells merchants whose first sales these lines of an order are, at their support address and their owners. */
export async function queueFirstSaleMails(tx: Tx, lineIds: readonly string[]): Promise<void> {
  const first = await tx.execute<{ merchantId: string; lineId: string; productId: number }>(sql`
    select distinct on (s.merchant_id) s.merchant_id as "merchantId", s.line_id as "lineId", s.product_id as "productId"
    from merchant_sales s where s.line_id = any(array(select unnest(${sql.param(lineIds)}::text[])))
      and not exists (select from merchant_sales e where e.merchant_id = s.merchant_id and e.order_id <> s.order_id)
    order by s.merchant_id, s.line_id`);
  for (const { merchantId, lineId, productId } of first)
    for (const [index, { to, locale }] of (
      await listMerchantRecipients(tx, productId, [], "sales")
    ).entries())
      await queueMail(tx, {
        event: "first-sale",
        to,
        locale,
        refs: { lineId },
        dedupeKey: `first-sale:${merchantId}:${index}`,
      });
}

type SaleRow = { order_id: string; handle: string; cents: number; available_at: string };

/** The data of the email about a merchant's first sale; null when it came back in the meantime. */
export async function firstSaleMail(lineId: string, locale: Locale) {
  const [sale] = await db.execute<SaleRow>(sql`
    select s.order_id, m.handle, s.net_cents - s.net_back_cents as cents, s.available_at
    from merchant_sales s join merchants m on m.id = s.merchant_id where s.line_id = ${lineId} and s.state <> 'refunded'`);
  const line = sale && (await readOrderLines(sale.order_id, locale)).find((one) => one.lineId === lineId);
  if (!sale || !line) return null;
  return {
    handle: sale.handle,
    pass: toPassLine(line, locale),
    netCents: sale.cents,
    payableAt: new Date(sale.available_at),
  };
}
