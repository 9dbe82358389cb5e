import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { LEDGER_SUMS } from "@/lib/payouts/closings/ledger-sums-sql";
import { unpaidSalesSql } from "@/lib/payouts/money/unpaid-sales-sql";
import { OBSTACLE_SQL } from "@/lib/payouts/terms/next-payout";
import { rowCount } from "@/lib/platform/console/query";
import { toDecimal } from "@/lib/platform/money";
import type { MerchantBalance, MerchantBalances } from "./contract";

const MAX_LISTED = 200;

type Row = Pick<MerchantBalance, "merchant_id" | "merchant_name" | "state" | "obstacle"> & {
  balanceCents: number;
  transitCents: number;
  heldCents: number;
  allBalanceCents: number;
  allTransitCents: number;
};

/**
 * The merchants to which most is owed, or which owe most, and the sums of all. The ledger is added up once for both, as
 * double precision, which is exact up to 2^53 cents and takes half the time of `numeric`.
 */
export async function listBalances(): Promise<MerchantBalances> {
  const rows = await db.execute<Row>(sql`
    with sums as (
      select merchant_id, sum(case account when 'merchant_payable' then -cents else 0 end::float8) as "balanceCents",
        sum(case account when 'payouts_in_transit' then -cents else 0 end::float8) as "transitCents"
      from ${LEDGER_SUMS} e where account in ('merchant_payable', 'payouts_in_transit') group by merchant_id
    ), first as (
      select * from sums where "balanceCents" <> 0 or "transitCents" <> 0
      order by abs("balanceCents") desc, merchant_id limit ${rowCount(MAX_LISTED)}
    ), held as (
      select u.merchant_id, sum(u.held)::float8 as cents
      from ${unpaidSalesSql(sql`s.merchant_id in (select merchant_id from first)`)} u group by u.merchant_id
    )
    select m.id as merchant_id, m.name as merchant_name, m.state, ${OBSTACLE_SQL} as obstacle, f."balanceCents", f."transitCents",
      coalesce(h.cents, 0) as "heldCents", a."allBalanceCents", a."allTransitCents"
    from first f join merchants m on m.id = f.merchant_id left join payout_terms t on t.merchant_id = m.id
    left join held h on h.merchant_id = m.id
    cross join (select sum("balanceCents") as "allBalanceCents", sum("transitCents") as "allTransitCents" from sums) a
    order by abs(f."balanceCents") desc, m.id`);
  return {
    balance: toDecimal(rows[0]?.allBalanceCents ?? 0),
    in_transit: toDecimal(rows[0]?.allTransitCents ?? 0),
    items: rows.map(
      ({ balanceCents, transitCents, heldCents, allBalanceCents: _, allTransitCents: __, ...row }) => ({
        ...row,
        balance: toDecimal(balanceCents),
        available: toDecimal(balanceCents - heldCents),
        in_transit: toDecimal(transitCents),
      }),
    ),
  };
}
