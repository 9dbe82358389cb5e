import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { MerchantMoney } from "@/lib/merchants/money/contract";
import { HOLD_REASONS, type HoldReason, RESERVE_BPS, RESERVE_DAYS } from "@/lib/merchants/money/rules";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";

/** A part of the balance: `reason` null is all of it. */
type Part = { reason: HoldReason | null; cents: number; sales: number; nextAt: string | null };

/**
 * What the shop owes a merchant: the sum of its ledger, what of it is held and why, and the rest, which is available and
 * below zero when more came back than was sold (docs/product.md#146-sales-requests-replies-and-insight).
 */
export async function getMoney({ merchant }: Pick<MerchantViewer, "merchant">): Promise<MerchantMoney> {
  const parts = await db.execute<Part>(sql`
    with blocked as (
      select l.id as line_id, 'dispute' as reason from disputes d join order_lines l on l.order_id = d.order_id where d.is_open
      union all select q.order_line_id, 'request' from refund_requests q
        where q.merchant_id = ${merchant.id} and q.state = 'asked'
      union all select k.order_line_id, 'replacement' from replacement_requests r join keys k on k.id = r.key_id
        where r.merchant_id = ${merchant.id} and r.state = 'asked'
      union all select s.line_id, 'window' from merchant_sales s
        where s.merchant_id = ${merchant.id} and s.available_at > shop_now()
    ), held as (
      select distinct on (b.line_id) s.line_id, b.reason, s.booked_cents as cents,
        case b.reason when 'window' then s.available_at end as until
      from blocked b join merchant_sales s on s.line_id = b.line_id
      where s.merchant_id = ${merchant.id} and s.booked_cents <> 0
      order by b.line_id, array_position(${sql.param(HOLD_REASONS)}::text[], b.reason)
    ), reserved as (
      select s.booked_cents * ${RESERVE_BPS} / 10000 as cents, s.sold_at + make_interval(days => ${RESERVE_DAYS}) as until
      from merchants m join merchant_sales s on s.merchant_id = m.id
      where m.id = ${merchant.id} and m.trust = 'new' and s.sold_at > shop_now() - make_interval(days => ${RESERVE_DAYS})
        and s.booked_cents > 0 and not exists (select from held h where h.line_id = s.line_id)
    )
    select null as reason, coalesce(-sum(amount_cents), 0)::float8 as cents, 0 as sales, null as "nextAt"
      from ledger_entries where merchant_id = ${merchant.id} and account = 'merchant_payable'
    union all select reason, sum(cents)::float8, count(*)::int, min(until)::text from held group by reason
    union all select 'reserve', sum(cents)::float8, count(*)::int, min(until)::text from reserved where cents > 0 having count(*) > 0`);
  const balance = parts.find(({ reason }) => reason === null)!.cents;
  const held = HOLD_REASONS.flatMap((name) => {
    const part = parts.find(({ reason }) => reason === name);
    return part ? [{ ...part, reason: name }] : [];
  });
  const heldCents = held.reduce((sum, { cents }) => sum + cents, 0);
  return {
    currency: "usd",
    balance: toDecimal(balance),
    available: toDecimal(balance - heldCents),
    held: held.map(({ reason, cents, sales, nextAt }) => ({
      reason,
      amount: toDecimal(cents),
      sales,
      next_at: instant(nextAt),
    })),
  };
}
