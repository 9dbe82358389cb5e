import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { orderLines } from "@/db/schema/orders";
import { type DisputeState, disputeStateSql } from "@/lib/orders/disputes/find-dispute-state";
import type { LineState } from "@/lib/orders/rules";
import type { RefundRule } from "@/lib/payments/refunds/rules";
import type { RefundRequestState } from "@/lib/payments/rules";
import { capturedCentsSql } from "./refund-versions";

type LineColumns = Pick<
  typeof orderLines.$inferSelect,
  "id" | "orderId" | "planId" | "state" | "durationDays"
>;

/** An order line with the facts of its refund decision. Money in cents; `now` is the shop's clock. */
export type RefundableLine = LineColumns & {
  limitedTime: boolean;
  rule: RefundRule;
  /** what the line cost, less earlier refunds */
  leftCents: number;
  /** what was refunded of the line, including refunds on their way */
  refundedCents: number;
  /** what the order's payments captured, less its refunds and lost disputes; at least 0 */
  capturedCents: number;
  paidAt: string | null;
  preOrder: boolean;
  /** when the last unit was delivered; null before the first */
  deliveredAt: string | null;
  now: string;
  /** someone claimed the order as a gift */
  giftClaimed: boolean;
  /** the state of the newest request; null without one */
  request: RefundRequestState | null;
  /** the dispute of the order's payment, which stops every refund */
  dispute: DisputeState | null;
};

/** SQL: when the last unit of this order line got its first code; null before the first one. */
export const deliveredAtSql = (line: string): SQL =>
  sql.raw(`(select max(unit.delivered_at) from (select min(first_key.assigned_at) as delivered_at from (
      select slot, assigned_at from keys where order_line_id = ${line}.id and assigned_at is not null
      union all select slot, assigned_at from returned_keys where order_line_id = ${line}.id) first_key
    group by first_key.slot) unit)`);

/** Whether a paid line waits for all of its codes, so that it can be cancelled. */
export const isUndelivered = (line: { state: LineState; deliveredAt: string | null }): boolean =>
  line.state === "waiting" && line.deliveredAt === null;

/** One line of a locked order; undefined when the order has no such line. */
export async function findRefundableLine(
  tx: Tx,
  orderId: string,
  lineId: string,
): Promise<RefundableLine | undefined> {
  const [line] = await tx.execute<RefundableLine>(sql`
    select l.id, l.order_id as "orderId", l.plan_id as "planId", l.state, l.duration_days as "durationDays",
      l.deal_id is not null as "limitedTime", l.refund_rule as rule, l.total_cents - l.refunded_cents as "leftCents",
      l.refunded_cents as "refundedCents",
      ${capturedCentsSql("o.id")} as "capturedCents",
      ${disputeStateSql("o")} as dispute,
      o.paid_at as "paidAt", l.pre_order as "preOrder", ${deliveredAtSql("l")} as "deliveredAt", shop_now() as now,
      exists (select from gifts g where g.order_id = o.id and g.state = 'claimed') as "giftClaimed",
      (select q.state from refund_requests q where q.order_line_id = l.id order by q.created_at desc, q.id desc limit 1) as request
    from order_lines l join orders o on o.id = l.order_id where o.id = ${orderId} and l.id = ${lineId}`);
  return line;
}
