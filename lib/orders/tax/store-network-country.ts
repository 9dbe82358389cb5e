import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { COUNTRIES } from "@/lib/accounts/billing/rules";
import { taxSettings } from "@/lib/payments/tax/tax-settings";
import type { UserViewer } from "@/lib/platform/auth/session";
import { env } from "@/lib/platform/env";

/**
 * Keeps the country that the proxy in front found for the connection, as evidence of where the buyer of an unpaid order is
 * (docs/product.md#821-tax). Without `TAX_COUNTRY_HEADER`, and for a value that is no country, does nothing.
 */
export async function storeNetworkCountry(
  { userId }: UserViewer,
  orderId: string,
  headers: Headers,
): Promise<void> {
  const { TAX_COUNTRY_HEADER: header } = env();
  const country = header && headers.get(header)?.toUpperCase();
  if (!country || !COUNTRIES.includes(country) || !taxSettings()) return;
  await db.execute(sql`
    insert into order_taxes (order_id, network_country)
    select id, ${country} from orders where id = ${orderId} and user_id = ${userId} and total_cents > 0 and status = 'pending'
    on conflict (order_id) do update set network_country = excluded.network_country where order_taxes.decided_at is null`);
}
