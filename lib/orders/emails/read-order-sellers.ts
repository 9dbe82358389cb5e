import { client } from "@/db/client";
import type { OrderSeller } from "@/emails/pass";
import { addressLines } from "@/lib/accounts/billing/rules";
import type { Locale } from "@/lib/platform/i18n/locales";

type Row = { name: string; address: Parameters<typeof addressLines>[0] & { country: string }; email: string };

/**
 * Who sells the passes of an order, before the law, for its emails (docs/product.md#1412-trader-file): merchants with name, address and
 * contact; retries read them again.
 */
export async function readOrderSellers(orderId: string, locale: Locale): Promise<OrderSeller[]> {
  const rows = await client()<Row[]>`
    select distinct on (m.id) n.value #>> '{}' as name, a.value as address, c.value ->> 'email' as email
    from order_lines l join products p on p.id = l.product_id join merchants m on m.id = p.merchant_id
    join merchant_trade_fields n on n.merchant_id = m.id and n.field = 'legal_name' and n.value is not null
    join merchant_trade_fields a on a.merchant_id = m.id and a.field = 'address' and a.value is not null
    join merchant_trade_fields c on c.merchant_id = m.id and c.field = 'contact' and c.value is not null
    where l.order_id = ${orderId} order by m.id, l.position`;
  const countries = new Intl.DisplayNames([locale], { type: "region" });
  return rows.map(({ name, address, email }) => ({
    name,
    address: addressLines(address, countries.of(address.country) ?? address.country).join(", "),
    contact: email,
  }));
}
