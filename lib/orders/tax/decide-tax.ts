import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { findVatCountry } from "@/lib/payments/tax/business-rules";
import { findTaxRate } from "@/lib/payments/tax/find-tax-rate";
import { decideCountry, taxTreatment } from "@/lib/payments/tax/rules";
import type { VatCheck } from "@/lib/payments/tax/rules-vat-id";
import { taxSettings } from "@/lib/payments/tax/tax-settings";

/**
 * Stores what the payment tells of where its buyer is, and decides how the order is taxed (docs/product.md#821-tax). Called in the
 * transaction of the payment, before the order's country follows the card. Without configured taxes, and for a free order, does nothing.
 */
export async function decideTaxOfPaid(tx: Tx, orderId: string, cardCountry: string | null): Promise<void> {
  if (!taxSettings()) return;
  const stored = await tx.execute(sql`
    insert into order_taxes (order_id, billing_country, card_country)
    select id, country, ${cardCountry} from orders where id = ${orderId} and total_cents > 0
    on conflict (order_id) do update set billing_country = excluded.billing_country, card_country = excluded.card_country
      where order_taxes.decided_at is null
    returning 1`);
  if (stored.length > 0) await decideTax(tx, orderId);
}

type Row = {
  billing: string | null;
  card: string | null;
  network: string | null;
  answer: string | null;
  vatId: string | null;
  vatCheck: VatCheck | null;
  at: string;
};

/** Decides again how an order is taxed, by what is stored of it. The order must be locked. */
export async function decideTax(tx: Tx, orderId: string): Promise<void> {
  const settings = taxSettings();
  if (!settings) return;
  const [row] = await tx.execute<Row>(sql`
    select t.billing_country as billing, t.card_country as card, t.network_country as network, t.answer, t.vat_id as "vatId",
      t.vat_check as "vatCheck", coalesce(o.paid_at, shop_now()) as at
    from order_taxes t join orders o on o.id = t.order_id where t.order_id = ${orderId}`);
  if (!row) return;
  const vatCountry = await findVatCountry(row);
  const { country, state } = decideCountry(row, { answer: row.answer, vatCountry, own: settings.country });
  const treatment = taxTreatment({ country, vatCountry }, settings);
  const bps = treatment === "taxed" ? await findTaxRate(tx, country, new Date(row.at)) : 0;
  await tx.execute(sql`
    update order_taxes set evidence = ${state}, country = ${country}, treatment = ${treatment}, bps = ${bps},
      decided_at = coalesce(decided_at, shop_now()) where order_id = ${orderId}`);
}
