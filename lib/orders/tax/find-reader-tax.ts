import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { findTaxRate } from "@/lib/payments/tax/find-tax-rate";
import { taxTreatment } from "@/lib/payments/tax/rules";
import { taxSettings } from "@/lib/payments/tax/tax-settings";
import type { UserViewer } from "@/lib/platform/auth/session";

/** The tax that prices include for somebody, or that is `added` to them, by the country that they named last; null: none. */
export type ReaderTax = { country: string | null; percent: number | null; added: boolean } | null;

/** What the cart says of tax, before an order decides it (docs/product.md#821-tax). */
export async function findReaderTax({ userId }: UserViewer): Promise<ReaderTax> {
  const settings = taxSettings();
  if (!settings) return null;
  const [row] = await db.execute<{ country: string | null }>(sql`
    select coalesce(u.country, (select b.country from billing_addresses b where b.user_id = u.id and b.is_default)) as country
    from users u where u.id = ${userId}`);
  const country = row?.country ?? null;
  const added = settings.pricesWithoutTax === true;
  if (country === null) return { country: null, percent: null, added };
  if (taxTreatment({ country, vatCountry: null }, settings) !== "taxed") return null;
  return { country, percent: (await findTaxRate(db, country, new Date())) / 100, added };
}
