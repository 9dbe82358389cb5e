import { REFERRAL_REASONS } from "@/lib/referrals/rules";
import { IMPORT_KINDS, IMPORT_STATES } from "@/lib/staff/imports/rules";

/** How many rows of a kind a shop has at size 1. */
export const FULL = {
  orders: 1_000_000,
  products: 1_000_000,
  keys: 10_000_000,
  users: 500_000,
  audit: 1_000_000,
};
export type ShopCounts = typeof FULL;

export const shopCounts = (size: number): ShopCounts =>
  Object.fromEntries(
    Object.entries(FULL).map(([name, count]) => [name, Math.round(count * size)]),
  ) as ShopCounts;

/** The rows of a table, written by one statement from numbers, so that a size always gives the same shop. */
export type RowStep = { table: string; statement: string };

/**
 * Functions of the statements below. `r`: a number that looks random, from a row's number and a second one. `u`: the same
 * between 0 and 1. `word`: a word of three syllables. `plan_of`: the plan of an order's line, the first ones far more often.
 */
export const rowFunctions = (plans: number, firstPlan: number) => `
  create schema bench;
  create function bench.r(n bigint, k bigint) returns bigint language sql immutable as
    'select hashint8extended(n, k) & 9223372036854775807';
  create function bench.u(n bigint, k bigint) returns float8 language sql immutable as
    'select (hashint8extended(n, k) & 2147483647) / 2147483648.0::float8';
  create function bench.word(x bigint) returns text language sql immutable as $$
    select substr(s, 1 + 2 * (x % 40)::int, 2) || substr(s, 1 + 2 * (x / 40 % 40)::int, 2) || substr(s, 1 + 2 * (x / 1600 % 40)::int, 2)
    from (select 'bacedifogujakelimonuparesitovuwaxeyizobucadefigohu'::text || 'jikolamenipuqarosetivo' || 'zuba' || 'dolo') t(s) $$;
  create function bench.plan_of(n bigint, line bigint) returns int language sql immutable as
    'select (${firstPlan} + floor(${plans} * bench.u(n, 100 + line) ^ 4))::int';`;

/** A shop without sales: categories, products with texts and plans, people. The plans are numbered after this. */
export const catalogSteps = ({ products, users }: ShopCounts): RowStep[] => [
  {
    table: "categories",
    statement: `insert into categories (slug, sort_num, hue, names, import_hash)
      select 'bench-' || n, n, n * 9, jsonb_build_object('en', 'Field ' || n, 'zh', '类别' || n, 'ja', '分野' || n), 'bench'
      from generate_series(0, 39) n`,
  },
  {
    table: "users",
    statement: `insert into users (id, email, username, locale, role, email_verified_at, invite_code, created_at, deleted_at)
      select 'usr_' || lpad(n::text, 9, '0'),
        case when n % 200 = 0 then 'deleted-' || n || '@erased.invalid' else name || '.' || n || '@example.com' end,
        initcap(name), (array['en', 'zh', 'ja'])[1 + n % 3], case when n <= 6 then 'staff' else 'user' end,
        case when n % 9 <> 0 then at end, 'bench' || n, at, case when n % 200 = 0 then now() - interval '1 day' end
      from (select n, bench.word(bench.r(n, 1)) || '.' || bench.word(bench.r(n, 2)) as name,
          now() - (${users} - n) * interval '3 years' / ${users} as at from generate_series(1, ${users}) n) u`,
  },
  {
    table: "merchants",
    statement: `insert into merchants (id, handle, name, created_at)
      select 'mch_' || v, 'bench-' || v, initcap(bench.word(v)) || ' ' || initcap(bench.word(v * 31)) || ' Works', now() - v * interval '1 hour'
      from generate_series(0, greatest(10, ${products} / 50)) v`,
  },
  {
    table: "merchant_members",
    statement: `insert into merchant_members (id, merchant_id, user_id, role, created_at)
      select 'mem_' || m.id, m.id, u.id, 'owner', m.created_at
      from (select id, created_at, row_number() over (order by id) as n from merchants) m
      join (select id, row_number() over (order by id) as n from users where deleted_at is null) u on u.n = m.n
      where m.n % 10 <> 0`,
  },
  {
    table: "products",
    statement: `insert into products (merchant_id, slug, vendor, category, image, sort_num, activation, published, import_hash, created_at, updated_at)
      select 'mch_' || v, bench.word(bench.r(n, 3)) || '-' || bench.word(bench.r(n, 4) % 3000) || '-' || n,
        initcap(bench.word(v)) || ' ' || initcap(bench.word(v * 31)) || ' Works', 'bench-' || floor(40 * bench.u(n, 5) ^ 2), 'placeholder',
        floor(1000000 * bench.u(n, 6) ^ 6), '{"url":null,"steps":{}}', n % 50 <> 0, 'bench', at, at
      from (select n, floor(greatest(10, ${products} / 50) * bench.u(n, 7) ^ 3)::bigint as v,
          now() - (${products} - n) * interval '4 years' / ${products} as at from generate_series(1, ${products}) n) p`,
  },
  {
    table: "product_texts",
    statement: `insert into product_texts (product_id, locale, name, tagline, description, includes)
      select p.id, l.locale, case l.locale when 'en' then initcap(bench.word(bench.r(p.id, 3)) || ' ' || bench.word(bench.r(p.id, 4) % 3000))
          when 'zh' then '通行' || p.id else 'パス' || p.id end, repeat(bench.word(bench.r(p.id, 8)) || ' ', 6),
        repeat(bench.word(bench.r(p.id, 9)) || ' ' || bench.word(bench.r(p.id, 10)) || ' ', 15), '[]'
      from products p cross join (values ('en', 0), ('zh', 40), ('ja', 45)) l(locale, missing)
      where bench.r(p.id, 11 + missing) % 100 >= missing`,
  },
  {
    table: "plans",
    statement: `insert into plans (product_id, type, duration_days, price_cents, availability, region, position)
      select p.id, t.type, t.days, greatest(50, floor(90 * exp(bench.u(p.id, 12) * 4) * t.factor / 10)::int * 10 - 1), 'in_stock',
        '["worldwide"]', t.i
      from products p cross join (values (0, 'day', 1, 1), (1, 'week', 7, 3), (2, 'month', 30, 8), (3, 'year', 365, 60),
        (4, 'lifetime', null, 150)) t(i, type, days, factor)
      where p.id % 5 = t.i or bench.r(p.id, 20 + t.i) % 100 < 30`,
  },
  {
    table: "campaigns",
    statement: `insert into campaigns (id, kind, title, code, percent, monthly_budget_cents, enabled, created_at)
      select 'bench-' || n, 'promotion', '{"en":"Bench","zh":"Bench","ja":"Bench"}', 'BENCH' || n, 5, 100000, n % 3 <> 0, now() - n * interval '1 day'
      from generate_series(1, 300) n`,
  },
];

const PAID = "('paid', 'processing', 'shipped', 'completed', 'refunded')";
/** Most orders are completed; the newest thousandth is not finished. */
const STATUS = (orders: number) => `case
  when n > ${orders} * 0.999 then (array['pending', 'pending', 'processingPayment', 'paid', 'processing', 'completed'])[1 + bench.r(n, 30) % 6]
  when bench.r(n, 31) % 1000 < 50 then 'cancelled' when bench.r(n, 31) % 1000 < 75 then 'refunded'
  when bench.r(n, 31) % 1000 < 77 and n > ${orders} * 0.98 then 'processing' when bench.r(n, 31) % 1000 < 80 then 'shipped' else 'completed' end`;
const COUPON_EVERY = 20;
const orderOf = (number: string) => `'ord_' || lpad(${number}::text, 9, '0')`;
const numberOf = (column: string) => `substr(${column}, 5)::bigint`;

/** Orders with everything that belongs to them. */
export const saleSteps = ({ orders, users, keys, audit }: ShopCounts, plans: number): RowStep[] => [
  {
    table: "orders",
    statement: `insert into orders (id, order_number, user_id, status, send_email, locale, country, subtotal_cents, discount_cents, total_cents,
        coupon_id, transaction_id, attribution, created_at, hold_ends_at, released_at, paid_at, shipped_at, cancelled_at)
      select ${orderOf("n")}, 'PL-' || to_char(at, 'YYMM') || '-' || lpad(n::text, 7, '0'), 'usr_' || lpad(buyer::text, 9, '0'), status,
        case when n % 20 = 1 then 'team.' || bench.word(bench.r(n, 32)) || '@company.example' else
          bench.word(bench.r(buyer, 1)) || '.' || bench.word(bench.r(buyer, 2)) || '.' || buyer || '@example.com' end,
        'en', 'DE', cents, discount, cents - discount, case when discount > 0 then 'cpn_' || lpad(n::text, 9, '0') end,
        case when status in ${PAID} then 'pi_' || lpad(n::text, 12, '0') end,
        case when n % 3 = 0 then jsonb_build_object('source', case when n % 9000 = 0 then 'rare' else (array['search', 'newsletter', 'friend'])[1 + n / 3 % 3] end) end,
        at, at + interval '30 minutes', case when status = 'cancelled' then at + interval '31 minutes' end,
        case when status in ${PAID} then at + interval '40 seconds' end,
        case when status in ('shipped', 'completed', 'refunded') then at + interval '55 seconds' end,
        case when status = 'cancelled' then at + interval '31 minutes' end
      from (select n, at, buyer, status, cents, case when n % ${COUPON_EVERY} = 0 and cents > 100 then cents / 20 else 0 end as discount
        from (select n, now() - (${orders} - n) * interval '3 years' / ${orders} as at, ${STATUS(orders)} as status,
            1 + floor(${users} * bench.u(n, 33) ^ 2)::bigint as buyer,
            a.price_cents * (1 + (n % 10 = 7)::int) + coalesce(b.price_cents, 0) as cents
          from generate_series(1, ${orders}) n join plans a on a.id = bench.plan_of(n, 1)
          left join plans b on n % 10 < 3 and b.id = bench.plan_of(n, 2) order by n) o) o`,
  },
  ...[1, 2].map((line) => ({
    table: "order_lines",
    statement: `insert into order_lines (id, order_id, product_id, plan_id, position, quantity, unit_price_cents, discount_cents, total_cents,
        refunded_quantity, refunded_cents, pass_type, duration_days, refund_rule, state, immediate_delivery, deliver_by)
      select 'line_' || substr(o.id, 5) || '_${line}', o.id, p.product_id, p.id, ${line}, q, p.price_cents, d, p.price_cents * q - d,
        case when o.status = 'refunded' then q else 0 end, case when o.status = 'refunded' then p.price_cents * q - d else 0 end,
        p.type, p.duration_days, '{"days":15,"refundable":true,"reason":"refundable"}',
        case o.status when 'completed' then 'assigned' when 'shipped' then 'assigned' when 'refunded' then 'refunded'
          when 'cancelled' then 'released' when 'processing' then 'waiting' else 'reserved' end, true,
        case when o.status = 'processing' then o.created_at + case when o.n % 9 = 0 then interval '2 days' else interval '60 days' end end
      from (select id, status, created_at, ${numberOf("id")} as n, discount_cents from orders) o
      join plans p on p.id = bench.plan_of(o.n, ${line})
      cross join lateral (select ${line === 1 ? "1 + (o.n % 10 = 7)::int as q, least(o.discount_cents, p.price_cents) as d" : "1 as q, 0 as d"}) x
      where ${line === 1 ? "true" : "o.n % 10 < 3"} order by o.n`,
  })),
  {
    table: "coupons",
    statement: `insert into coupons (id, code, campaign_id, user_id, percent, minimum_cents, state, order_id, issue_key, created_at, used_at)
      select coupon_id, 'C' || substr(coupon_id, 5), 'bench-' || 1 + ${numberOf("id")} / ${COUPON_EVERY} % 300, user_id, 5, 0, 'used', id,
        'bench:' || id, created_at, paid_at from orders where coupon_id is not null`,
  },
  {
    table: "payments",
    statement: `insert into payments (id, order_id, intent_id, state, amount_cents, currency, receipt_email, method, created_at, updated_at)
      select 'pay_' || substr(id, 5), id, 'pi_' || lpad(${numberOf("id")}::text, 12, '0'),
        case when status in ${PAID} then 'succeeded' when status = 'cancelled' then 'canceled' else 'requires_payment_method' end,
        total_cents, 'usd', send_email, case when status in ${PAID} then (array['card', 'link', 'apple_pay'])[1 + ${numberOf("id")} % 3] end,
        created_at, created_at from orders order by id`,
  },
  {
    table: "refunds",
    statement: `insert into refunds (id, order_id, order_line_id, amount_cents, reason, state, provider_id, created_at, updated_at)
      select 'rfd_' || substr(l.id, 6), o.id, l.id, greatest(1, l.total_cents), 'requested',
        case when n > ${orders} * 0.995 then (array['pending', 'submitted', 'failed'])[1 + n % 3] when n % 40 = 0 then 'failed' else 'succeeded' end,
        're_' || l.id, o.paid_at + interval '2 days', o.paid_at + interval '2 days'
      from (select id, paid_at, ${numberOf("id")} as n from orders where status = 'refunded') o join order_lines l on l.order_id = o.id order by o.n`,
  },
  {
    table: "refund_requests",
    statement: `insert into refund_requests (id, order_line_id, user_id, amount_cents, state, answer_by, created_at, decided_at, decided_by)
      select 'rr_' || substr(l.id, 6), l.id, o.user_id, greatest(1, l.total_cents), s.state, o.created_at + interval '5 days',
        o.created_at + interval '3 days', case when s.state <> 'asked' then o.created_at + interval '4 days' end,
        case when s.state <> 'asked' then (array['rule', 'vendor', 'staff:bench'])[1 + o.n % 3] end
      from (select id, user_id, status, created_at, ${numberOf("id")} as n from orders where status in ('completed', 'refunded')) o
      join order_lines l on l.order_id = o.id
      cross join lateral (select case when o.status = 'refunded' then 'approved' when o.n > ${orders} * 0.97 then 'asked' else 'refused' end as state) s
      where o.status = 'refunded' or o.n % 50 = 0 order by o.n`,
  },
  {
    table: "disputes",
    statement: `insert into disputes (id, order_id, intent_id, amount_cents, reason, status, is_open, created_at, closed_at, evidence_due_at)
      select 'dp_' || substr(id, 5), id, transaction_id, total_cents, (array['fraudulent', 'product_not_received', 'duplicate'])[1 + n % 3],
        case when n > ${orders} * 0.98 then (array['needs_response', 'under_review'])[1 + n / 200 % 2] else (array['won', 'lost'])[1 + n / 200 % 2] end,
        n > ${orders} * 0.98, created_at + interval '20 days', case when n <= ${orders} * 0.98 then created_at + interval '40 days' end,
        case when n % 400 = 3 then created_at + interval '34 days' end
      from (select *, ${numberOf("id")} as n from orders where status = 'completed') o where n % 200 = 3 order by n`,
  },
  {
    table: "ledger_entries",
    statement: `insert into ledger_entries (transfer_id, account, amount_cents, order_id, created_at)
      select 'payment:' || o.id, e.account, e.sign * o.total_cents, o.id, o.paid_at
      from (select id, total_cents, paid_at from orders where paid_at is not null order by id) o
      cross join (values ('provider_cash', 1), ('sales', -1)) e(account, sign)
      union all select 'refund:' || r.id, e.account, e.sign * r.amount_cents, r.order_id, r.created_at
      from refunds r cross join (values ('provider_cash', -1), ('refunds', 1)) e(account, sign) where r.state = 'succeeded'`,
  },
  {
    table: "order_events",
    statement: `insert into order_events (order_id, from_status, event, to_status, created_at)
      select o.id, e.from_status, e.event, e.to_status, o.created_at + e.after
      from (select id, status, created_at from orders order by id) o join (values
        (null, 'created', 'pending', interval '0', '{}'::text[]),
        ('pending', 'payment_verified', 'paid', interval '40 seconds', '{paid,processing,shipped,completed,refunded}'),
        ('paid', 'assigned', 'shipped', interval '55 seconds', '{shipped,completed,refunded}'),
        ('paid', 'stock_short', 'processing', interval '55 seconds', '{processing}'),
        ('shipped', 'delivered', 'completed', interval '60 seconds', '{completed}'),
        ('pending', 'expired', 'cancelled', interval '31 minutes', '{cancelled}'),
        ('shipped', 'refunded', 'refunded', interval '2 days', '{refunded}')) e(from_status, event, to_status, after, statuses)
        on e.statuses = '{}' or o.status = any(e.statuses)`,
  },
  {
    table: "keys",
    statement: `insert into keys (id, plan_id, state, sealed, vault_key_id, fingerprint, redeem_by, order_line_id, slot, redemption, created_at,
        reserved_at, assigned_at, mailed_at, first_revealed_at)
      select 'key_s' || substr(l.id, 6) || '_' || slot, l.plan_id,
        case l.state when 'reserved' then 'reserved' when 'refunded' then 'revoked' when 'assigned' then case when o.n % 500 = 1 then 'quarantined' else 'assigned' end end,
        decode(repeat('5a', 56), 'hex'), 'bench', encode(sha256(('s' || l.id || slot)::bytea), 'hex'), o.created_at + interval '1 year', l.id, slot,
        case when o.n % 3 = 0 then 'redeemed' else 'unknown' end, o.created_at - interval '10 days', o.created_at,
        o.shipped_at, o.shipped_at, case when o.n % 2 = 0 then o.shipped_at + interval '10 minutes' end
      from (select id, created_at, shipped_at, ${numberOf("id")} as n from orders) o join order_lines l on l.order_id = o.id
      cross join lateral generate_series(1, l.quantity) slot where l.state in ('reserved', 'refunded', 'assigned') order by o.n`,
  },
  {
    table: "keys",
    statement: `with hot as (select greatest(0, ${keys} - (select count(*) from keys)
          - (select sum(case when id % 7 = 0 then 0 else 1 + bench.r(id, 40) % 6 end) from plans)) / greatest(1, ${plans} / 2000) as extra)
      insert into keys (id, plan_id, sealed, vault_key_id, fingerprint, redeem_by, created_at)
      select 'key_t' || lpad(p.id::text, 9, '0') || '_' || n, p.id, decode(repeat('5a', 56), 'hex'), 'bench',
        encode(sha256(('t' || p.id || ':' || n)::bytea), 'hex'), case when p.id % 20 = 0 then now() + (p.id % 400) * interval '1 day' end,
        now() - (p.id % 300) * interval '1 day'
      from (select id, case when id % 7 = 0 then 0 else 1 + bench.r(id, 40) % 6 end + case when id % 2000 = 1 then (select extra from hot) + 1 else 0 end as count
        from plans order by id) p cross join lateral generate_series(1, p.count) n`,
  },
  {
    table: "key_events",
    statement: `insert into key_events (key_id, event, order_line_id, actor, created_at)
      select k.id, e.event, case when e.event <> 'imported' then k.order_line_id end, case e.event when 'imported' then 'import' else 'system' end, k.reserved_at + e.after
      from keys k join (values ('imported', interval '-10 days', false), ('reserved', interval '0', false), ('assigned', interval '55 seconds', true),
        ('mailed', interval '57 seconds', true), ('revealed', interval '10 minutes', true)) e(event, after, later)
        on not e.later or (k.assigned_at is not null and (e.event <> 'revealed' or k.first_revealed_at is not null))
      where k.order_line_id is not null order by k.id`,
  },
  {
    table: "replacement_requests",
    statement: `insert into replacement_requests (id, key_id, user_id, reason, state, new_key_id, created_at, decided_at, decided_by)
      select 'rep_' || substr(k.id, 6), k.id, 'usr_' || lpad((1 + bench.r(n, 41) % ${users})::text, 9, '0'), 'The vendor says that the code was used before.',
        s.state, case when s.state = 'approved' then k.id end, k.assigned_at + interval '1 day',
        case when s.state <> 'asked' then k.assigned_at + interval '2 days' end, case when s.state <> 'asked' then 'usr_000000002' end
      from (select *, row_number() over (order by id) as n from keys where assigned_at is not null) k
      cross join lateral (select case when n > ${orders} * 0.97 then 'asked' else (array['approved', 'refused'])[1 + n / 40 % 2] end as state) s
      where n % 40 = 7`,
  },
  {
    table: "mails",
    statement: `insert into mails (id, event, to_address, locale, order_number, refs, dedupe_key, state, attempts, last_error, failed_at, created_at, sent_at)
      select 'mail_' || substr(o.id, 5) || '_' || e.i, e.event, o.send_email, o.locale, o.order_number, jsonb_build_object('orderId', o.id),
        e.event || ':' || o.id, s.state, case when s.state = 'failed' then 12 else 0 end, case when s.state = 'failed' then 'Error: 550 no such mailbox' end,
        case when s.state = 'failed' then o.created_at + interval '16 hours' end, o.created_at + e.after, case when s.state = 'sent' then o.created_at + e.after + interval '2 seconds' end
      from (select *, ${numberOf("id")} as n from orders) o join (values (1, 'order-placed', interval '1 second', '{}'::text[]), (2, 'keys', interval '56 seconds', '{shipped,completed,refunded}'),
        (3, 'refund', interval '2 days', '{refunded}')) e(i, event, after, statuses) on e.statuses = '{}' or o.status = any(e.statuses)
      cross join lateral (select case when o.n > ${orders} * 0.9995 then 'queued' when bench.r(o.n, 42) % 500 = 0 then 'failed'
        when bench.r(o.n, 42) % 100 = 1 then 'dropped' else 'sent' end as state) s
      order by o.n`,
  },
  {
    table: "reviews",
    statement: `insert into reviews (id, product_id, order_id, user_id, rating, title, content, locale, state, created_at, hidden_at, hidden_reason)
      select 'rev_' || substr(o.id, 5), l.product_id, o.id, o.user_id, 1 + bench.r(o.n, 43) % 5, initcap(bench.word(bench.r(o.n, 44))), repeat('It does what it says. ', 5), 'en',
        case when o.n % 100 = 5 then 'hidden' else 'published' end, o.created_at + interval '9 days',
        case when o.n % 100 = 5 then o.created_at + interval '10 days' end, case when o.n % 100 = 5 then 'abuse' end
      from (select id, user_id, created_at, ${numberOf("id")} as n from orders where status = 'completed') o
      join order_lines l on l.order_id = o.id and l.position = 1 where o.n % 5 = 0 order by o.n`,
  },
  {
    table: "merchant_sales",
    statement: `insert into merchant_sales (line_id, merchant_id, order_id, product_id, plan_id, sold_at, buyer, units, refunded_units, gross_cents, discount_cents,
        funded_by, rule_id, commission_cents, net_cents, refunded_cents, commission_back_cents, net_back_cents, state, available_at)
      select l.id, p.merchant_id, o.id, l.product_id, l.plan_id, o.paid_at, 'buyer-' || substr(o.user_id, 5), l.quantity, l.refunded_quantity, g.gross, l.discount_cents,
        'shop', 'cmr_default', g.kept, g.gross - g.kept, l.refunded_cents, case when l.state = 'refunded' then g.kept else 0 end,
        case when l.state = 'refunded' then g.gross - g.kept else 0 end, case when l.state = 'refunded' then 'refunded' else 'sold' end, o.paid_at + interval '15 days'
      from orders o join order_lines l on l.order_id = o.id join products p on p.id = l.product_id
      cross join lateral (select l.unit_price_cents * l.quantity as gross, round(l.unit_price_cents * l.quantity * 0.15)::int as kept) g
      where o.paid_at is not null and l.state in ('assigned', 'refunded') order by o.id`,
  },
  {
    table: "review_replies",
    statement: `insert into review_replies (review_id, merchant_id, text, locale, state, written_by, created_at, decided_by, decided_at)
      select r.id, p.merchant_id, 'Thank you.', 'en', s.state, 'token:tok_bench', r.created_at + interval '1 day',
        case when s.state <> 'waiting' then 'usr_000000003' end, case when s.state <> 'waiting' then r.created_at + interval '2 days' end
      from (select *, row_number() over (order by id) as n from reviews) r join products p on p.id = r.product_id
      cross join lateral (select (array['shown', 'shown', 'refused', 'waiting'])[1 + r.n / 3 % 4] as state) s where r.n % 3 = 0`,
  },
  { table: "merchants of requests and reviews", statement: "select set_missing_merchants()" },
  {
    table: "merchant_applications",
    statement: `insert into merchant_applications (id, email, product_url, phone_num, locale, state, created_at, decided_at, decided_by, note)
      select 'app_' || lpad(n::text, 9, '0'), 'maker.' || bench.word(bench.r(n, 45)) || n || '@example.com', 'https://example.com/' || n, '+15550100', 'en', s.state,
        now() - (${orders} / 20 - n) * interval '3 years' / (${orders} / 20), case when s.state <> 'received' then now() end,
        case when s.state <> 'received' then 'usr_000000003' end, case when s.state = 'refused' then 'No' end
      from generate_series(1, ${orders} / 20) n
      cross join lateral (select case when n > ${orders} / 20 - ${orders} / 400 then 'received' else (array['approved', 'refused'])[1 + n % 2] end as state) s`,
  },
  {
    table: "referrals",
    statement: `insert into referrals (id, inviter_id, friend_id, email_identity, network, state, reason, created_at, decided_at)
      select 'ref_' || n, 'usr_' || lpad((1 + bench.r(n, 51) % 1000)::text, 9, '0'), 'usr_' || lpad((1000 + n)::text, 9, '0'), md5(n::text), md5('n' || n % 999),
        case when n % 9 = 0 then 'refused' else 'registered' end, case when n % 9 = 0 then '${REFERRAL_REASONS[0]}' end,
        now() - (${users} / 10 - n) * interval '3 years' / (${users} / 10), case when n % 9 = 0 then now() end
      from generate_series(1, ${users} / 10) n`,
  },
  {
    table: "announcements",
    statement: `insert into announcements (id, texts, starts_at, ends_at)
      select 'ann_' || n, '{"en":"Bench","zh":"Bench","ja":"Bench"}', now() - (n + 1) * interval '1 day', now() - n * interval '1 day' from generate_series(1, 300) n`,
  },
  {
    table: "import_runs",
    statement: `insert into import_runs (id, kind, sha256, name, state, lines, counts, report, started_by, created_at, ended_at)
      select 'imp_' || n, (array['${IMPORT_KINDS.join("', '")}'])[1 + n % ${IMPORT_KINDS.length}], encode(sha256(n::text::bytea), 'hex'), 'file-' || n || '.csv',
        '${IMPORT_STATES.find((state) => state !== "running")}', 500, '{"added":500,"changed":0,"unchanged":0,"refused":0}', '[]', 'usr_000000002', now() - n * interval '1 hour', now() - n * interval '1 hour'
      from generate_series(1, 10000) n`,
  },
  {
    table: "product_revisions",
    statement: `insert into product_revisions (product_id, revision, line, source, by, created_at)
      select p.id, 1, '{}', 'import', 'import', p.created_at from products p where p.id % 10 = 0 order by p.id`,
  },
  {
    table: "wait_list",
    statement: `insert into wait_list (id, user_id, plan_id, email, locale, created_at)
      select 'wl_' || n, 'usr_' || lpad((7 + n)::text, 9, '0'), p.id, 'waiting' || n || '@example.com', 'en', now() - n * interval '1 minute'
      from (select id, row_number() over (order by id) as n from plans where id % 77 = 0) p where n < ${users} - 10`,
  },
  {
    table: "posts",
    statement: `insert into posts (slug, author, category, related, published_at, updated_at, listed, import_hash)
      select 'bench-post-' || n, 'Bench', 'bench-' || n % 40, '[]', now() - n * interval '1 hour', now() - n * interval '1 hour', n % 10 <> 0, 'bench'
      from generate_series(1, 5000) n`,
  },
  {
    table: "post_texts",
    statement: `insert into post_texts (post_id, locale, title, description, body)
      select p.id, l, initcap(bench.word(bench.r(p.id, 46))) || ' ' || p.id, 'About passes', repeat('A paragraph about passes. ', 40)
      from posts p cross join unnest(array['en', 'zh', 'ja']) l where p.import_hash = 'bench'`,
  },
  {
    table: "staff_members",
    statement: `insert into staff_members (id, user_id, roles, granted_by)
      select 'stm_' || n, 'usr_' || lpad(n::text, 9, '0'), array[(array['support', 'catalogue', 'finance', 'admin', 'admin', 'support'])[n]], 'staff:bench'
      from generate_series(1, 6) n`,
  },
  {
    table: "audit_entries",
    statement: `insert into audit_entries (actor, action, subject, detail, created_at, xact)
      select case when n % 4 = 0 then 'system' else 'usr_00000000' || 1 + n % 6 end,
        (array['order.noted', 'refund.approved', 'key.found', 'mail.sent_again', 'product.changed', 'price.changed', 'approval.approved', 'session.ended'])[1 + bench.r(n, 47) % 8],
        case when n % 3 = 0 then 'usr_' || lpad((1 + bench.r(n, 48) % ${users})::text, 9, '0') else ${orderOf(`(1 + bench.r(n, 49) % ${orders})`)} end,
        '{"before":{"state":"asked"},"after":{"state":"approved"}}', now() - (${audit} - n) * interval '3 years' / ${audit}, '0'::xid8
      from generate_series(1, ${audit}) n`,
  },
  {
    table: "audit_seals",
    statement: `insert into audit_seals (entry_id, position, hash, created_at)
      select id, row_number() over (order by id), encode(sha256(id::text::bytea), 'hex'), created_at from audit_entries`,
  },
  {
    table: "notes",
    statement: `insert into notes (id, about, subject_id, text, written_by, created_at)
      select 'note_' || n, 'order', ${orderOf(`(1 + bench.r(n, 50) % ${orders})`)}, 'The customer wrote again.', 'usr_00000000' || 1 + n % 6, now() - n * interval '1 minute'
      from generate_series(1, ${orders} / 20) n`,
  },
  {
    table: "approvals",
    statement: `insert into approvals (id, kind, payload, subject, asked_by, roles, state, created_at, expires_at, decided_by, decided_at)
      select 'apr_' || n, 'export_persons', '{}', 'orders', 'usr_000000003', '{finance,admin}', s.state, at, at + interval '72 hours',
        case when s.state in ('approved', 'refused') then 'usr_000000004' end, case when s.state in ('approved', 'refused') then at + interval '1 hour' end
      from (select n, now() - n * interval '20 minutes' as at from generate_series(1, 20000) n) a
      cross join lateral (select case when n <= 200 then 'asked' when n % 50 = 0 then 'expired' else (array['approved', 'refused'])[1 + n % 2] end as state) s`,
  },
];

/** The figures that jobs keep (lib/orders/insight), from the same statements' sources. */
export const figureSteps: RowStep[] = [
  {
    table: "sales_daily",
    statement: `insert into sales_daily (day, orders, revenue_cents, refunded_cents, delivered, delivery_seconds)
      select (paid_at at time zone 'UTC')::date, count(*), sum(total_cents), sum(total_cents) / 40, count(*) filter (where shipped_at is not null), 15
      from orders where paid_at is not null group by 1`,
  },
  {
    table: "plan_sales_daily",
    statement: `insert into plan_sales_daily (plan_id, day, units)
      select l.plan_id, (o.paid_at at time zone 'UTC')::date, sum(l.quantity) from orders o join order_lines l on l.order_id = o.id
      where o.paid_at > now() - interval '91 days' group by 1, 2`,
  },
  {
    table: "product_views_daily",
    statement: `insert into product_views_daily (product_id, day, views)
      select v.product_id, d.day, sum(d.units) * 9 from plan_sales_daily d join plans v on v.id = d.plan_id group by 1, 2`,
  },
  {
    table: "plan_carts_daily",
    statement:
      "insert into plan_carts_daily (plan_id, day, carts) select plan_id, day, units * 2 from plan_sales_daily",
  },
  {
    table: "product_searches",
    statement: `insert into product_searches (product_id, merchant_id, content, searches, place)
      select id, merchant_id, 'search ' || id % 200, 3 + id % 90, 1 + id % 10 from products where id % 50 = 0`,
  },
  {
    table: "source_figures_daily",
    statement: `insert into source_figures_daily (day, kind, source, visits, product_views, carts, orders, paid)
      select (now() at time zone 'UTC')::date - d, kind, case kind when 'named' then 'source ' || n else '' end, 900 / n, 600 / n, 90 / n, 60 / n, 50 / n
      from generate_series(0, 89) d cross join lateral (
        select n, 'named' as kind from generate_series(1, 100) n union all select 1, unnest(array['all', 'none', 'other'])) s`,
  },
  {
    table: "source_figures",
    statement: `insert into source_figures (days, kind, source, visits, product_views, carts, orders, paid)
      select p.days, kind, case kind when 'named' then source || ' ' || m else '' end, sum(visits), sum(product_views), sum(carts), sum(orders), sum(paid)
      from unnest(array[7, 30, 90]) p(days) join source_figures_daily d on d.day > (now() at time zone 'UTC')::date - p.days
      cross join lateral generate_series(1, case kind when 'named' then 30 else 1 end) m group by 1, 2, 3`,
  },
  {
    table: "empty_searches",
    statement: `insert into empty_searches (content, locale, searches, last_at)
      select 'missing ' || n, (array['en', 'zh', 'ja'])[1 + n % 3], 3 + n % 90, now() - n * interval '30 minutes' from generate_series(1, 1000) n`,
  },
  {
    table: "stock_daily",
    statement: `insert into stock_daily (day, plan_id, opening, closing, lowest, ran_out)
      select day, plan_id, units + 5, 5, case when plan_id % 9 = 0 then 0 else 5 end, (plan_id % 9 = 0)::int from plan_sales_daily`,
  },
];

/** The sequences that go on after the generated rows. */
export const SEQUENCES = ({ orders }: ShopCounts) => `
  select setval('order_numbers', ${orders});
  insert into order_number_months (month, start) select to_char(now() at time zone 'UTC', 'YYMM'), 0 on conflict do nothing;`;
