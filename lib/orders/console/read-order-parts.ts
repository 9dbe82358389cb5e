import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { KEY_VERSION } from "@/lib/delivery/library/key-state-sql";
import type { ConsoleMail } from "@/lib/notifications/console/contract";
import { mailCodesSql } from "@/lib/notifications/console/list-console-mails";
import type { ConsoleOrderDetail, NoteView } from "@/lib/orders/console/contract-detail";
import { GOODWILL_ASKED } from "@/lib/orders/console/rules";
import { ORDER_VERSION } from "@/lib/orders/status/lock-order";
import { actorNameSql, rowCount } from "@/lib/platform/console/query";

export const MAX_TIMELINE = 1_000;
/** Rows of a part of an order that its page shows. */
const MAX_PART = 500;

type Facts = Pick<ConsoleOrderDetail, "version" | "locale" | "coupon_code" | "came_from" | "gift"> & {
  customer_id: string;
  email: string;
  username: string;
};
export type Payment = Omit<ConsoleOrderDetail["payments"][number], "amount" | "provider_url"> & {
  cents: number;
};
type OtherOrder = Omit<
  ConsoleOrderDetail["customer"]["other_orders"][number],
  "final_amount" | "refunded"
> & { cents: number; refunded_cents: number };
export type Refund = Omit<ConsoleOrderDetail["refunds"][number], "amount"> & { cents: number };
export type Warning = ConsoleOrderDetail["fraud_warnings"][number];
export type PaymentReview = ConsoleOrderDetail["payment_reviews"][number];
export type Dispute = Omit<ConsoleOrderDetail["disputes"][number], "amount"> & { cents: number };
type Entry = Omit<ConsoleOrderDetail["ledger"][number], "amount"> & { cents: number };
type Key = ConsoleOrderDetail["keys"][number];
export type Event = {
  id: string;
  about: string;
  event: string;
  detail: string | null;
  actor: string | null;
  device: string | null;
  at: string;
};

export async function readFacts(id: string): Promise<Facts | undefined> {
  const [row] = await db.execute<Facts>(sql`
    select ${ORDER_VERSION} as version, u.id as customer_id, u.email, u.username, o.locale, c.code as coupon_code, o.attribution->>'source' as came_from,
      (select json_build_object('state', g.state, 'recipient_email', g.recipient_email, 'claimed_by', r.email,
          'send_at', g.send_at, 'claimed_at', g.claimed_at)
        from gifts g left join users r on r.id = g.claimed_by where g.order_id = o.id) as gift
    from orders o join users u on u.id = o.user_id left join coupons c on c.id = o.coupon_id where o.id = ${id}`);
  return row;
}

/** Other orders of an account that its order's page shows. */
const MAX_OTHER_ORDERS = 5;

export const readOtherOrders = (customerId: string, orderId: string) =>
  db.execute<OtherOrder>(sql`
    select o.order_number, o.status, o.created_at, o.total_cents as cents, coalesce((select sum(r.amount_cents)::int from refunds r
      where r.order_id = o.id and r.state not in ('failed', 'cancelled')), 0) as refunded_cents
    from (select * from orders where user_id = ${customerId} order by created_at desc limit ${rowCount(MAX_OTHER_ORDERS + 1)}) o
    where o.id <> ${orderId} order by o.created_at desc limit ${rowCount(MAX_OTHER_ORDERS)}`);

export const readPayments = (id: string) =>
  db.execute<Payment>(sql`
    select id as payment_id, intent_id as transaction_id, state, amount_cents as cents, method, last_error, created_at, updated_at
    from payments where order_id = ${id} order by created_at limit ${rowCount(MAX_PART)}`);

export const readRefunds = (id: string) =>
  db.execute<Refund>(sql`
    select id as refund_id, order_line_id as order_product_id, amount_cents as cents, reason, state, provider_id, created_at, updated_at
    from refunds where order_id = ${id} order by created_at limit ${rowCount(MAX_PART)}`);

export const readDisputes = (id: string) =>
  db.execute<Dispute>(sql`
    select id as dispute_id, amount_cents as cents, reason, status, is_open, created_at, closed_at
    from disputes where order_id = ${id} order by created_at limit ${rowCount(MAX_PART)}`);

export const readWarnings = (id: string) =>
  db.execute<Warning>(sql`
    select id as warning_id, state, fraud_type, created_at, decided_at
    from fraud_warnings where order_id = ${id} order by created_at limit ${rowCount(MAX_PART)}`);

export const readPaymentReviews = (id: string) =>
  db.execute<PaymentReview>(sql`
    select id as review_id, is_open, reason, closed_reason, created_at, closed_at
    from payment_reviews where order_id = ${id} order by created_at limit ${rowCount(MAX_PART)}`);

/** The codes that serve the order's lines, and those that did until they were replaced or locked. */
export const readKeys = (id: string) =>
  db.execute<Key>(sql`
    select k.id as key_id, k.order_line_id as order_product_id, k.slot, k.state, k.redemption, k.redeem_by, k.assigned_at, k.mailed_at,
      k.first_revealed_at as revealed_at, k.activated_at, ${KEY_VERSION} as version,
      (select count(*)::int from key_events e where e.key_id = k.id) as events,
      (select count(*)::int from custody_seals s where s.key_id = k.id) as sealed
    from order_lines l join keys k on k.order_line_id = l.id
    where l.order_id = ${id} order by l.position, k.slot, k.assigned_at limit ${rowCount(MAX_PART)}`);

export const readMails = (orderNumber: string) =>
  db.execute<ConsoleMail>(sql`
    select id as mail_id, event, ${mailCodesSql("m")} as codes, to_address, locale, order_number, state, attempts, last_error,
      created_at, sent_at
    from mails m where order_number = ${orderNumber} order by created_at, id limit ${rowCount(MAX_PART)}`);

export const readLedger = (id: string) =>
  db.execute<Entry>(sql`
    select transfer_id, account, amount_cents as cents, created_at
    from ledger_entries where order_id = ${id} order by id limit ${rowCount(MAX_PART)}`);

/** The notes about an order or a customer, the newest first. */
export const listNotes = (subjectId: string) =>
  db.execute<NoteView>(sql`
    select n.id as note_id, n.text, u.email as written_by, n.created_at from notes n join users u on u.id = n.written_by
    where n.subject_id = ${subjectId} order by n.created_at desc, n.id desc limit ${rowCount(MAX_PART)}`);

/** SQL: the account of a custody event's actor, and the device on which it showed the code. */
const KEY_ACTOR = "split_part(e.actor, ' ', 1)";
const KEY_DEVICE = sql.raw(`nullif(substr(e.actor, length(${KEY_ACTOR}) + 2), '')`);

/** The order's own events, those of its codes, and requests of its buyer. */
export const readEvents = (id: string) =>
  db.execute<Event>(sql`
    select 'order' as id, o.id::text as about, o.event, o.reason as detail, null as actor, null as device, o.created_at as at
    from order_events o where o.order_id = ${id}
    union all
    select * from (select 'key', k.id, e.event, k.id, ${actorNameSql(KEY_ACTOR)}, ${KEY_DEVICE}, e.created_at
      from order_lines l cross join lateral (select id from keys where order_line_id = l.id
        union all select key_id from returned_keys where order_line_id = l.id) k join key_events e on e.key_id = k.id
      -- A code that another order held before or after has that order's events too.
      where l.order_id = ${id} and coalesce(e.order_line_id, l.id) = l.id and e.event not in ('imported', 'resealed') order by e.id desc limit ${rowCount(MAX_TIMELINE)}) e
    union all
    select 'refund', q.id, 'asked', null, ${actorNameSql("q.asked_by")}, null, q.created_at
    from order_lines l join refund_requests q on q.order_line_id = l.id where l.order_id = ${id}
    union all
    select 'refund', q.id, 'request_' || q.state, null, ${actorNameSql("q.decided_by")}, null, q.decided_at
    from order_lines l join refund_requests q on q.order_line_id = l.id where l.order_id = ${id} and q.decided_at is not null
    union all
    select 'key', r.id, 'replacement_asked', r.key_id, ${actorNameSql("r.asked_by")}, null, r.created_at
    from order_lines l join keys k on k.order_line_id = l.id join replacement_requests r on r.key_id = k.id where l.order_id = ${id}
    union all
    select 'key', r.id, 'replacement_' || r.state, r.key_id, ${actorNameSql("r.decided_by")}, null, r.decided_at
    from order_lines l join keys k on k.order_line_id = l.id join replacement_requests r on r.key_id = k.id
    where l.order_id = ${id} and r.decided_at is not null`);

/** `cents` and `reason`: of a gesture; `mail_event`: of an email that was sent again. */
export type StaffEvent = Event & { cents: number | null; reason: string | null; mail_event: string | null };

/**
 * What staff and the system did to an order and its parts according to the audit log, with second persons' decisions:
 * the entry of a request names its approval.
 */
export const readStaffEvents = (orderId: string, parts: readonly string[]) =>
  db.execute<StaffEvent>(sql`
    select a.id::text as id, a.subject as about, a.action as event, a.detail->>'note' as detail, ${actorNameSql("a.actor")} as actor,
      null as device, a.created_at as at, g.cents, g.reason, case when a.action = 'mail.again' then a.detail->>'event' end as mail_event
    from audit_entries a left join lateral (select (a.detail->>'amountCents')::int as cents, a.detail->>'reason' as reason
      where a.action in ('refund.goodwill', ${GOODWILL_ASKED})) g on true
    where a.subject = any(${sql.param([orderId, ...parts])}::text[] || array(
        select asked.detail->>'approval_id' from audit_entries asked
        where asked.subject = ${orderId} and asked.action = ${GOODWILL_ASKED} and asked.detail->>'approval_id' is not null))
      and a.action <> 'approval.asked'
    order by a.id desc limit ${rowCount(MAX_PART)}`);
