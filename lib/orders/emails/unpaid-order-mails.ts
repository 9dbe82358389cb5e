import type { Locale } from "@/lib/platform/i18n/locales";
import { supportAddress } from "@/lib/platform/support-address";
import { readOrderLines, toDate, toPassLine } from "./read-order-lines";
import { readOrderSellers } from "./read-order-sellers";

/** An order as its emails list it: line prices before the discount, and the totals; null for a closed order. */
async function readOpenOrder(orderId: string, locale: Locale) {
  const rows = await readOrderLines(orderId, locale);
  const [order] = rows;
  if (!order || order.closed) return null;
  const lines = rows.map((row) => ({
    ...toPassLine(row, locale),
    totalCents: row.totalCents + row.discount_cents - row.added_tax_cents,
  }));
  const sums = {
    subtotalCents: order.order_subtotal_cents,
    discountCents: order.order_discount_cents,
    addedTaxCents: order.order_added_tax_cents,
    totalCents: order.order_total_cents,
  };
  return { ...order, summary: { orderId, lines, ...sums } };
}

export async function orderPlacedMail(orderId: string, locale: Locale) {
  const order = await readOpenOrder(orderId, locale);
  if (!order?.payable) return null; // paid, closed or expired in the meantime
  const sellers = await readOrderSellers(orderId, locale);
  return { ...order.summary, payBy: new Date(order.hold_ends_at), sellers };
}

export async function paymentFailedMail(orderId: string, locale: Locale) {
  const order = await readOpenOrder(orderId, locale);
  if (!order || order.paid_at) return null; // paid or closed in the meantime
  return { ...order.summary, holdEndsAt: order.payable ? toDate(order.hold_ends_at) : null };
}

export async function orderExpiringMail(orderId: string, locale: Locale) {
  const order = await readOpenOrder(orderId, locale);
  if (!order?.payable) return null; // paid, closed or expired in the meantime
  return { ...order.summary, holdEndsAt: new Date(order.hold_ends_at) };
}

/** `paymentOpen`: as it was when support cancelled the order, so that a retry says the same. */
export async function orderCancelledMail(orderId: string, paymentOpen: boolean, locale: Locale) {
  const lines = (await readOrderLines(orderId, locale)).map((row) => toPassLine(row, locale));
  return lines.length > 0 ? { orderId, lines, paymentOpen, support: supportAddress() } : null;
}
