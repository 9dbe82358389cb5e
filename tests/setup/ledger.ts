import { sql } from "drizzle-orm";
import { db } from "@/db/client";

/** The money of an order that the payment provider holds for the shop, in cents; null without any ledger entry. */
export async function getProviderCash(orderId: string): Promise<number | null> {
  const [row] = await db.execute<{ cents: number | null }>(sql`
    select sum(amount_cents)::int as cents from ledger_entries
    where order_id = ${orderId} and account = 'provider_cash'`);
  return row!.cents;
}
