import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import type { AccountView } from "@/lib/accounts/contract";
import { getAccount } from "@/lib/accounts/get-account";
import { requireReauthentication } from "@/lib/accounts/reauthentication/require-reauthentication";
import type { UserViewer } from "@/lib/platform/auth/session";
import { instant } from "@/lib/platform/instant";
import type { AccountExport } from "./contract";

/**
 * All stored data about the viewer, from one snapshot (docs/reliability.md#privacy): no hashes, codes masked.
 * @throws ShopError reauthentication_required
 */
export async function exportAccount(viewer: UserViewer): Promise<AccountExport> {
  await requireReauthentication(viewer);
  const account = await getAccount(viewer);
  const rows: AccountExport = await transaction(
    async (tx) => ({
      ...(await exportProfile(tx, viewer, account)),
      ...(await exportPurchases(tx, viewer)),
      ...(await exportActivity(tx, viewer)),
    }),
    { mode: "isolation level repeatable read read only" },
  );
  const withInstants = (name: string, value: unknown) =>
    name.endsWith("_at") && typeof value === "string" ? instant(value) : value;
  return JSON.parse(JSON.stringify(rows), withInstants);
}

type Row<K extends keyof AccountExport> = AccountExport[K] extends (infer Item)[] ? Item : never;
type User = Omit<AccountExport["account"], keyof AccountView | "proven_emails">;
type VerifiedEmail = AccountExport["account"]["proven_emails"][number];

async function exportProfile(tx: Tx, { userId, sessionId }: UserViewer, account: AccountView) {
  const [user] = await tx.execute<User & { exported_at: string }>(sql`
    select shop_now() as exported_at, age_group, privacy_accepted_at, email_verified_at, created_at, signup_source, country,
      password_hash is not null as has_password
    from users where id = ${userId}`);
  const { exported_at, ...columns } = user!;
  const proven_emails = await tx.execute<VerifiedEmail>(sql`
    select email, created_at as proved_at from verified_emails where user_id = ${userId} order by created_at`);
  return {
    exported_at,
    account: { ...account, ...columns, proven_emails },
    sessions: await tx.execute<Row<"sessions">>(sql`
      select id as session_id, device, id = ${sessionId} as current, time_zone, created_at, seen_at,
        coalesce(revoked_at, case when expires_at < shop_now() then expires_at end) as ended_at
      from sessions where user_id = ${userId} order by created_at`),
    merchants: await tx.execute<Row<"merchants">>(sql`
      select m.name as merchant, mm.role, mm.created_at, mm.ended_at
      from merchant_members mm join merchants m on m.id = mm.merchant_id where mm.user_id = ${userId} order by mm.created_at`),
    identities: await tx.execute<Row<"identities">>(sql`
      select provider, subject, email, created_at from user_identities where user_id = ${userId} order by provider`),
    addresses: await tx.execute<Row<"addresses">>(sql`
      select id as address_id, full_name, line1, line2, city, region, postal_code, country, is_default, created_at
      from billing_addresses where user_id = ${userId} order by created_at`),
    cart: await tx.execute<Row<"cart">>(sql`
      select product_id, plan_id as vip_id, quantity, source, created_at
      from cart_lines where user_id = ${userId} order by created_at`),
  };
}

const usdSql = (column: string) => sql.raw(`round(${column} / 100.0, 2)::float8`);

const PRODUCTS = sql`
  select coalesce(jsonb_agg(jsonb_build_object('product_id', l.product_id, 'vip_id', l.plan_id,
    'product_name', t.name, 'pass_type', l.pass_type, 'quantity', l.quantity, 'unit_price', ${usdSql("l.unit_price_cents")},
    'total', ${usdSql("l.total_cents")}, 'state', l.state, 'cart_at', l.cart_at, 'cart_source', l.cart_source,
    'immediate_delivery', l.immediate_delivery,
    'immediate_consent_at', l.immediate_consent_at, 'consent', l.consent, 'codes', (
      select coalesce(jsonb_agg(jsonb_build_object('code', '••••', 'assigned_at', k.assigned_at,
        'first_revealed_at', k.first_revealed_at, 'consent', k.consent) order by k.slot), '[]')
      from keys k where k.order_line_id = l.id and k.state <> 'reserved'
        and not exists (select from gifts g where g.order_id = o.id and g.state <> 'returned'))) order by l.position), '[]')
  from order_lines l join product_texts t on t.product_id = l.product_id and t.locale = 'en'
  where l.order_id = o.id`;

const GIFT = sql`
  select jsonb_build_object('state', g.state, 'recipient_email', g.recipient_email, 'deliver_on', g.deliver_on,
    'time_zone', g.time_zone, 'message', g.message, 'from_name', g.from_name, 'sent_at', g.sent_at, 'claimed_at', g.claimed_at,
    'returned_at', g.returned_at)
  from gifts g where g.order_id = o.id`;

const PAYMENTS = sql`
  select coalesce(jsonb_agg(jsonb_build_object('amount', ${usdSql("p.amount_cents")}, 'state', p.state,
    'receipt_email', p.receipt_email, 'card_fingerprint', p.card_fingerprint, 'created_at', p.created_at)
    order by p.created_at), '[]')
  from payments p where p.order_id = o.id`;

const REFUNDS = sql`
  select coalesce(jsonb_agg(jsonb_build_object('amount', ${usdSql("r.amount_cents")}, 'reason', r.reason,
    'state', r.state, 'created_at', r.created_at) order by r.created_at), '[]')
  from refunds r where r.order_id = o.id`;

const TAX = sql`
  select jsonb_build_object('billing_country', t.billing_country, 'card_country', t.card_country, 'network_country', t.network_country,
    'answer', t.answer, 'answered_at', t.answered_at, 'country', t.country, 'treatment', t.treatment,
    'percent', round(t.bps / 100.0, 2)::float8, 'decided_at', t.decided_at, 'company', t.company, 'company_address', t.company_address,
    'vat_id', t.vat_id, 'vat_check', t.vat_check, 'vat_checked_at', t.vat_checked_at, 'vat_reference', t.vat_reference)
  from order_taxes t where t.order_id = o.id`;

const TAX_DOCUMENTS = sql`
  select coalesce(jsonb_agg(jsonb_build_object('number', d.content->>'number', 'kind', d.kind, 'issued_at', d.created_at,
    'total', ${usdSql("d.gross_cents")}, 'tax', ${usdSql("d.tax_cents")}) order by d.created_at, d.id), '[]')
  from tax_documents d where d.order_id = o.id`;

async function exportPurchases(tx: Tx, { userId, email, emailVerified }: UserViewer) {
  const address = emailVerified ? email.toLowerCase() : null;
  return {
    orders: await tx.execute<Row<"orders">>(sql`
      select o.id as order_id, o.order_number, o.status, o.country, o.time_zone, o.attribution, o.send_email, ${usdSql("o.subtotal_cents")} as subtotal,
        ${usdSql("o.discount_cents")} as discount, ${usdSql("o.total_cents")} as total, o.created_at, o.paid_at,
        o.shipped_at, o.cancelled_at, (${PRODUCTS}) as order_products, (${GIFT}) as gift, (${PAYMENTS}) as payments, (${REFUNDS}) as refunds,
        (${TAX}) as tax, (${TAX_DOCUMENTS}) as tax_documents
      from orders o where o.user_id = ${userId} order by o.created_at`),
    gifts_claimed: await tx.execute<Row<"gifts_claimed">>(sql`
      select g.message, g.claimed_at, (
        select coalesce(jsonb_agg(jsonb_build_object('product_id', l.product_id, 'product_name', t.name, 'pass_type', l.pass_type,
          'code', '••••', 'first_revealed_at', k.first_revealed_at, 'activated_at', k.activated_at, 'consent', k.consent)
          order by l.position, k.slot), '[]')
        from order_lines l join keys k on k.order_line_id = l.id and k.state <> 'reserved'
        join product_texts t on t.product_id = l.product_id and t.locale = 'en' where l.order_id = g.order_id) as passes
      from gifts g where g.claimed_by = ${userId} order by g.claimed_at`),
    refund_requests: await tx.execute<Row<"refund_requests">>(sql`
      select l.order_id, ${usdSql("q.amount_cents")} as amount, q.state, q.stated_country, q.created_at, q.decided_at
      from refund_requests q join order_lines l on l.id = q.order_line_id
      where q.user_id = ${userId} order by q.created_at`),
    withdrawal_declarations: await tx.execute<Row<"withdrawal_declarations">>(sql`
      select order_ref, email, words, times, declared_at, last_at, proved_at, closed_at from withdrawal_declarations d
      where d.order_id in (select id from orders where user_id = ${userId}) or d.email = ${address} order by d.declared_at, d.id`),
    reviews: await tx.execute<Row<"reviews">>(sql`
      select product_id, order_id, rating, title, content, state, created_at
      from reviews where user_id = ${userId} order by created_at`),
    coupons: await tx.execute<Row<"coupons">>(sql`
      select code, campaign_id as campaign, ${usdSql("amount_cents")} as amount, percent, state, order_id, created_at,
        expires_at
      from coupons where user_id = ${userId} order by created_at`),
    referrals: await tx.execute<Row<"referrals">>(sql`
      select state, case when inviter_id = ${userId} then 'inviter' else 'friend' end as role, created_at, decided_at
      from referrals where ${userId} in (inviter_id, friend_id) order by created_at`),
  };
}

/** Data stored under an address belongs to the account that verified it. */
async function exportActivity(tx: Tx, { userId, email, emailVerified }: UserViewer) {
  const address = emailVerified ? email.toLowerCase() : null;
  return {
    wait_list: await tx.execute<Row<"wait_list">>(sql`
      select plan_id as vip_id, email, coalesce(outcome, 'waiting') as state, created_at from wait_list where user_id = ${userId} order by id`),
    wishlist: await tx.execute<Row<"wishlist">>(sql`
      select product_id, seen_prices, seen_in_stock, created_at, mailed_at
      from wishes where user_id = ${userId} order by created_at, product_id`),
    subscriptions: await tx.execute<Row<"subscriptions">>(sql`
      select topic, state, created_at, confirmed_at, ended_at
      from subscriptions where email = ${address} order by topic`),
    unsubscribed: await tx.execute<Row<"unsubscribed">>(sql`
      select topic, created_at from mail_optouts where email = ${address} order by topic`),
    searches: await tx.execute<Row<"searches">>(sql`
      select content, locale, created_at from searches where user_id = ${userId} order by id`),
    sources: await tx.execute<Row<"sources">>(sql`
      select event_type, source, campaign, medium, content, landing_page, referrer, order_id, created_at
      from source_events where user_id = ${userId} order by id`),
    activity: await tx.execute<Row<"activity">>(sql`
      select action, subject, created_at from audit_entries where actor = ${userId} order by id`),
    applications: await tx.execute<Row<"applications">>(sql`
      select product_url, phone_num, state, created_at from merchant_applications where email collate "C" = ${address} order by id`),
    conversations: await tx.execute<Row<"conversations">>(sql`
      select coalesce(c.email, ${address}) as email, c.order_number, c.state, c.created_at, c.closed_at, (
        select coalesce(jsonb_agg(jsonb_build_object('author', m.author, 'text', m.text, 'created_at', m.created_at)
          order by m.created_at, m.id), '[]') from conversation_messages m where m.conversation_id = c.id) as messages
      from conversations c where c.user_id = ${userId} or c.email = ${address} order by c.created_at, c.id`),
    reports: await tx.execute<Row<"reports">>(sql`
      select kind, target_name as target, reason, text, outcome, statement, created_at, decided_at
      from content_reports where email = ${address} order by created_at, id`),
    mails: await tx.execute<Row<"mails">>(sql`
      select event, to_address as "to", state, created_at, sent_at
      from mails where lower(to_address) collate "C" = ${address} order by created_at`),
  };
}
