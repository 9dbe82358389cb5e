import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { recordSales } from "@/lib/orders/sales/record-sales";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { audit } from "@/lib/platform/audit";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { OrderTax, TaxAnswerInput } from "./contract";
import { decideTax } from "./decide-tax";
import { findOrderTax } from "./find-order-tax";
import { issueTaxDocuments } from "./issue-tax-documents";

/**
 * Stores where the buyer of a paid order lives, of the countries that its evidence names (`/order/tax/answer`, docs/product.md#821-tax).
 * Another country than the one that counted so far gets a credit note and a new invoice; what was paid stays.
 * @throws ShopError order_unknown, tax_settled: nothing is asked; country_invalid: no evidence names it
 */
export async function answerTaxQuestion(
  viewer: UserViewer,
  { order_id: orderId, country }: TaxAnswerInput,
): Promise<OrderTax> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, orderId, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    const tax = await findOrderTax(orderId, tx);
    if (!tax?.question) throw new ShopError("tax_settled");
    if (!tax.question.includes(country)) throw new ShopError("country_invalid");
    await tx.execute(
      sql`update order_taxes set answer = ${country}, answered_at = shop_now() where order_id = ${orderId}`,
    );
    await decideTax(tx, orderId);
    const detail = { evidence: tax.question, before: tax.country, after: country };
    await audit({ actor: viewer.userId, action: "order.tax_answered", subject: orderId, detail }, tx);
    await recordSales(tx, orderId);
    await issueTaxDocuments(tx, orderId);
    return (await findOrderTax(orderId, tx))!;
  });
}
