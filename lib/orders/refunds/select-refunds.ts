import { type SQL, sql } from "drizzle-orm";
import type { OrderRefund } from "@/lib/orders/contract";
import { type DisputeState, disputeStateSql } from "@/lib/orders/disputes/find-dispute-state";
import { REFUND_RETRY_MINUTES, type RefundState, type RefundStep, type Refuser } from "@/lib/payments/rules";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";

/** The newest attempt of a refund. `tries`: the number of failed attempts. */
export type RefundJson = {
  order_product_id: string | null;
  amount_cents: number;
  state: RefundState;
  tries: number;
  at: string;
};

export type RefundFacts = { dispute: DisputeState | null; refund_asked: boolean; refunds: RefundJson[] };

/** The `RefundFacts` of an order `o` as columns: dispute, open refund request, refunds. */
export const selectRefunds = (): SQL => sql`
  ${disputeStateSql("o")} as dispute,
  exists (select from refund_requests q join order_lines ql on ql.id = q.order_line_id
    where ql.order_id = o.id and q.state = 'asked') as refund_asked,
  (select coalesce(json_agg(json_build_object('order_product_id', r.order_line_id, 'amount_cents', r.amount_cents,
      'state', r.state, 'tries', r.tries, 'at', r.at) order by r.at desc, r.id), '[]')
    from (select distinct on (order_line_id, reason, intent_id, part) id, order_line_id, amount_cents, state,
        least(updated_at, shop_now()) as at,
        count(*) filter (where state = 'failed') over (partition by order_line_id, reason, intent_id, part)::int as tries
      from refunds where order_id = o.id order by order_line_id, reason, intent_id, part, created_at desc, id desc) r
    where r.state <> 'cancelled') as refunds`;

/** Who refused a request, and the words of staff. */
export type RefusalJson = { by: Refuser; reason: string | null };

/**
 * SQL: whether the vendor decided this request of a merchant, and not the shop: by its mailed link, a member or a
 * token. False for one that the deadline or no one decided.
 */
export const decidedByVendorSql = (request: string): SQL =>
  sql.raw(`coalesce(${request}.decided_by = 'vendor' or starts_with(${request}.decided_by, 'token:')
    or (select m.id from merchant_members m where m.merchant_id = ${request}.merchant_id and m.user_id = ${request}.decided_by limit 1)
      is not null, false)`);

/**
 * SQL: the `RefusalJson` of a refund request `q` of this order; null unless it is refused. The vendor answers by its link,
 * the merchant by a member or a token, and neither with a note.
 */
export const refusalSql = (orderId: string): SQL =>
  sql`(select json_build_object('reason', said.note, 'by', case when said.note is null and ${decidedByVendorSql("q")}
        then 'vendor' else 'shop' end)
    from (select (select nullif(a.detail->>'note', '') from audit_entries a
      where a.subject = ${sql.raw(orderId)} and a.action = 'refund_request_decided' and a.detail->>'requestId' = q.id
        and a.detail->>'state' = 'refused' order by a.id desc limit 1) as note) said
    where q.state = 'refused')`;

/** A failed refund that will be retried counts as submitted. */
function refundStep({ state, tries }: Pick<RefundJson, "state" | "tries">): RefundStep {
  if (state === "succeeded" || state === "settled") return "done";
  return state === "failed" && tries > REFUND_RETRY_MINUTES.length ? "failed" : "submitted";
}

/** Whether a refund of the order is being decided or is on its way. */
export const isRefundOpen = (order: Pick<RefundFacts, "refund_asked" | "refunds">) =>
  order.refund_asked || order.refunds.some((refund) => refundStep(refund) === "submitted");

export const toOrderRefund = (refund: RefundJson): OrderRefund => ({
  order_product_id: refund.order_product_id,
  amount: toDecimal(refund.amount_cents),
  step: refundStep(refund),
  at: instant(refund.at),
});
