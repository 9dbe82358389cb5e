import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { refundTranslator } from "@/emails/translator";
import { selectOrders } from "@/lib/orders/select-orders";
import { toOrderView } from "@/lib/orders/to-order-view";
import { refundSentence } from "@/lib/payments/refunds/rules-wording";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { toDecimal } from "@/lib/platform/money";
import type { WithdrawInput, WithdrawView } from "./contract";
import { findDeclaredAt } from "./open-declaration";
import {
  paidAt,
  readWithdrawableLines,
  toWithdrawLine,
  type WithdrawableLine,
} from "./read-withdrawable-lines";
import { withdrawalEnds } from "./rules";

/** Shows what can be withdrawn, without changing anything. */
export async function reviewWithdrawal(
  { orderId, email, token }: { orderId: string; email: string; token: string | null },
  { order_product_ids: lineIds, country }: Pick<WithdrawInput, "order_product_ids" | "country">,
  locale: Locale,
): Promise<WithdrawView> {
  const declaredAt = await findDeclaredAt(db, { orderId, email, isGuest: token !== null });
  const all = await readWithdrawableLines(db, orderId, locale, { country, declaredAt });
  const rows = selectRequestedLines(all, lineIds);
  const orderPaidAt = rows[0] && paidAt(rows[0]);
  const [order] = await selectOrders(locale, sql`o.id = ${orderId}`, sql`limit 1`);
  const shown = order ? toOrderView(order, locale).order_products : [];
  const sayRefund = (id: string) => {
    const refund = shown.find((line) => line.order_product_id === id)?.refund ?? null;
    return { refund, refund_text: refund ? refundSentence(refundTranslator(locale), refund, locale) : "" };
  };
  return {
    step: "review",
    order_id: orderId,
    token,
    resend_after: null,
    withdraw_until: orderPaidAt ? withdrawalEnds(orderPaidAt).toISOString() : null,
    lines: rows.map((row) => ({ ...toWithdrawLine(row, locale), ...sayRefund(row.id) })),
    refund_amount: toDecimal(rows.reduce((sum, row) => sum + row.decision.amountCents, 0)),
    review_amount: sumReview(rows),
    country: rows[0]?.country ?? null,
    email,
  };
}

/** The amount that staff decide about. */
export const sumReview = (lines: readonly WithdrawableLine[]): number =>
  toDecimal(lines.reduce((sum, line) => sum + line.review.amountCents, 0));

/**
 * The lines with these ids, or all lines.
 * @throws ShopError order_unknown when an id belongs to another order
 */
export function selectRequestedLines(
  lines: WithdrawableLine[],
  lineIds: string[] | undefined,
): WithdrawableLine[] {
  if (!lineIds) return lines;
  const found = lines.filter((line) => lineIds.includes(line.id));
  if (found.length < new Set(lineIds).size) throw new ShopError("order_unknown");
  return found;
}
