import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { nextPayoutOf } from "@/lib/payouts/terms/next-payout";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { MerchantMoney } from "./contract";
import { HOLD_REASONS, type HoldReason } from "./rules";
import { unpaidSalesSql } from "./unpaid-sales-sql";

/** A part of the money: `balance` is all that is owed, `transit` was sent, every other a reason why a part is held. */
type Part = {
  name: "balance" | "transit" | HoldReason;
  cents: number;
  sales: number;
  nextAt: string | null;
};

/**
 * What the shop owes a merchant: the sum of its ledger, what of it is held and why, and the rest, which is available and
 * below zero when more came back than was sold; what was sent, and when the next payout is (docs/product.md#1410-payouts).
 */
export async function getMoney({ merchant }: Pick<MerchantViewer, "merchant">): Promise<MerchantMoney> {
  const parts = await db.execute<Part>(sql`
    select 'balance' as name, coalesce(sum(-amount_cents), 0)::float8 as cents, 0 as sales, null as "nextAt"
    from ledger_entries where merchant_id = ${merchant.id} and account = 'merchant_payable'
    union all
    select 'transit', coalesce(sum(-amount_cents), 0)::float8, 0, null
    from ledger_entries where merchant_id = ${merchant.id} and account = 'payouts_in_transit'
    union all
    select reason, sum(held)::float8, count(*)::int, min(until)::text
    from ${unpaidSalesSql(sql`s.merchant_id = ${merchant.id}`)} u where held > 0 group by reason`);
  const centsOf = (name: Part["name"]) => parts.find((part) => part.name === name)?.cents ?? 0;
  const held = HOLD_REASONS.flatMap((reason) => {
    const part = parts.find(({ name }) => name === reason);
    return part ? [{ ...part, reason }] : [];
  });
  const balance = centsOf("balance");
  const available = balance - held.reduce((sum, { cents }) => sum + cents, 0);
  return {
    currency: "usd",
    balance: toDecimal(balance),
    available: toDecimal(available),
    in_transit: toDecimal(centsOf("transit")),
    held: held.map(({ reason, cents, sales, nextAt }) => ({
      reason,
      amount: toDecimal(cents),
      sales,
      next_at: instant(nextAt),
    })),
    next_payout: await nextPayoutOf(merchant.id, available),
  };
}
