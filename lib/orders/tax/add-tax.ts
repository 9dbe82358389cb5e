import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import type { OrderStatus } from "@/lib/orders/rules";
import { closePayments } from "@/lib/payments/close-payments";
import { MINIMUM_CHARGE_CENTS } from "@/lib/payments/rules";
import { findVatCountry } from "@/lib/payments/tax/business-rules";
import { findTaxRate } from "@/lib/payments/tax/find-tax-rate";
import { owesTaxIn, taxOnTop, taxTreatment, taxWithin } from "@/lib/payments/tax/rules";
import type { VatCheck } from "@/lib/payments/tax/rules-vat-id";
import { taxSettings } from "@/lib/payments/tax/tax-settings";
import { ShopError } from "@/lib/platform/errors";
import { splitByLargestRemainder } from "@/lib/platform/money";

/** Thrown to roll back a change of the total for which a payment is open. */
class PaymentOpenError extends Error {}

/**
 * Runs a change of where, or for whom, an unpaid order is bought. Where that changes its total, a payment that was opened for the
 * other one is closed first, and the buyer's page opens another, as after a change of the coupon.
 * @throws ShopError order_not_payable: the payment may still succeed; provider_unavailable
 */
export async function withRetaxing<T>(orderId: string, change: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      return await transaction(change);
    } catch (error) {
      if (!(error instanceof PaymentOpenError)) throw error;
      if ((await closePayments(orderId)) === "may_still_succeed") break;
    }
  }
  throw new ShopError("order_not_payable");
}

type Row = {
  status: OrderStatus;
  pricesCents: number;
  addedCents: number;
  priceBps: number | null;
  country: string | null;
  vatId: string | null;
  vatCheck: VatCheck | null;
  payments: number;
  lines: { id: string; cents: number }[];
};

/**
 * Adds the tax of the buyer's country to an unpaid order, where prices are without it; where they include it, takes that of a business
 * off that owes it itself (docs/product.md#821-tax). Returns the total in cents. The order must be locked. Safe to repeat.
 */
export async function addTax(tx: Tx, orderId: string): Promise<number> {
  const [order] = await tx.execute<Row>(sql`
    select o.status, o.subtotal_cents - o.discount_cents as "pricesCents", o.added_tax_cents as "addedCents", t.price_bps as "priceBps",
      o.country, t.vat_id as "vatId", t.vat_check as "vatCheck",
      (select count(*)::int from payments p where p.order_id = o.id and p.state <> 'canceled') as payments,
      (select json_agg(json_build_object('id', l.id, 'cents', l.unit_price_cents * l.quantity - l.discount_cents) order by l.position)
        from order_lines l where l.order_id = o.id) as lines
    from orders o left join order_taxes t on t.order_id = o.id where o.id = ${orderId}`);
  const { pricesCents, addedCents, priceBps, lines, status, payments } = order!;
  const { cents, bps } = await findAdded(tx, order!);
  if (cents !== addedCents) {
    if (status !== "pending") throw new ShopError("order_not_payable");
    if (payments > 0) throw new PaymentOpenError();
    const parts = splitByLargestRemainder(
      Math.abs(cents),
      lines.map((line) => line.cents),
    ).map((part, index) => ({ id: lines[index]!.id, cents: Math.sign(cents) * part }));
    await tx.execute(sql`
      update orders set added_tax_cents = ${cents}, total_cents = subtotal_cents - discount_cents + ${cents} where id = ${orderId}`);
    await tx.execute(sql`
      update order_lines l set added_tax_cents = p.cents, total_cents = l.unit_price_cents * l.quantity - l.discount_cents + p.cents
      from json_to_recordset(${JSON.stringify(parts)}::text::json) as p(id text, cents int) where l.id = p.id`);
  }
  if (bps !== priceBps)
    await tx.execute(sql`
      insert into order_taxes (order_id, price_bps) values (${orderId}, ${bps})
      on conflict (order_id) do update set price_bps = excluded.price_bps`);
  return pricesCents + cents;
}

/** The tax beside the prices, and its rate; null: prices include the tax, and it stays there. */
async function findAdded(
  tx: Tx,
  { pricesCents, country: named, vatId, vatCheck }: Row,
): Promise<{ cents: number; bps: number | null }> {
  const settings = taxSettings();
  if (!settings || pricesCents === 0) return { cents: 0, bps: null };
  const vatCountry = await findVatCountry({ vatId, vatCheck });
  const country = vatCountry ?? named ?? settings.country;
  const treatment = taxTreatment({ country, vatCountry }, settings);
  const rate = owesTaxIn(country, settings) ? await findTaxRate(tx, country, new Date()) : 0;
  if (settings.pricesWithoutTax) {
    const bps = treatment === "taxed" ? rate : 0;
    return { cents: taxOnTop(pricesCents, bps), bps };
  }
  const within = treatment === "reverse_charge" ? taxWithin(pricesCents, rate) : 0;
  // The provider takes no less.
  if (within === 0 || pricesCents - within < MINIMUM_CHARGE_CENTS) return { cents: 0, bps: null };
  return { cents: -within, bps: rate };
}
