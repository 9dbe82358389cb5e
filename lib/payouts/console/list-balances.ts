import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
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
};

/** The merchants to which most is owed, or which owe most, and the sums of all. */
export async function listBalances(): Promise<MerchantBalances> {
  const [sums] = await listDb.execute<{ balance: number; transit: number }>(sql`
    select coalesce(sum(-cents) filter (where account = 'merchant_payable'), 0)::float8 as balance,
      coalesce(sum(-cents) filter (where account = 'payouts_in_transit'), 0)::float8 as transit
    from ${LEDGER_SUMS} e where account in ('merchant_payable', 'payouts_in_transit')`);
  const rows = await listDb.execute<Row>(sql`
    with sums as (
      select merchant_id, coalesce(sum(-cents) filter (where account = 'merchant_payable'), 0)::float8 as "balanceCents",
        coalesce(sum(-cents) filter (where account = 'payouts_in_transit'), 0)::float8 as "transitCents"
      from ${LEDGER_SUMS} e where account in ('merchant_payable', 'payouts_in_transit') group by merchant_id
    ), first as (
      select * from sums where "balanceCents" <> 0 or "transitCents" <> 0
      order by abs("balanceCents") desc, merchant_id limit ${rowCount(MAX_LISTED)}
    ), held as (
      select u.merchant_id, sum(u.held)::float8 as cents
      from ${unpaidSalesSql(sql`s.merchant_id in (select merchant_id from first)`)} u group by u.merchant_id
    )
    select m.id as merchant_id, m.name as merchant_name, m.state, ${OBSTACLE_SQL} as obstacle, f."balanceCents", f."transitCents",
      coalesce(h.cents, 0) as "heldCents"
    from first f join merchants m on m.id = f.merchant_id left join payout_terms t on t.merchant_id = m.id
    left join held h on h.merchant_id = m.id order by abs(f."balanceCents") desc, m.id`);
  return {
    balance: toDecimal(sums!.balance),
    in_transit: toDecimal(sums!.transit),
    items: rows.map(({ balanceCents, transitCents, heldCents, ...row }) => ({
      ...row,
      balance: toDecimal(balanceCents),
      available: toDecimal(balanceCents - heldCents),
      in_transit: toDecimal(transitCents),
    })),
  };
}
