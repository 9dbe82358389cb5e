import postgres from "postgres";
import { type ShopCounts, shopCounts } from "./consoles-rows";
import { generateShop } from "./generate-shop";

/** Rows for each order, as a shop has that sold them within three years. */
const countsOf = (orders: number): ShopCounts => ({
  ...shopCounts(orders / 1_000_000),
  products: 3_000,
  users: Math.round(orders / 3),
  keys: Math.round(orders * 1.6),
});

/** The ids of the account that is exported and deleted: the buyer of most orders has the lowest number. */
export const BUYER = "usr_000000011";

/**
 * Fills an empty, migrated database with that many orders and everything that belongs to them, by one statement a table. What
 * is deleted after a while has the rows of that time; the rest has those of three years.
 */
export async function fillHistory(url: string, orders: number): Promise<void> {
  await generateShop({ url, counts: countsOf(orders), say: () => {} });
  const sql = postgres(url, {
    max: 1,
    onnotice: () => {},
    // The rows are consistent, so foreign keys and triggers are skipped.
    connection: {
      session_replication_role: "replica",
      synchronous_commit: "off",
      work_mem: "256MB",
      jit: "off",
    },
  });
  try {
    for (const statement of moreRows(orders)) await sql.unsafe(statement);
    await sql.unsafe("vacuum (analyze)");
  } finally {
    await sql.end();
  }
}

const usr = (number: string) => `'usr_' || lpad((${number})::text, 9, '0')`;

/** Adds the data that lab/bench/consoles-rows.ts leaves out, because no console list shows it. */
const moreRows = (orders: number): string[] => {
  const users = Math.round(orders / 3);
  return [
    // Nothing waits for the provider, which knows no generated payment.
    "update refunds set state = 'succeeded' where state in ('pending', 'submitted')",
    "delete from payments where state not in ('succeeded', 'canceled')",
    "update orders set status = 'cancelled', cancelled_at = created_at, released_at = created_at where status in ('pending', 'processingPayment')",
    // The account that is deleted has nothing open, and owns no merchant.
    `delete from merchant_members where user_id = '${BUYER}'`,
    `update orders set status = 'completed' where user_id = '${BUYER}' and status in ('paid', 'processing')`,
    `update refund_requests set state = 'refused', decided_at = created_at, decided_by = 'rule' where user_id = '${BUYER}' and state = 'asked'`,
    `insert into custody_seals (event_id, key_id, position, hash, created_at)
      select id, key_id, row_number() over (partition by key_id order by id), md5(id::text), created_at from key_events`,
    `insert into visits (path, locale, device_type, created_at)
      select '/product/p-' || n % 2000, 'en', 'desktop', now() - n * interval '89 days' / (${orders} * 2) from generate_series(1, ${orders} * 2) n`,
    `insert into searches (user_id, content, locale, device_type, created_at)
      select case when n % 3 = 0 then ${usr(`1 + n % ${users}`)} end, 'word ' || n % 3000, 'en', 'computer', now() - n * interval '89 days' / ${orders}
      from generate_series(1, ${orders}) n`,
    `insert into source_events (event_type, source, user_id, visitor, created_at)
      select 'visit', 'search', case when n % 3 = 0 then ${usr(`1 + n % ${users}`)} end, md5(n::text), now() - n * interval '89 days' / ${orders}
      from generate_series(1, ${orders}) n`,
    `insert into webhook_events (id, type, object_id, livemode, payload, created_at, processed_at)
      select 'evt_' || n, 'payment_intent.succeeded', 'pi_' || n, false, '{}', at, at from (
        select n, now() - n * interval '89 days' / ${orders} as at from generate_series(1, ${orders}) n) e`,
    `insert into sessions (id, user_id, refresh_hash, device, created_at, seen_at, expires_at, revoked_at, reauthenticated_at)
      select 'ses_' || n, ${usr(`1 + n % ${users}`)}, md5(n::text), 'Firefox', at, at, at + interval '30 days', case when n % 4 = 0 then at + interval '1 day' end, at
      from (select n, now() - n * interval '110 days' / ${orders} as at from generate_series(1, ${orders}) n) s`,
    `insert into verification_codes (id, email, purpose, user_id, code_hash, created_at, expires_at)
      select 'vc_' || n, 'a' || n || '@example.com', 'register', ${usr(`1 + n % ${users}`)}, 'h', at, at + interval '10 minutes'
      from (select n, now() - n * interval '47 hours' / (${orders} / 30) as at from generate_series(1, ${orders} / 30) n) c`,
    `insert into idempotency_keys (owner, key, request_hash, http_status, body, created_at, locked_until)
      select ${usr(`1 + n % ${users}`)}, 'k' || n, 'h', 200, '{}', at, at from (
        select n, now() - n * interval '23 hours' / (${orders} / 30) as at from generate_series(1, ${orders} / 30) n) k`,
    `insert into order_holds (order_id, email_identity, email_verified, further, created_at)
      select id, md5(user_id), true, false, created_at from orders where created_at > now() - interval '24 hours'`,
    `insert into gifts (id, order_id, state, recipient_email, deliver_on, time_zone, send_at, locale, serial, token_hash, sent_at, claim_until, claimed_by, claimed_at, created_at)
      select 'gft_' || substr(id, 5), id, 'claimed', 'friend' || id || '@example.com', created_at::date, 'UTC', created_at, 'en', 1, md5(id), created_at,
        created_at + interval '90 days', ${usr("1 + substr(id, 5)::bigint % 1000")}, created_at + interval '1 day', created_at
      from orders where status = 'completed' and substr(id, 5)::bigint % 20 = 0`,
    `insert into coupons (id, code, campaign_id, user_id, percent, minimum_cents, state, issue_key, created_at, expires_at)
      select 'cpx_' || n, 'X' || n, 'bench-' || 1 + n % 300, ${usr(`1 + n % ${users}`)}, 5, 0, 'open', 'bench-open:' || n, at, at + interval '30 days'
      from (select n, now() - n * interval '3 years' / ${orders} as at from generate_series(1, ${orders}) n) c`,
    `insert into invite_clicks (id, inviter_id, visitor, day, created_at)
      select 'clk_' || n, ${usr(`1 + n % 1000`)}, md5(n::text), at::date, at
      from (select n, now() - n * interval '89 days' / ${orders} as at from generate_series(1, ${orders}) n) c`,
    `insert into wait_list (id, user_id, plan_id, email, locale, outcome, created_at, ended_at)
      select 'wlh_' || n, ${usr(`1 + n % ${users}`)}, (select min(id) from plans) + n % 2000, 'w' || n || '@example.com', 'en', 'notified', at, at + interval '2 days'
      from (select n, now() - n * interval '3 years' / (${orders} / 3) as at from generate_series(1, ${orders} / 3) n) w`,
    `insert into wishes (user_id, product_id, created_at)
      select ${usr("100 + n")}, (select min(id) from products) + n % 1000, now() from generate_series(1, 2000) n`,
    `insert into mails (id, event, to_address, locale, refs, dedupe_key, state, created_at, sent_at)
      select 'mail_w' || n, case when n % 5 = 0 then 'account-notice' else 'welcome' end, u.email, 'en', jsonb_build_object('userId', u.id), 'w:' || n, 'sent', u.created_at, u.created_at
      from (select *, row_number() over (order by id) as n from users) u`,
  ];
};
