import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { isoTimestampSql } from "@/lib/accounts/devices/queries";
import { getAccount } from "@/lib/accounts/queries";
import { requireReauthentication } from "@/lib/accounts/reauthentication/queries";
import type { UserViewer } from "@/lib/platform/auth/session";
import type { AccountExport } from "./contract";

/**
 * All stored data about the viewer, from one snapshot (docs/reliability.md#privacy): no hashes, codes masked.
 * @throws ShopError proof_required
 */
export async function exportAccount(viewer: UserViewer): Promise<AccountExport> {
  await requireReauthentication(viewer);
  const account = await getAccount(viewer);
  return transaction(
    async (tx) => ({
      ...(await exportProfile(tx, viewer, account)),
      ...(await exportPurchases(tx, viewer)),
      ...(await exportActivity(tx, viewer)),
    }),
    { mode: "isolation level repeatable read read only" },
  );
}

type Part<K extends keyof AccountExport> = Promise<Pick<AccountExport, K>>;
type Rows<K extends keyof AccountExport> = AccountExport[K] extends (infer Row)[] ? Row[] : never;

const usdSql = (column: string) => sql.raw(`round(${column} / 100.0, 2)::float8`);

/** The rows of one section, typed by the contract. */
async function rows<K extends keyof AccountExport>(tx: Tx, query: ReturnType<typeof sql>): Promise<Rows<K>> {
  return [...(await tx.execute(query))] as Rows<K>;
}

type ProfilePart = "exported_at" | "account" | "sessions" | "identities" | "addresses" | "cart";

async function exportProfile(
  tx: Tx,
  { userId, sessionId }: UserViewer,
  account: Awaited<ReturnType<typeof getAccount>>,
): Part<ProfilePart> {
  type UserColumns = Omit<AccountExport["account"], keyof typeof account | "proven_emails">;
  const [user] = await tx.execute<UserColumns & { now: string }>(sql`
    select ${isoTimestampSql("shop_now()")} as now, age_group, ${isoTimestampSql("privacy_accepted_at")} as privacy_accepted_at,
      ${isoTimestampSql("email_verified_at")} as email_verified_at, ${isoTimestampSql("created_at")} as created_at, signup_source,
      password_hash is not null as has_password
    from users where id = ${userId}`);
  const { now, ...userColumns } = user!;
  const verifiedEmails = await tx.execute<AccountExport["account"]["proven_emails"][number]>(sql`
    select email, ${isoTimestampSql("created_at")} as proved_at from verified_emails where user_id = ${userId} order by 2`);
  return {
    exported_at: now,
    account: { ...account, ...userColumns, proven_emails: [...verifiedEmails] },
    sessions: await rows<"sessions">(
      tx,
      sql`select id as session_id, device, id = ${sessionId} as current, ${isoTimestampSql("created_at")} as created_at,
          ${isoTimestampSql("seen_at")} as seen_at,
          ${isoTimestampSql("coalesce(revoked_at, case when expires_at < shop_now() then expires_at end)")} as ended_at
        from sessions where user_id = ${userId} order by sessions.created_at`,
    ),
    identities: await rows<"identities">(
      tx,
      sql`select provider, subject, email, ${isoTimestampSql("created_at")} as created_at
        from user_identities where user_id = ${userId} order by provider`,
    ),
    addresses: await rows<"addresses">(
      tx,
      sql`select id as address_id, full_name, line1, line2, city, region, postal_code, country, is_default,
          ${isoTimestampSql("created_at")} as created_at
        from billing_addresses where user_id = ${userId} order by billing_addresses.created_at`,
    ),
    cart: await rows<"cart">(
      tx,
      sql`select product_id, plan_id as vip_id, quantity, ${isoTimestampSql("created_at")} as created_at
        from cart_lines where user_id = ${userId} order by cart_lines.created_at`,
    ),
  };
}

const PRODUCTS = sql`
  select coalesce(jsonb_agg(jsonb_build_object('product_id', l.product_id, 'vip_id', l.plan_id,
    'product_name', t.name, 'vip_type', l.pass_type, 'quantity', l.quantity, 'unit_price', ${usdSql("l.unit_price_cents")},
    'total', ${usdSql("l.total_cents")}, 'state', l.state, 'codes', (
      select coalesce(jsonb_agg(jsonb_build_object('code', '••••', 'assigned_at', ${isoTimestampSql("k.assigned_at")},
        'first_revealed_at', ${isoTimestampSql("k.first_revealed_at")}) order by k.slot), '[]')
      from keys k where k.order_line_id = l.id and k.state <> 'reserved')) order by l.position), '[]')
  from order_lines l join product_texts t on t.product_id = l.product_id and t.locale = 'en'
  where l.order_id = o.id`;

const PAYMENTS = sql`
  select coalesce(jsonb_agg(jsonb_build_object('amount', ${usdSql("p.amount_cents")}, 'state', p.state,
    'receipt_email', p.receipt_email, 'card_fingerprint', p.card_fingerprint,
    'created_at', ${isoTimestampSql("p.created_at")}) order by p.created_at), '[]')
  from payments p where p.order_id = o.id`;

const REFUNDS = sql`
  select coalesce(jsonb_agg(jsonb_build_object('amount', ${usdSql("r.amount_cents")}, 'reason', r.reason,
    'state', r.state, 'created_at', ${isoTimestampSql("r.created_at")}) order by r.created_at), '[]')
  from refunds r where r.order_id = o.id`;

async function exportPurchases(
  tx: Tx,
  { userId }: UserViewer,
): Part<"orders" | "refund_requests" | "reviews" | "coupons" | "referrals"> {
  return {
    orders: await rows<"orders">(
      tx,
      sql`select o.id as order_id, o.status, o.send_email, ${usdSql("o.subtotal_cents")} as subtotal,
          ${usdSql("o.discount_cents")} as discount, ${usdSql("o.total_cents")} as total,
          ${isoTimestampSql("o.created_at")} as created_at, ${isoTimestampSql("o.paid_at")} as paid_at, ${isoTimestampSql("o.shipped_at")} as shipped_at,
          ${isoTimestampSql("o.cancelled_at")} as cancelled_at, (${PRODUCTS}) as order_products, (${PAYMENTS}) as payments,
          (${REFUNDS}) as refunds
        from orders o where o.user_id = ${userId} order by o.created_at`,
    ),
    refund_requests: await rows<"refund_requests">(
      tx,
      sql`select l.order_id, ${usdSql("q.amount_cents")} as amount, q.state, ${isoTimestampSql("q.created_at")} as created_at,
          ${isoTimestampSql("q.decided_at")} as decided_at
        from refund_requests q join order_lines l on l.id = q.order_line_id
        where q.user_id = ${userId} order by q.created_at`,
    ),
    reviews: await rows<"reviews">(
      tx,
      sql`select product_id, order_id, rating, title, content, state, ${isoTimestampSql("created_at")} as created_at
        from reviews where user_id = ${userId} order by reviews.created_at`,
    ),
    coupons: await rows<"coupons">(
      tx,
      sql`select code, campaign_id as campaign, ${usdSql("amount_cents")} as amount, percent, state, order_id,
          ${isoTimestampSql("created_at")} as created_at, ${isoTimestampSql("expires_at")} as expires_at
        from coupons where user_id = ${userId} order by coupons.created_at`,
    ),
    referrals: await rows<"referrals">(
      tx,
      sql`select state, case when inviter_id = ${userId} then 'inviter' else 'friend' end as role,
          ${isoTimestampSql("created_at")} as created_at, ${isoTimestampSql("decided_at")} as decided_at
        from referrals where ${userId} in (inviter_id, friend_id) order by referrals.created_at`,
    ),
  };
}

type ActivityPart =
  | "wait_list"
  | "subscriptions"
  | "unsubscribed"
  | "searches"
  | "sources"
  | "activity"
  | "applications"
  | "mails";

/** Data stored under an address belongs to the account that verified it. */
async function exportActivity(tx: Tx, { userId, email, emailVerified }: UserViewer): Part<ActivityPart> {
  const address = emailVerified ? email.toLowerCase() : null;
  const created = sql`${isoTimestampSql("created_at")} as created_at`;
  return {
    wait_list: await rows<"wait_list">(
      tx,
      sql`select plan_id as vip_id, email, state, ${created} from wait_list where user_id = ${userId} order by id`,
    ),
    subscriptions: await rows<"subscriptions">(
      tx,
      sql`select topic, state, ${created}, ${isoTimestampSql("confirmed_at")} as confirmed_at, ${isoTimestampSql("ended_at")} as ended_at
        from subscriptions where email = ${address} order by topic`,
    ),
    unsubscribed: await rows<"unsubscribed">(
      tx,
      sql`select topic, ${created} from mail_optouts where email = ${address} order by topic`,
    ),
    searches: await rows<"searches">(
      tx,
      sql`select content, locale, ${created} from searches where user_id = ${userId} order by id`,
    ),
    sources: await rows<"sources">(
      tx,
      sql`select event_type, source, campaign, medium, content, landing_page, referrer, order_id, ${created}
        from source_events where user_id = ${userId} order by id`,
    ),
    activity: await rows<"activity">(
      tx,
      sql`select action, subject, ${created} from audit_entries where actor = ${userId} order by id`,
    ),
    applications: await rows<"applications">(
      tx,
      sql`select product_url, phone_num, state, ${created} from merchant_applications
        where email = ${address} order by id`,
    ),
    mails: await rows<"mails">(
      tx,
      sql`select event, to_address as "to", state, ${created}, ${isoTimestampSql("sent_at")} as sent_at
        from mails where lower(to_address) = ${address} order by mails.created_at`,
    ),
  };
}
