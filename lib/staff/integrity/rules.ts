import { MINIMUM_CHARGE_CENTS } from "@/lib/payments/rules";

/**
 * What must not be true of any row (docs/reliability.md#audit): each sentence with a statement that selects the rows of which
 * it is. tests/domain/integrity.test.ts shows that each statement finds its fault.
 */

/** Rules that hold at every moment. */
export const ALWAYS: Readonly<Record<string, string>> = {
  // A key may only be sold again when its unit was given back and its code was never seen.
  "a key was assigned twice": `
    select key_id from (select key_id, event, lag(event) over (partition by key_id order by id) as before
      from key_events where event in ('assigned', 'restocked')) steps where event = 'assigned' and before = 'assigned'`,
  "a key was assigned again after its code was seen": `
    select e.key_id from key_events e where e.event = 'assigned' and exists (
      select from key_events s where s.key_id = e.key_id and s.id < e.id and s.event in ('mailed', 'revealed', 'activated'))`,
  "a sold key is in stock": `
    select k.id from keys k where k.state = 'available' and (
      k.mailed_at is not null or k.first_revealed_at is not null or k.activated_at is not null
      or exists (select from key_events e where e.key_id = k.id and e.event in ('mailed', 'revealed', 'activated'))
      or (select e.event from key_events e where e.key_id = k.id and e.event in ('assigned', 'restocked')
        order by e.id desc limit 1) = 'assigned')`,
  "a sold key has no assignment in its history": `
    select k.id from keys k where k.assigned_at is not null and not exists (
      select from key_events e where e.key_id = k.id and e.event = 'assigned')`,
  "a code was mailed or shown and its history does not say so": `
    select k.id from keys k
    where k.mailed_at is not null and not exists (select from key_events e where e.key_id = k.id and e.event = 'mailed')
      or k.first_revealed_at is not null and not exists (
        select from key_events e where e.key_id = k.id and e.event = 'revealed')`,
  "a key is held for an order that is not open": `
    select k.id, o.status from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
    where k.state = 'reserved' and o.status not in ('pending', 'processingPayment', 'paid')`,
  "a key is assigned without a payment": `
    select k.id, o.status from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
    where k.state = 'assigned' and o.status in ('pending', 'processingPayment', 'cancelled')`,
  "an open order lacks the keys it holds": `
    select l.id from order_lines l join orders o on o.id = l.order_id
    where o.status in ('pending', 'processingPayment') and not l.pre_order
      and l.quantity <> (select count(*) from keys k where k.order_line_id = l.id and k.state = 'reserved')`,
  "a delivered line lacks keys": `
    select l.id from order_lines l, lateral (select count(*) filter (where k.state = 'assigned') as assigned, count(*) as ever_assigned
        from keys k where k.order_line_id = l.id and k.state in ('assigned', 'quarantined', 'revoked')
          and not exists (select from replacement_requests r where r.key_id = k.id and r.state = 'approved')) counts
    where l.state = 'assigned' and l.quantity - l.refunded_quantity not in (counts.assigned, counts.ever_assigned)`,
  "a replaced key is not revoked, or its replacement belongs to another line": `
    select r.id from replacement_requests r join keys o on o.id = r.key_id join keys n on n.id = r.new_key_id
    where o.state <> 'revoked' or n.order_line_id <> o.order_line_id or n.slot <> o.slot or n.plan_id <> o.plan_id`,
  "a waiting line has no delivery date, or its order is not processing": `
    select l.id, o.status from order_lines l join orders o on o.id = l.order_id
    where l.state = 'waiting' and (l.deliver_by is null or o.status <> 'processing')`,
  "a shipped order has open lines": `
    select o.id, l.state from orders o join order_lines l on l.order_id = o.id
    where o.status in ('shipped', 'completed') and l.state not in ('assigned', 'refunded')`,
  "a cancelled order is not released, or holds a claim or a line": `
    select o.id from orders o where o.status = 'cancelled' and (o.released_at is null
      or exists (select 1 from purchase_claims c where c.order_id = o.id)
      or exists (select 1 from order_lines l where l.order_id = o.id and l.state <> 'released'))`,
  "a deal's count of claimed units is not the sum of its lines": `
    select d.id, d.claimed from deals d where d.claimed <> (select coalesce(sum(l.quantity), 0)
      from order_lines l where l.deal_id = d.id and l.state <> 'released')`,
  "a user has more than the purchase limit": `
    select o.user_id, l.plan_id from order_lines l join orders o on o.id = l.order_id join plans p on p.id = l.plan_id
    where l.state <> 'released' and o.status <> 'refunded'
    group by o.user_id, l.plan_id, p.purchase_limit,
      exists (select from purchase_claims c where c.order_id = o.id and c.unverified_identity is not null)
    having sum(l.quantity) > p.purchase_limit`,
  "the verified or the unverified accounts of a mailbox have more than the purchase limit": `
    select c.plan_id, c.email_identity, c.unverified_identity from purchase_claims c join plans p on p.id = c.plan_id
    where coalesce(c.email_identity, c.unverified_identity) is not null
    group by c.plan_id, c.email_identity, c.unverified_identity, p.purchase_limit
    having count(*) > p.purchase_limit`,
  "an order's status is not that of its last event": `
    select o.id, o.status from orders o where o.status is distinct from (
      select e.to_status from order_events e where e.order_id = o.id order by e.id desc limit 1)`,
  "an order's events have a gap": `
    select id from (select id, from_status, lag(to_status) over (partition by order_id order by id) as before
      from order_events) steps where from_status is distinct from before`,
  "an order's total is not the sum of its lines": `
    select o.id from orders o where o.total_cents <> (select sum(l.total_cents) from order_lines l where l.order_id = o.id)`,
  "a transfer does not balance": `
    select transfer_id from ledger_entries group by transfer_id having sum(amount_cents) <> 0 or count(*) <> 2`,
  "the refunds of an order in the ledger are not its refunds and lost disputes": `
    select o.id from orders o where
      (select coalesce(sum(e.amount_cents), 0) from ledger_entries e where e.order_id = o.id and e.account = 'refunds'
        and split_part(e.transfer_id, ':', 1) not in (select d.id from disputes d where d.order_id = o.id))
      <> (select coalesce(sum(r.amount_cents), 0) from refunds r where r.order_id = o.id and r.state in ('succeeded', 'settled'))`,
  "the ledger has more for a lost dispute than the bank took, or anything for another dispute": `
    select d.id from disputes d where (select coalesce(sum(e.amount_cents), 0) from ledger_entries e
      where e.order_id = d.order_id and e.account = 'refunds' and split_part(e.transfer_id, ':', 1) = d.id)
      not between 0 and case when d.status = 'lost' then d.amount_cents else 0 end`,
  "the cash of an order is below zero": `
    select order_id, sum(amount_cents) from ledger_entries where account = 'provider_cash'
    group by order_id having sum(amount_cents) < 0`,
  "a paid order's payment is not booked with the order's total": `
    select o.id from orders o where o.paid_at is not null and o.total_cents > 0 and not exists (select 1 from payments p
      join ledger_entries e on e.transfer_id = p.id and e.account = 'provider_cash' and e.amount_cents = o.total_cents
      where p.order_id = o.id and p.state = 'succeeded' and p.intent_id = o.transaction_id)`,
  "a line of a lost payment is not refunded, or one of its codes is not locked": `
    select l.id from disputes d join orders o on o.id = d.order_id and o.transaction_id = d.intent_id
    join order_lines l on l.order_id = o.id left join keys k on k.order_line_id = l.id and k.state = 'assigned'
    where d.status = 'lost' and (l.state not in ('refunded', 'released') or k.id is not null)`,
  "an order was charged twice": `
    select order_id from payments where state = 'succeeded' group by order_id having count(*) > 1`,
  "an order is paid without a succeeded payment": `
    select o.id from orders o where o.paid_at is not null and o.total_cents > 0
      and not exists (select 1 from payments p where p.order_id = o.id and p.state = 'succeeded')`,
  "an order's discount has no coupon, or is not the sum of its lines": `
    select o.id from orders o where (o.discount_cents > 0) <> (o.coupon_id is not null)
      or o.discount_cents <> (select sum(l.discount_cents) from order_lines l where l.order_id = o.id)`,
  "a coupon is held by an order that is not open, or used by one that is not paid": `
    select c.id, c.state, o.status from coupons c join orders o on o.id = c.order_id
    where (c.state = 'reserved') <> (o.status in ('pending', 'processingPayment')) or o.coupon_id <> c.id or o.user_id <> c.user_id`,
  "an open or paid order has lost its coupon": `
    select o.id from orders o where o.coupon_id is not null and o.status not in ('cancelled', 'refunded')
      and not exists (select 1 from coupons c where c.id = o.coupon_id and c.order_id = o.id)`,
  "a coupon was used twice": `
    select coupon_id from orders where coupon_id is not null and status not in ('cancelled', 'refunded')
    group by coupon_id having count(*) > 1`,
  "a first-order coupon is used by a later order": `
    select o.id from orders o join coupons c on c.order_id = o.id and c.first_order_only
    join orders p on p.user_id = o.user_id and p.id <> o.id and p.paid_at < coalesce(o.paid_at, 'infinity')
    where p.total_cents > 0 and p.status <> 'refunded'`,
  // A budget may be lowered below what its coupons hold already.
  "a campaign promised more than its budget": `
    select g.id from campaigns g where (g.promised_cents > g.monthly_budget_cents
        or g.budget_day = to_char(shop_now() at time zone 'UTC', 'YYYY-MM-DD') and g.promised_today_cents > g.daily_budget_cents)
      and not exists (select from audit_entries a where a.subject = g.id and a.action = 'campaign_changed'
        and a.detail->'after' ?| array['monthlyBudgetCents', 'dailyBudgetCents'])`,
  "what a campaign promised is not the sum of its coupons": `
    select g.id from campaigns g where g.promised_cents
      <> (select coalesce(sum(c.promised_cents), 0) from coupons c where c.campaign_id = g.id and c.promised_month = g.budget_month)`,
  // An expired coupon has given its share back.
  "a coupon was not charged to its campaign's budget with its face value": `
    select c.id from coupons c join campaigns g on g.id = c.campaign_id
    where c.state = 'open' and g.monthly_budget_cents is not null and (c.promised_month is null
      or c.promised_cents not in (0, coalesce(c.amount_cents, c.max_discount_cents, 0)))`,
  "a coupon left less than the provider's least charge to pay": `
    select o.id from orders o join coupons c on c.id = o.coupon_id
    where o.paid_at is not null and not c.free and o.total_cents < ${MINIMUM_CHARGE_CENTS}`,
  "a referral's coupon belongs to another user or another referral": `
    select r.id from referrals r join coupons c on c.id = r.coupon_id
    where c.user_id <> r.inviter_id or c.issue_key <> 'referral:' || r.id`,
  "a returned key is for sale": `
    select k.id, k.state from keys k where k.state not in ('quarantined', 'revoked')
      and (select e.event from key_events e where e.key_id = k.id and e.event in ('quarantined', 'unlocked', 'restocked')
        order by e.id desc limit 1) = 'quarantined'`,
  "a code went back on sale after it was seen": `
    select s.key_id from key_events s where s.event = 'restocked' and exists (
      select from key_events e where e.key_id = s.key_id and e.id < s.id and e.event in ('mailed', 'revealed', 'activated'))
    union select k.id from keys k where k.state = 'available' and (k.opened_at is not null or k.redemption <> 'unknown')`,
  "a unit that came back unseen is not counted, or counted twice": `
    select key_id, order_line_id from (select key_id, order_line_id, count(*) as units from returned_keys group by 1, 2) counted
    full join (select key_id, order_line_id, count(*) as units from key_events
      where event = 'restocked' and order_line_id is not null group by 1, 2) came_back
      using (key_id, order_line_id)
    where counted.units is distinct from came_back.units`,
  "the provider refunded more than it received, or its total is wrong": `
    select id from sandbox_intents where refunded_cents > received_cents or refunded_cents
      <> (select coalesce(sum(r.amount_cents), 0) from sandbox_refunds r where r.intent_id = sandbox_intents.id and r.status <> 'failed')`,
  "the provider made a refund that has no record, a wrong amount or a duplicate": `
    select r.metadata->>'refund_id' from sandbox_refunds r left join refunds o on o.id = r.metadata->>'refund_id'
    where r.metadata ? 'refund_id' and not exists (select from lost_payments p where p.intent_id = r.intent_id)
    group by 1 having count(*) > 1 or count(o.id) = 0 or min(r.amount_cents) <> min(o.amount_cents)`,
  "a code was revealed during a dispute of its payment": `
    select e.key_id from key_events e join keys k on k.id = e.key_id join order_lines l on l.id = k.order_line_id
    join disputes d on d.order_id = l.order_id
    where e.event = 'revealed' and e.created_at > d.created_at and e.created_at < coalesce(d.closed_at, 'infinity')`,
  "a consent to immediate delivery has no time or no record": `
    select l.id from order_lines l where (l.immediate_delivery or l.consent is not null)
      and (l.immediate_delivery and l.immediate_consent_at is not null and l.consent is not null) is not true`,
  "a code that lay unseen by choice was shown, mailed or activated without consent": `
    select k.id from keys k join order_lines l on l.id = k.order_line_id
    where l.immediate_delivery is not null and (l.keep_in_library or not l.immediate_delivery) and k.consent is null
      and (k.first_revealed_at is not null or k.mailed_at is not null or k.activated_at is not null)`,
  "a custody chain has a gap": `
    select key_id from custody_seals group by key_id having max(position) <> count(*)`,
  "the chain of the audit log has a gap, or seals an entry that is gone": `
    select max(s.position) from audit_seals s having max(s.position) <> count(*)
    union all select s.position from audit_seals s where not exists (select from audit_entries e where e.id = s.entry_id)`,
  "a line with codes has no sale of its merchant": `
    select l.id from order_lines l join orders o on o.id = l.order_id
    where o.paid_at is not null and exists (select from keys k where k.order_line_id = l.id and k.assigned_at is not null)
      and not exists (select from merchant_sales s where s.line_id = l.id)`,
  "a merchant's sale is not its line, or its parts do not add up": `
    select s.line_id from merchant_sales s join order_lines l on l.id = s.line_id join products p on p.id = l.product_id
    where (s.merchant_id, s.order_id, s.plan_id, s.units, s.gross_cents, s.discount_cents, s.refunded_units, s.refunded_cents)
      is distinct from (p.merchant_id, l.order_id, l.plan_id, l.quantity, l.unit_price_cents * l.quantity, l.discount_cents,
        l.refunded_quantity, l.refunded_cents - case s.funded_by when 'shop' then l.goodwill_cents else 0 end)
      or s.commission_cents + s.net_cents + s.tax_cents <> s.gross_cents - case s.funded_by when 'shop' then 0 else s.discount_cents end
      or s.commission_back_cents not between 0 and s.commission_cents or s.net_back_cents not between 0 and s.net_cents
      or l.total_cents > 0 and s.commission_back_cents + s.net_back_cents
        <> round((s.commission_cents + s.net_cents)::numeric * s.refunded_cents / l.total_cents)`,
  "the ledger has another share of a merchant than its sale, or one without a sale": `
    select coalesce(s.line_id, e.line_id) from merchant_sales s full join (
      select line_id, merchant_id, -sum(amount_cents) as cents from ledger_entries
      where account = 'merchant_payable' and line_id is not null group by line_id, merchant_id) e on e.line_id = s.line_id
    where (s.merchant_id, s.net_cents - s.net_back_cents, s.booked_cents) is distinct from (e.merchant_id, e.cents, e.cents)
      and (e.line_id is not null or s.net_cents - s.net_back_cents <> 0 or s.booked_cents <> 0)`,
  "what was paid out of a sale is not what payouts paid of it": `
    select s.line_id from merchant_sales s full join (
      select l.line_id, sum(l.cents) as cents from payout_lines l join payouts p on p.id = l.payout_id and p.attempt = l.attempt
      where p.state in ('sent', 'confirmed', 'written_off') group by l.line_id) p on p.line_id = s.line_id
    where coalesce(s.paid_out_cents, 0) <> coalesce(p.cents, 0)`,
  "a payout is not the sum of its lines, its attempt or its entries": `
    select p.id from payouts p where p.state not in ('draft', 'dropped') and (
      p.cents <> (select sum(l.cents) from payout_lines l where l.payout_id = p.id and l.attempt = p.attempt)
      or p.run_id is not null and p.cents is distinct from (select t.cents from payout_attempts t where t.payout_id = p.id and t.attempt = p.attempt)
      or case when p.state in ('sent', 'confirmed') then p.cents when p.run_id is null then p.cents else 0 end
        <> (select coalesce(sum(e.amount_cents), 0) from ledger_entries e where e.account = 'merchant_payable' and e.merchant_id = p.merchant_id
          and (starts_with(e.transfer_id, 'payout:' || p.id || ':') or e.transfer_id = 'write_off:' || p.id)))`,
  "the ledger has payouts on their way that are not sent": `
    select e.transfer_id from ledger_entries e where e.account = 'payouts_in_transit' and not exists (
      select from payouts p where p.id = split_part(e.transfer_id, ':', 2) and p.state in ('sent', 'confirmed', 'failed', 'returned'))
    union all select p.id from payouts p where p.run_id is not null and case p.state when 'sent' then p.cents else 0 end
      <> (select coalesce(-sum(e.amount_cents), 0) from ledger_entries e where e.account = 'payouts_in_transit' and starts_with(e.transfer_id, 'payout:' || p.id || ':'))`,
  "a run sent more than a second person had approved": `
    select r.id from payout_runs r where r.state in ('approved', 'sent', 'closed') and (r.approved_by = r.asked_by
      or r.approved_cents < (select coalesce(sum(t.cents), 0) from payouts p join payout_attempts t on t.payout_id = p.id
        and t.attempt = 1 where p.run_id = r.id))`,
  "a statement is not what its lines move, or does not go on where the one before ended": `
    select s.id from statements s where s.closing_cents <> s.opening_cents
        + (select coalesce(sum(l.cents), 0) from statement_lines l where l.statement_id = s.id)
      or s.lines <> (select count(*) from statement_lines l where l.statement_id = s.id)
      or s.opening_cents <> coalesce((select b.closing_cents from statements b where b.merchant_id = s.merchant_id and b.number = s.number - 1), 0)
      or s.number > 1 and not exists (select from statements b where b.merchant_id = s.merchant_id and b.number = s.number - 1)`,
  "a closed part of the ledger is not the sum of its entries": `
    select account from (select account, merchant_id, cents from ledger_closings
      union all select account, coalesce(merchant_id, ''), -amount_cents from ledger_entries where id <= (select ledger_closed_id from payout_settings)) e
    group by account, merchant_id having sum(cents) <> 0`,
  "a line of a statement is not its entry of the ledger": `
    select l.entry_id from statement_lines l join statements s on s.id = l.statement_id join ledger_entries e on e.id = l.entry_id
    where e.account <> 'merchant_payable' or e.merchant_id <> s.merchant_id or -e.amount_cents <> l.cents`,
  "a series of invoices has a gap": `
    select d.series from tax_documents d group by d.series having max(d.number) <> count(*)
      or max(d.number) is distinct from (select s.last from tax_series s where s.series = d.series)`,
  "an invoice is not as it was sealed": `
    select d.id from tax_documents d where d.hash <> encode(sha256(convert_to(d.content::text, 'UTF8')), 'hex')
      or (d.content->>'tax_cents', d.content->>'gross_cents') is distinct from (d.tax_cents::text, d.gross_cents::text)
      or not exists (select from audit_entries a where a.subject = d.id and a.action = d.kind || '.issued' and a.detail->>'hash' = d.hash)`,
  "the tax of an order in the ledger is not that of its invoices": `
    select coalesce(d.order_id, e.order_id) from (
      select order_id, sum(case kind when 'invoice' then tax_cents else -tax_cents end) as cents from tax_documents group by order_id) d
    full join (select order_id, -sum(amount_cents) as cents from ledger_entries where account = 'tax_payable' group by order_id) e
      on e.order_id = d.order_id
    where coalesce(d.cents, 0) <> coalesce(e.cents, 0)`,
  "the invoices of an order are not what is left of its payment": `
    select o.id from orders o join order_taxes t on t.order_id = o.id and t.decided_at is not null where o.total_cents
      - (select coalesce(sum(r.amount_cents), 0) from refunds r where r.order_id = o.id and r.state in ('succeeded', 'settled')
        and r.reason <> 'overpaid' and coalesce(r.intent_id, o.transaction_id) = o.transaction_id)
      - (select coalesce(sum(e.amount_cents), 0) from ledger_entries e join disputes d on d.id = split_part(e.transfer_id, ':', 1)
        where e.order_id = o.id and e.account = 'refunds' and d.intent_id = o.transaction_id)
      <> (select coalesce(sum(case d.kind when 'invoice' then d.gross_cents else -d.gross_cents end), 0)
        from tax_documents d where d.order_id = o.id)`,
  "an order was refunded more than it was paid": `
    select o.id from orders o where (select coalesce(sum(r.amount_cents), 0) from refunds r
      where r.order_id = o.id and r.state not in ('failed', 'cancelled')) > (select -coalesce(sum(e.amount_cents), 0)
      from ledger_entries e where e.order_id = o.id and e.account = 'sales')`,
  "an approval was decided by who asked for it, whom it concerns, or who had no role for it": `
    select a.id, a.decided_by from approvals a where a.decided_by is not null and (
      a.decided_by = a.concerns or a.decided_by = a.asked_by and not a.alone
      or not exists (select from staff_members m where m.user_id = a.decided_by and m.roles && a.roles
        and m.created_at <= a.decided_at and coalesce(m.ended_at, 'infinity') >= a.decided_at))`,
  "an approval was decided within 72 hours of the decider's grant, or by whom its asker made staff": `
    select a.id, a.decided_by from approvals a where a.decided_by <> a.asked_by and (
      not exists (select from staff_members m where m.user_id = a.decided_by and m.roles && a.roles
        and m.created_at <= a.decided_at - interval '72 hours'
        and coalesce(m.ended_at, 'infinity') > a.decided_at - interval '72 hours')
      or exists (select from staff_members m where m.user_id = a.decided_by and m.granted_by = a.asked_by and m.created_at <= a.decided_at
        and not exists (select from staff_members p
          where p.user_id = m.user_id and p.ended_at = m.created_at and p.id <> m.id and m.roles <@ p.roles)
        and not exists (select from staff_members e
          where e.user_id = m.user_id and e.ended_at between m.created_at and a.decided_at and not exists (
            select from staff_members n where n.user_id = e.user_id and n.created_at = e.ended_at and n.id <> e.id))))`,
  "an approval was given to somebody who had no role to ask for it": `
    select a.id, a.asked_by from approvals a where a.state = 'approved' and not exists (
      select from staff_members m where m.user_id = a.asked_by and m.roles && a.roles
        and m.created_at <= a.decided_at and coalesce(m.ended_at, 'infinity') >= a.decided_at)`,
  "an approval served more than once": `
    select subject from audit_entries where action = 'approval.used' group by subject having count(*) > 1`,
  "an approval was used that nobody gave": `
    select e.subject from audit_entries e where e.action = 'approval.used' and not exists (
      select from approvals a where a.id = e.subject and a.state = 'approved')`,
  "a person has two published reviews of a product": `
    select r.id, n.id from reviews r join reviews n on n.product_id = r.product_id and n.id > r.id
      and (n.user_id = r.user_id or n.author_identity = r.author_identity)
    where r.state = 'published' and n.state = 'published' and not r.demo and not n.demo`,
  "a request for a refund was decided by who made it": `
    select id from refund_requests where decided_by in (user_id, asked_by)`,
  "a request for another code was decided by who made it": `
    select id from replacement_requests where decided_by in (user_id, asked_by)`,
};

/** Rules that hold once all jobs, payments and emails have ended. */
export const WHEN_IDLE: Readonly<Record<string, string>> = {
  "a refund made in the provider's dashboard has no record, or another amount or state": `
    select r.id from sandbox_refunds r left join refunds o on o.provider_id = r.id
    where not coalesce(r.metadata, '{}') ? 'refund_id' and (o.id is null and r.status <> 'failed' or o.amount_cents <> r.amount_cents
      or (r.status = 'succeeded') <> (o.state = 'succeeded'))`,
  "a transfer at the provider has no payout or another amount, or a payout has no transfer": `
    select t.id from sandbox_transfers t left join payout_attempts a on a.transfer_id = t.id left join payouts p on p.id = a.payout_id
    where a.cents is distinct from t.amount_cents or (t.reversed_cents > 0) <> (p.state = 'returned')
    union all select a.key from payout_attempts a join payouts p on p.id = a.payout_id and p.attempt = a.attempt
      join payout_accounts c on c.id = a.account_id
    where c.method = 'stripe_connect' and p.state in ('confirmed', 'returned')
      and not exists (select from sandbox_transfers t where t.id = a.transfer_id)`,
  "a payment succeeded and the order is not paid": `
    select p.order_id from payments p join sandbox_intents i on i.id = p.intent_id join orders o on o.id = p.order_id
    where i.status = 'succeeded' and (p.state <> 'succeeded' or (o.paid_at is null and o.status <> 'refunded'))`,
  "the ledger of an order is not what the provider received, less refunds and lost disputes": `
    select o.id from orders o join lateral (
      select sum(i.received_cents
        - (select coalesce(sum(r.amount_cents), 0) from sandbox_refunds r where r.intent_id = i.id and r.status <> 'failed')
        - case when exists (select from sandbox_disputes d where d.intent_id = i.id and d.status = 'lost')
          then i.received_cents - i.refunded_cents else 0 end) as cents
      from sandbox_intents i where i.metadata->>'order_id' = o.id) provider on provider.cents is not null
    where provider.cents <> (select coalesce(sum(e.amount_cents), 0) from ledger_entries e
      where e.order_id = o.id and e.account = 'provider_cash')`,
  "the provider has several open intents of an order": `
    select metadata->>'order_id' from sandbox_intents where status like 'requires_%' group by 1 having count(*) > 1`,
  "a paid order is neither delivered nor waiting": `select id from orders where status = 'paid'`,
  "a shipped order is not completed": `
    select o.id from orders o where o.status = 'shipped' and not exists (
      select 1 from order_lines l join keys k on k.order_line_id = l.id and k.state = 'assigned'
      where l.order_id = o.id and (l.immediate_delivery and l.keep_in_library or not l.immediate_delivery)
        and k.mailed_at is null and k.first_revealed_at is null)`,
  "a key has no sent email, or several": `
    select k.id from keys k join order_lines l on l.id = k.order_line_id
    where k.state = 'assigned' and not l.keep_in_library and l.immediate_delivery is not false and 1 <> (select count(*) from mails m
      where m.event = 'keys' and m.state = 'sent' and m.refs->>'again' is null and k.id = any(string_to_array(m.refs->>'keyIds', ',')))`,
  // An email whose keys were all revoked, or returned unrevealed and perhaps sold to others, before it was sent is not
  // sent.
  "an email is not sent": `select id, event, last_error from mails m where state <> 'sent' and event in ('keys', 'refund')
    and not (state = 'dropped' and not exists (select 1 from keys k join order_lines l on l.id = k.order_line_id
      where k.state = 'assigned' and l.order_id = m.refs->>'orderId' and k.id = any(string_to_array(m.refs->>'keyIds', ','))))
    or event = 'delay' and state = 'queued'`,
  "a refund is not finished": `
    select r.id, r.state from refunds r where r.state not in ('succeeded', 'cancelled', 'settled') and not exists (select 1 from refunds a
      where r.state = 'failed' and a.order_id = r.order_id and a.order_line_id is not distinct from r.order_line_id
        and a.reason = r.reason and a.intent_id is not distinct from r.intent_id and a.part = r.part
        and a.state in ('succeeded', 'cancelled', 'settled'))`,
  "a webhook event is not processed": `select id, type from webhook_events where processed_at is null`,
  "a due job remains": `select task_identifier, last_error from graphile_worker.jobs where run_at <= now()`,
};
