import { type SQL, sql } from "drizzle-orm";
import type { OrderRefund } from "@/lib/orders/contract";
import { REFUND_RETRY_MINUTES, type RefundState, type RefundStep } from "@/lib/payments/rules";
import { toDecimal } from "@/lib/platform/money";

/** The newest attempt of a refund. `tries`: its failed attempts. */
export type RefundJson = {
  order_product_id: string | null;
  amount_cents: number;
  state: RefundState;
  tries: number;
  at: string;
};

/** Columns of an order `o`: open dispute, open refund request, refunds. */
export const selectRefunds = (): SQL => sql`
  exists (select from disputes d where d.order_id = o.id and d.is_open) as dispute_open,
  exists (select from refund_requests q join order_lines ql on ql.id = q.order_line_id
    where ql.order_id = o.id and q.state = 'asked') as refund_asked,
  (select coalesce(json_agg(json_build_object('order_product_id', r.order_line_id, 'amount_cents', r.amount_cents,
      'state', r.state, 'tries', r.tries, 'at', r.at) order by r.at desc, r.id), '[]')
    from (select distinct on (order_line_id, reason, intent_id) id, order_line_id, amount_cents, state, least(updated_at, shop_now()) as at,
        count(*) filter (where state = 'failed') over (partition by order_line_id, reason, intent_id)::int as tries
      from refunds where order_id = o.id order by order_line_id, reason, intent_id, created_at desc, id desc) r) as refunds`;

/** A failed refund that will be retried counts as submitted. */
export function refundStep({ state, tries }: Pick<RefundJson, "state" | "tries">): RefundStep {
  if (state === "succeeded") return "done";
  return state === "failed" && tries > REFUND_RETRY_MINUTES.length ? "failed" : "submitted";
}

/** Whether a refund of the order is being decided or is on its way. */
export const isRefundOpen = (order: { refund_asked: boolean; refunds: readonly RefundJson[] }) =>
  order.refund_asked || order.refunds.some((refund) => refundStep(refund) === "submitted");

export const toOrderRefund = (refund: RefundJson): OrderRefund => ({
  order_product_id: refund.order_product_id,
  amount: toDecimal(refund.amount_cents),
  step: refundStep(refund),
  at: new Date(refund.at).toISOString(),
});
