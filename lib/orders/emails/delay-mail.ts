import type { Locale } from "@/lib/platform/i18n/locales";
import { readOrderLines, toDate, toPassLine } from "./read-order-lines";

export async function delayMail(orderId: string, locale: Locale) {
  const rows = await readOrderLines(orderId, locale);
  const waiting = rows
    .filter((row) => row.state === "waiting" && row.deliver_by)
    .map((row) => ({
      ...toPassLine(row, locale),
      quantity: row.quantity - row.assigned_units,
      releasesAt: row.pre_order ? toDate(row.releases_at) : null,
      deliverBy: new Date(row.deliver_by!),
    }));
  return waiting.length > 0 ? { orderId, totalCents: rows[0]!.order_total_cents, waiting } : null;
}
