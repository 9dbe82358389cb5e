import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { isPayable } from "@/lib/orders/rules";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { readBusinessRules } from "@/lib/payments/tax/business-rules";
import { checkVatId, type VatAnswer } from "@/lib/payments/tax/check-vat-id";
import { isVatId } from "@/lib/payments/tax/is-vat-id";
import { taxSettings } from "@/lib/payments/tax/tax-settings";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { addTax, withRetaxing } from "./add-tax";
import type { OrderTax, TaxBusinessInput } from "./contract";
import { findOrderTax } from "./find-order-tax";

/**
 * Names the business for which an unpaid order is bought, or takes it off (`/order/tax/business`, docs/product.md#821-tax). An id
 * of the EU is checked with its service before the order is locked; the result and its time are kept. The total follows (`addTax`).
 * @throws ShopError order_unknown, tax_off, vat_id_invalid (not well-formed), order_not_payable, provider_unavailable
 */
export async function setTaxBusiness(
  viewer: UserViewer,
  { order_id: orderId, business }: TaxBusinessInput,
): Promise<OrderTax> {
  await requireOwn(viewer, orderId);
  if (!taxSettings()) throw new ShopError("tax_off");
  const answer = business && (await checkId(business.vat_id));
  return withRetaxing(orderId, async (tx) => {
    const order = await lockOrder(tx, orderId, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    if (!isPayable(order.status) || order.totalCents === 0) throw new ShopError("order_not_payable");
    await tx.execute(sql`
      insert into order_taxes (order_id, company, company_address, vat_id, vat_check, vat_checked_at, vat_reference)
      values (${orderId}, ${business?.company ?? null}, ${business?.address ?? null}, ${business?.vat_id ?? null},
        ${answer?.check ?? null}, ${answer ? sql`shop_now()` : null}, ${answer?.reference ?? null})
      on conflict (order_id) do update set company = excluded.company, company_address = excluded.company_address,
        vat_id = excluded.vat_id, vat_check = excluded.vat_check, vat_checked_at = excluded.vat_checked_at,
        vat_reference = excluded.vat_reference`);
    await addTax(tx, orderId);
    const tax = await findOrderTax(orderId, tx);
    if (!tax) throw new ShopError("tax_off");
    return tax;
  });
}

/** Asks VIES about an id of the EU; an id in the form of another country is only recorded. @throws ShopError vat_id_invalid */
async function checkId(vatId: string): Promise<VatAnswer> {
  if (isVatId(vatId)) return checkVatId(vatId);
  const rules = await readBusinessRules();
  if (!rules.some(({ id }) => id.test(vatId))) throw new ShopError("vat_id_invalid");
  return { check: "recorded", reference: null };
}

/** Before a service outside is asked for somebody. */
async function requireOwn({ userId }: UserViewer, orderId: string): Promise<void> {
  const [order] = await db.execute(sql`select 1 from orders where id = ${orderId} and user_id = ${userId}`);
  if (!order) throw new ShopError("order_unknown");
}
