import { type SQL, sql } from "drizzle-orm";
import { RESERVE_BPS, RESERVE_DAYS } from "./rules";

/**
 * SQL: the sales `s` of merchants `m` of which something is owed or was paid too much (`cents`), and what of it is held: `held`
 * cents for `reason`, `until` a moment or a decision. What is below zero is never held.
 */
export const unpaidSalesSql = (where: SQL): SQL => sql`(
  select s.line_id, s.merchant_id, d.cents, h.reason,
    case h.reason when 'window' then s.available_at when 'reserve' then s.sold_at + make_interval(days => ${RESERVE_DAYS}) end as until,
    case when h.reason is null then 0
      when h.reason = 'reserve' then least(s.booked_cents::bigint * ${RESERVE_BPS} / 10000, d.cents)::int else d.cents end as held
  from merchant_sales s join merchants m on m.id = s.merchant_id
  cross join lateral (select s.booked_cents - s.paid_out_cents as cents) d
  cross join lateral (select case when d.cents <= 0 then null
    when exists (select from disputes q where q.order_id = s.order_id and q.is_open) then 'dispute'
    when exists (select from fraud_warnings q where q.order_id = s.order_id and q.decided_at is null) then 'warning'
    when exists (select from refund_requests q where q.order_line_id = s.line_id and q.state = 'asked') then 'request'
    when exists (select from replacement_requests q join keys k on k.id = q.key_id
      where k.order_line_id = s.line_id and q.state = 'asked') then 'replacement'
    when s.available_at > shop_now() then 'window'
    when m.trust = 'new' and s.sold_at > shop_now() - make_interval(days => ${RESERVE_DAYS}) then 'reserve' end as reason) h
  where s.booked_cents <> s.paid_out_cents and ${where})`;
