import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { TaxKind } from "./rules";

/**
 * The rate of a country at a moment, by the day in UTC, in hundredths of a percent.
 * @throws Error when the shop knows none, which stops the payment's transaction: a sale is not booked without its tax
 */
export async function findTaxRate(
  tx: Pick<Tx, "execute">,
  country: string,
  at: Date,
  kind: TaxKind = "standard",
): Promise<number> {
  const [rate] = await tx.execute<{ bps: number }>(sql`
    select bps from tax_rates where country = ${country} and kind = ${kind}
      and valid_from <= (${at.toISOString()}::timestamptz at time zone 'UTC')::date
    order by valid_from desc limit 1`);
  if (!rate) throw new Error(`no tax rate of ${country} is known`);
  return rate.bps;
}
