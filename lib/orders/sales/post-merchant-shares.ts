import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";

/** SQL: the ledger lacks something of what is left of the net amount of a sale `s`. */
export const UNBOOKED_SALE = sql`s.booked_cents <> s.net_cents - s.net_back_cents`;

/**
 * Books what the shop owes the merchants of an order's sales: the difference between what is left of each sale's net amount
 * and what the ledger has of it, as the transfer `settle:<line>` and then `settle:<line>:2` … The order must be locked.
 * Safe to repeat (docs/product.md#146-sales-requests-replies-and-insight).
 */
export async function postMerchantShares(tx: Tx, lineIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    with due as (
      select s.line_id, s.order_id, s.merchant_id, s.net_cents - s.net_back_cents - b.cents as cents, b.earlier
      from merchant_sales s cross join lateral (
        select coalesce(-sum(e.amount_cents), 0)::int as cents, count(*) as earlier from ledger_entries e
        where e.line_id = s.line_id and e.account = 'merchant_payable') b
      where s.line_id = any(array(select unnest(${sql.param(lineIds)}::text[]))) and ${UNBOOKED_SALE}
    ), booked as (
      update merchant_sales s set booked_cents = s.net_cents - s.net_back_cents from due d where s.line_id = d.line_id
    )
    insert into ledger_entries (transfer_id, account, amount_cents, order_id, merchant_id, line_id)
    select 'settle:' || d.line_id || case d.earlier when 0 then '' else ':' || d.earlier + 1 end, a.account, a.sign * d.cents,
      d.order_id, d.merchant_id, d.line_id
    from due d cross join (values ('merchant_share', 1), ('merchant_payable', -1)) a(account, sign)
    where d.cents <> 0 order by d.line_id, a.sign desc`);
}
