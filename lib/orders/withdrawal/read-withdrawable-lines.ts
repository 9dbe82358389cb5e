import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { disputeStateSql } from "@/lib/orders/disputes/find-dispute-state";
import { lineUnitsSql } from "@/lib/orders/refunds/lock-line-codes";
import { isPaid, type OrderStatus } from "@/lib/orders/rules";
import type { RightView } from "@/lib/payments/refunds/contract";
import type { RefundRequestState } from "@/lib/payments/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { toDecimal } from "@/lib/platform/money";
import type { WithdrawLine } from "./contract";
import {
  NO_REVIEW,
  plainWithdrawal,
  rightOf,
  statedWithdrawal,
  type WithdrawalDecision,
  type WithdrawalFacts,
  type WithdrawalReview,
  withdrawalApplies,
} from "./rules";

type LineRow = Omit<WithdrawalFacts, "paidAt" | "applies" | "shown" | "unrevealed"> & {
  id: string;
  planId: number;
  name: string;
  translated: boolean;
  durationDays: number | null;
  /** the current code of each unit; `shown`: it, or one that it replaced, may have been seen */
  keys: { id: string; shown: boolean }[];
  request: RefundRequestState | null;
  /** the country that the request states, of a withdrawal that staff decide about */
  requestCountry: string | null;
  status: OrderStatus;
  paid_at: string | null;
  country: string | null;
  timeZone: string | null;
  now: string;
};

export type WithdrawableLine = LineRow & {
  decision: WithdrawalDecision;
  review: WithdrawalReview;
  /** what pages say about the line, whatever country is stated */
  right: RightView | null;
};

/**
 * `country`: the buyer says that they live there. `agreedAt`: staff have agreed with what the buyer said then.
 * `declaredAt`: when the buyer declared the withdrawal, which counts for its time limit.
 */
export type BuyerStatement = { country?: string; agreedAt?: Date; declaredAt?: Date | null };

/** The lines of an order with what can be withdrawn now; final when the transaction has locked the order. */
export async function readWithdrawableLines(
  tx: Db,
  orderId: string,
  locale: Locale,
  statement: BuyerStatement = {},
): Promise<WithdrawableLine[]> {
  const rows = await tx.execute<LineRow>(sql`
    select l.id, l.plan_id as "planId", coalesce(t.name, translate_product_text(e.name, ${locale})) as name, t.locale is not null or translate_product_text(e.name, ${locale}) <> e.name as translated,
      l.duration_days as "durationDays", l.total_cents as "totalCents", l.total_cents - l.refunded_cents as "leftCents",
      case when l.state = 'refunded' then 0 else l.quantity - l.refunded_quantity end as "leftUnits",
      l.immediate_delivery is not null as chosen, l.immediate_consent_at is not null as consented, o.status, o.paid_at, o.country, o.time_zone as "timeZone", shop_now() as now,
      ${disputeStateSql("o")} is not null as disputed,
      (select q.state from refund_requests q where q.order_line_id = l.id order by q.created_at desc, q.id desc limit 1) as request,
      (select q.stated_country from refund_requests q where q.order_line_id = l.id order by q.created_at desc, q.id desc limit 1) as "requestCountry",
      ${lineUnitsSql(orderId)} as keys
    from order_lines l join orders o on o.id = l.order_id
    left join product_texts t on t.product_id = l.product_id and t.locale = ${locale}
    left join product_texts e on e.product_id = l.product_id and e.locale = 'en'
    where l.order_id = ${orderId} order by l.position`);
  return rows.map((row) => ({ ...row, ...decide(row, statement) }));
}

function decide(row: LineRow, { country, agreedAt, declaredAt }: BuyerStatement) {
  const shown = row.keys.filter((key) => key.shown).length;
  const unrevealed = row.keys.length - shown;
  const applies = withdrawalApplies(row.country, row.timeZone);
  const facts = { ...row, paidAt: paidAt(row), applies, shown, unrevealed };
  const now = new Date(row.now);
  const isInTime = declaredAt && facts.paidAt && declaredAt >= facts.paidAt;
  const at = isInTime ? declaredAt : now;
  return { ...decideStated(row, facts, at, { country, agreedAt }), right: rightOf(facts, now) };
}

function decideStated(row: LineRow, facts: WithdrawalFacts, at: Date, { country, agreedAt }: BuyerStatement) {
  if (agreedAt) return plainWithdrawal({ ...facts, applies: true }, agreedAt);
  const isVendorAsked = row.request === "asked" && row.requestCountry === null;
  const isRefused = row.request === "refused" && row.requestCountry === country;
  if (!country || isVendorAsked || isRefused) return plainWithdrawal(facts, at);
  const stated = statedWithdrawal(facts, withdrawalApplies(country, null), at);
  return row.request === "asked" ? { ...stated, review: NO_REVIEW } : stated;
}

/** When the order was paid. A refunded order counts as paid, so that the reason is "returned" and not "unpaid". */
export const paidAt = ({ status, paid_at }: LineRow) =>
  paid_at && (isPaid(status) || status === "refunded") ? new Date(paid_at) : null;

export const toWithdrawLine = (row: WithdrawableLine, locale: Locale): WithdrawLine => ({
  order_product_id: row.id,
  product_name: row.name,
  language: row.translated ? locale : "en",
  duration_days: row.durationDays,
  quantity: row.leftUnits,
  units: row.decision.units,
  amount: toDecimal(row.decision.amountCents),
  review_units: row.review.units,
  review_amount: toDecimal(row.review.amountCents),
  reason: row.decision.reason,
  refund: null,
  refund_text: "",
});
