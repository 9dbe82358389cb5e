import { sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { recordSales } from "@/lib/orders/sales/record-sales";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { checkVatId } from "@/lib/payments/tax/check-vat-id";
import { taxSettings } from "@/lib/payments/tax/tax-settings";
import { decideTax } from "./decide-tax";
import { issueTaxDocuments } from "./issue-tax-documents";

const BATCH = 100;
/** The tax of a sale is declared by then. */
const CHECKED_DAYS = 30;

/**
 * Asks again about the VAT ids of paid orders that could not be checked, for some days (docs/product.md#821-tax). A valid one gets a
 * credit note and an invoice without tax; what was paid stays. Ends when the service does not answer. Returns how many are known now.
 * Safe to repeat.
 */
export async function checkVatIdsAgain(): Promise<number> {
  if (!taxSettings()) return 0;
  const waiting = await db.execute<{ orderId: string; vatId: string }>(sql`
    select t.order_id as "orderId", t.vat_id as "vatId" from order_taxes t
    where t.vat_check = 'unchecked' and t.decided_at is not null and t.decided_at > shop_now() - make_interval(days => ${CHECKED_DAYS})
    order by t.vat_checked_at limit ${BATCH}`);
  let known = 0;
  for (const { orderId, vatId } of waiting) {
    const { check, reference, silent } = await checkVatId(vatId);
    await transaction(async (tx) => {
      if (!(await lockOrder(tx, orderId))) return;
      const changed = await tx.execute(sql`
        update order_taxes set vat_check = ${check}, vat_checked_at = shop_now(), vat_reference = ${reference}
        where order_id = ${orderId} and vat_check = 'unchecked' and vat_id = ${vatId} returning 1`);
      if (changed.length === 0 || check === "unchecked") return;
      known += 1;
      await decideTax(tx, orderId);
      await recordSales(tx, orderId);
      await issueTaxDocuments(tx, orderId);
    });
    if (silent) break;
  }
  return known;
}
