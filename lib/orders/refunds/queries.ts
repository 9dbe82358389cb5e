import { eq, type SQL, sql } from "drizzle-orm";
import { type Db, db, type Tx } from "@/db/client";
import { keys } from "@/db/schema/delivery";
import type { orderLines } from "@/db/schema/orders";
import type { OrderRefund } from "@/lib/orders/contract";
import { type DisputeState, disputeStateSql } from "@/lib/orders/disputes/queries";
import type { LineState } from "@/lib/orders/rules";
import type { CodeRedemption, RefundRule } from "@/lib/payments/refunds/rules";
import {
  GOODWILL,
  REFUND_RETRY_MINUTES,
  type RefundRequestState,
  type RefundState,
  type RefundStep,
  type Refuser,
} from "@/lib/payments/rules";
import type { QueueState } from "@/lib/platform/console/list";
import { countQueue, requireShownRow, versionSql } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
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
 * SQL: whether the vendor decided this request of a merchant, and not the shop: by its mailed link, a member or a token. False
 * for one that the deadline or nobody decided.
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
  /** what was refunded of the line, also what is on its way */
  refundedCents: number;
  /** what the order's payments captured, less its refunds and lost disputes; at least 0 */
  capturedCents: number;
  paidAt: string | null;
  preOrder: boolean;
  /** when the last unit was delivered; null before the first */
  deliveredAt: string | null;
  now: string;
  /** somebody claimed the order as a gift */
  giftClaimed: boolean;
  /** the state of the newest request; null without one */
  request: RefundRequestState | null;
  /** the dispute of the order's payment, which stops every refund */
  dispute: DisputeState | null;
};

/**
 * SQL: what is left of the money of an order, in cents: what its payments received, less its refunds (also those on
 * their way) and lost disputes; at least 0.
 */
export const capturedCentsSql = (orderId: string): SQL =>
  sql.raw(`greatest(0,
    (select -coalesce(sum(e.amount_cents), 0) from ledger_entries e where e.order_id = ${orderId} and e.account = 'sales')
    - (select coalesce(sum(taken.amount_cents), 0) from refunds taken
        where taken.order_id = ${orderId} and taken.state not in ('failed', 'cancelled'))
    - (select coalesce(sum(d.amount_cents), 0) from disputes d where d.order_id = ${orderId} and d.status = 'lost'))::int`);

/** SQL: what a request `request` that waits for a decision returns of its line if it is approved now, in cents. */
export const requestLeftSql = (request: string, line: string): SQL =>
  sql`least(${sql.raw(`${request}.amount_cents, ${line}.total_cents - ${line}.refunded_cents`)}, ${capturedCentsSql(`${line}.order_id`)})::int`;

/** SQL: the codes of a line `l`, those of them that were shown or mailed, and whether a dispute of its order `o` is open. */
export const CODES_SQL = sql`(select count(*)::int from keys k where k.order_line_id = l.id and k.state = 'assigned')`;
export const CODES_SEEN_SQL = sql`(select count(*)::int from keys k where k.order_line_id = l.id and k.state = 'assigned'
    and (k.mailed_at is not null or k.first_revealed_at is not null))`;
export const DISPUTED_SQL = sql`exists (select from disputes d where d.order_id = o.id and d.is_open)`;

/** SQL: the version of a refund request `request` of a line `l` of an order `o`: what staff are shown of it. */
export const requestVersionSql = (request: string): SQL<string> =>
  versionSql(
    sql.raw(
      `${request}.id, ${request}.state, ${request}.asked_by, ${request}.stated_country, o.country, l.state`,
    ),
    requestLeftSql(request, "l"),
    CODES_SQL,
    CODES_SEEN_SQL,
    DISPUTED_SQL,
  );

/** SQL: the version of a paid line `l` of an order `o`: what decides about its refund. */
export const LINE_VERSION = versionSql(
  sql`l.id, l.state, l.refunded_cents, o.status, o.country`,
  sql`(select q.state from refund_requests q where q.order_line_id = l.id order by q.created_at desc, q.id desc limit 1)`,
  CODES_SQL,
  CODES_SEEN_SQL,
  DISPUTED_SQL,
);

/** SQL: what staff pay of a failed refund `refund` by other means, in cents. */
export const failedLeftSql = (refund: string): SQL =>
  sql`least(${sql.raw(`${refund}.amount_cents`)}, ${capturedCentsSql(`${refund}.order_id`)})::int`;

/** SQL: the version of a failed refund `refund` of an order `o`. */
export const failedVersionSql = (refund: string): SQL<string> =>
  versionSql(
    sql.raw(`${refund}.id, ${refund}.state, ${refund}.updated_at`),
    failedLeftSql(refund),
    DISPUTED_SQL,
  );

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

/** @throws ShopError revision_conflict: a line of a locked order is not as it was shown */
export const requireShownLine = (tx: Tx, seen: SeenVersion, lineId: string): Promise<void> =>
  requireShownRow(tx, seen, {
    version: LINE_VERSION,
    from: sql`order_lines l join orders o on o.id = l.order_id where l.id = ${lineId}`,
  });

/** What staff have returned of an order beyond the rule so far, in cents. To decide by it, the order must be locked. */
export async function sumGoodwill(tx: Db, orderId: string): Promise<number> {
  const [sum] = await tx.execute<{ cents: number }>(sql`
    select coalesce(sum(amount_cents), 0)::int as cents from refunds
    where order_id = ${orderId} and reason = ${GOODWILL} and state not in ('failed', 'cancelled')`);
  return sum!.cents;
}

export async function findOrderNumber(tx: Tx, orderId: string): Promise<string> {
  const [order] = await tx.execute<{ number: string }>(sql`
    select order_number as number from orders where id = ${orderId}`);
  return order!.number;
}

/**
 * SQL: whether the code `k` may have been seen. The first attempt to mail it counts, because an interrupted attempt may
 * have arrived.
 */
export const codeVisibleSql = (
  orderId: string,
) => sql`(k.first_revealed_at is not null or k.mailed_at is not null or exists (
  select from order_lines fl cross join lateral (select id from keys where order_line_id = fl.id
    union all select key_id from returned_keys where order_line_id = fl.id) first_key
  join mails m on m.dedupe_key in ('keys:' || ${orderId}::text || ':' || first_key.id, 'keys-rest:' || ${orderId}::text || ':' || first_key.id)
  left join graphile_worker.jobs j on j.key = m.id
  where fl.order_id = ${orderId} and k.id = any(string_to_array(m.refs->>'keyIds', ','))
    and (m.state in ('sent', 'failed') or m.attempts > 0 or j.attempts > 0)))`;

/**
 * SQL: the key `k` serves its unit, or served it until it was replaced. The history of a unit decides whether it was
 * used, not its last code: a replacement is unseen, although the code before it was used.
 */
export const SERVED_UNIT_SQL = sql.raw("k.state in ('assigned', 'revoked')");

/** SQL: whether a code that serves or served the unit of `unit_key` may have been seen. */
export const unitSeenSql = (orderId: string) => sql`exists (
  select from keys k where k.order_line_id = unit_key.order_line_id and k.slot = unit_key.slot and ${SERVED_UNIT_SQL}
    and ${codeVisibleSql(orderId)})`;

/** The redemptions of all codes that serve or served the units of a line. Locks the line's codes. */
export async function lockLineCodes(
  tx: Tx,
  line: { id: string; orderId: string },
): Promise<CodeRedemption[]> {
  await tx
    .select({ id: keys.id })
    .from(keys)
    .where(eq(keys.orderLineId, line.id))
    .orderBy(keys.id)
    .for("update");
  return tx.execute<CodeRedemption>(sql`
    select k.redemption, ${codeVisibleSql(line.orderId)} as shown
    from keys k where k.order_line_id = ${line.id} and ${SERVED_UNIT_SQL}`);
}

export type OpenRefundRequest = {
  id: string;
  orderId: string;
  orderNumber: string;
  email: string;
  product: string;
  amountCents: number;
  askedAt: string;
  answerBy: string;
  version: string;
};

const LISTED_REFUSED = 200;

/** Refund requests that wait for the vendor, most urgent first, or the refused ones, the newest first; for staff. */
export const listOpenRefundRequests = ({ refused = false } = {}): Promise<OpenRefundRequest[]> =>
  db.execute<OpenRefundRequest>(sql`
    select q.id, l.order_id as "orderId", o.order_number as "orderNumber", u.email, coalesce(t.name, p.slug) as product, ${requestLeftSql("q", "l")} as "amountCents",
      q.created_at as "askedAt", q.answer_by as "answerBy", ${requestVersionSql("q")} as version
    from refund_requests q join order_lines l on l.id = q.order_line_id join orders o on o.id = l.order_id
    join users u on u.id = q.user_id join products p on p.id = l.product_id left join product_texts t on t.product_id = p.id and t.locale = 'en'
    where ${
      refused
        ? sql`q.state = 'refused' order by q.decided_at desc, q.id limit ${LISTED_REFUSED}`
        : sql`q.state = 'asked' order by q.answer_by, q.id`
    }`);

export type FailedRefund = {
  id: string;
  orderId: string;
  orderNumber: string;
  amountCents: number;
  email: string;
  failedAt: string;
};

/** SQL: all attempts of the failed refund `r` are over, so that it must be paid by other means. */
export const GIVEN_UP_SQL = sql.raw(`exists (select from audit_entries a
  where a.action = 'refund_failed' and a.subject = r.order_id and a.detail->>'refundId' = r.id)`);

/**
 * Refunds whose last attempt failed, oldest first: they must be paid by other means, but not while the payment is
 * disputed, and not what a lost dispute has returned.
 */
export async function listFailedRefunds(): Promise<FailedRefund[]> {
  const rows = await db.execute<FailedRefund>(sql`
    select r.id, r.order_id as "orderId", o.order_number as "orderNumber", least(r.amount_cents, ${capturedCentsSql("r.order_id")}) as "amountCents", o.send_email as email, r.updated_at as "failedAt"
    from refunds r join orders o on o.id = r.order_id
    where r.state = 'failed' and ${GIVEN_UP_SQL} and ${capturedCentsSql("r.order_id")} > 0
      and not exists (select from disputes d where d.order_id = r.order_id and d.is_open) order by r.updated_at, r.id`);
  return rows.map((row) => ({ ...row, failedAt: instant(row.failedAt) }));
}

/** Refund requests that wait for a decision, those with the least time left first. */
export const countRefundRequests = (): Promise<QueueState> =>
  countQueue(
    sql`select q.created_at as at from refund_requests q where q.state = 'asked' order by q.answer_by`,
  );

/** Refunds to look at at most for the count of the failed ones: most attempts that failed were tried again. */
const COUNTED_ATTEMPTS = sql.raw("500");

/** Refunds whose attempts are all over, as `listFailedRefunds`, the oldest first. */
export const countFailedRefunds = (): Promise<QueueState> =>
  countQueue(sql`
    select r.updated_at as at
    from (select * from refunds where state = 'failed' order by updated_at, id limit ${COUNTED_ATTEMPTS}) r
    where exists (select from audit_entries a where a.action = 'refund_failed' and a.subject = r.order_id
        and a.detail->>'refundId' = r.id)
      and ${capturedCentsSql("r.order_id")} > 0
      and not exists (select from disputes d where d.order_id = r.order_id and d.is_open) order by r.updated_at`);
