import { eq, or, type SQLWrapper, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { billingAddresses, sessions, userIdentities, users, verifiedEmails } from "@/db/schema/accounts";
import { cartLines } from "@/db/schema/cart";
import { coupons } from "@/db/schema/coupons";
import { merchantApplications } from "@/db/schema/merchants";
import { mailOptouts, mails, subscriptions, waitList } from "@/db/schema/notifications";
import { referrals } from "@/db/schema/referrals";
import { auditEntries } from "@/db/schema/requests";
import { reviews } from "@/db/schema/reviews";
import { searches, sourceEvents } from "@/db/schema/tracking";
import { isoTimestampSql, type NullableAs, sessionColumns } from "@/lib/accounts/devices/queries";
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
type Row<K extends keyof AccountExport> = AccountExport[K] extends (infer Item)[] ? Item : never;

const usdSql = <Cents extends SQLWrapper>(cents: Cents | string) =>
  sql<
    NullableAs<Cents, number>
  >`round(${typeof cents === "string" ? sql.raw(cents) : cents} / 100.0, 2)::float8`;

type ProfilePart = "exported_at" | "account" | "sessions" | "identities" | "addresses" | "cart";

async function exportProfile(
  tx: Tx,
  { userId, sessionId }: UserViewer,
  account: Awaited<ReturnType<typeof getAccount>>,
): Part<ProfilePart> {
  const [user] = await tx
    .select({
      now: isoTimestampSql(shopNow),
      age_group: users.ageGroup,
      privacy_accepted_at: isoTimestampSql(users.privacyAcceptedAt),
      email_verified_at: isoTimestampSql(users.emailVerifiedAt),
      created_at: isoTimestampSql(users.createdAt),
      signup_source: users.signupSource,
      has_password: sql<boolean>`${users.passwordHash} is not null`,
    })
    .from(users)
    .where(eq(users.id, userId));
  const { now, ...userColumns } = user!;
  const emails = await tx
    .select({ email: verifiedEmails.email, proved_at: isoTimestampSql(verifiedEmails.createdAt) })
    .from(verifiedEmails)
    .where(eq(verifiedEmails.userId, userId))
    .orderBy(verifiedEmails.createdAt);
  const endedAt = sql<Date>`coalesce(${sessions.revokedAt},
    case when ${sessions.expiresAt} < shop_now() then ${sessions.expiresAt} end)`;
  return {
    exported_at: now,
    account: { ...account, ...userColumns, proven_emails: emails },
    sessions: await tx
      .select({ ...sessionColumns(sessionId), ended_at: isoTimestampSql(endedAt) })
      .from(sessions)
      .where(eq(sessions.userId, userId))
      .orderBy(sessions.createdAt),
    identities: await tx
      .select({
        provider: userIdentities.provider,
        subject: userIdentities.subject,
        email: userIdentities.email,
        created_at: isoTimestampSql(userIdentities.createdAt),
      })
      .from(userIdentities)
      .where(eq(userIdentities.userId, userId))
      .orderBy(userIdentities.provider),
    addresses: await tx
      .select({
        address_id: billingAddresses.id,
        full_name: billingAddresses.fullName,
        line1: billingAddresses.line1,
        line2: billingAddresses.line2,
        city: billingAddresses.city,
        region: billingAddresses.region,
        postal_code: billingAddresses.postalCode,
        country: billingAddresses.country,
        is_default: billingAddresses.isDefault,
        created_at: isoTimestampSql(billingAddresses.createdAt),
      })
      .from(billingAddresses)
      .where(eq(billingAddresses.userId, userId))
      .orderBy(billingAddresses.createdAt),
    cart: await tx
      .select({
        product_id: cartLines.productId,
        vip_id: cartLines.planId,
        quantity: cartLines.quantity,
        created_at: isoTimestampSql(cartLines.createdAt),
      })
      .from(cartLines)
      .where(eq(cartLines.userId, userId))
      .orderBy(cartLines.createdAt),
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
    orders: await tx.execute<Row<"orders">>(sql`
      select o.id as order_id, o.status, o.send_email, ${usdSql("o.subtotal_cents")} as subtotal,
        ${usdSql("o.discount_cents")} as discount, ${usdSql("o.total_cents")} as total,
        ${isoTimestampSql("o.created_at")} as created_at, ${isoTimestampSql("o.paid_at")} as paid_at, ${isoTimestampSql("o.shipped_at")} as shipped_at,
        ${isoTimestampSql("o.cancelled_at")} as cancelled_at, (${PRODUCTS}) as order_products, (${PAYMENTS}) as payments,
        (${REFUNDS}) as refunds
      from orders o where o.user_id = ${userId} order by o.created_at`),
    refund_requests: await tx.execute<Row<"refund_requests">>(sql`
      select l.order_id, ${usdSql("q.amount_cents")} as amount, q.state, ${isoTimestampSql("q.created_at")} as created_at,
        ${isoTimestampSql("q.decided_at")} as decided_at
      from refund_requests q join order_lines l on l.id = q.order_line_id
      where q.user_id = ${userId} order by q.created_at`),
    reviews: await tx
      .select({
        product_id: reviews.productId,
        order_id: reviews.orderId,
        rating: reviews.rating,
        title: reviews.title,
        content: reviews.content,
        state: reviews.state,
        created_at: isoTimestampSql(reviews.createdAt),
      })
      .from(reviews)
      .where(eq(reviews.userId, userId))
      .orderBy(reviews.createdAt),
    coupons: await tx
      .select({
        code: coupons.code,
        campaign: coupons.campaignId,
        amount: usdSql(coupons.amountCents),
        percent: coupons.percent,
        state: coupons.state,
        order_id: coupons.orderId,
        created_at: isoTimestampSql(coupons.createdAt),
        expires_at: isoTimestampSql(coupons.expiresAt),
      })
      .from(coupons)
      .where(eq(coupons.userId, userId))
      .orderBy(coupons.createdAt),
    referrals: await tx
      .select({
        state: referrals.state,
        role: sql<
          "inviter" | "friend"
        >`case when ${referrals.inviterId} = ${userId} then 'inviter' else 'friend' end`,
        created_at: isoTimestampSql(referrals.createdAt),
        decided_at: isoTimestampSql(referrals.decidedAt),
      })
      .from(referrals)
      .where(or(eq(referrals.inviterId, userId), eq(referrals.friendId, userId)))
      .orderBy(referrals.createdAt),
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
  return {
    wait_list: await tx
      .select({
        vip_id: waitList.planId,
        email: waitList.email,
        state: waitList.state,
        created_at: isoTimestampSql(waitList.createdAt),
      })
      .from(waitList)
      .where(eq(waitList.userId, userId))
      .orderBy(waitList.id),
    subscriptions: await tx
      .select({
        topic: subscriptions.topic,
        state: subscriptions.state,
        created_at: isoTimestampSql(subscriptions.createdAt),
        confirmed_at: isoTimestampSql(subscriptions.confirmedAt),
        ended_at: isoTimestampSql(subscriptions.endedAt),
      })
      .from(subscriptions)
      .where(sql`${subscriptions.email} = ${address}`)
      .orderBy(subscriptions.topic),
    unsubscribed: await tx
      .select({ topic: mailOptouts.topic, created_at: isoTimestampSql(mailOptouts.createdAt) })
      .from(mailOptouts)
      .where(sql`${mailOptouts.email} = ${address}`)
      .orderBy(mailOptouts.topic),
    searches: await tx
      .select({
        content: searches.content,
        locale: searches.locale,
        created_at: isoTimestampSql(searches.createdAt),
      })
      .from(searches)
      .where(eq(searches.userId, userId))
      .orderBy(searches.id),
    sources: await tx
      .select({
        event_type: sourceEvents.eventType,
        source: sourceEvents.source,
        campaign: sourceEvents.campaign,
        medium: sourceEvents.medium,
        content: sourceEvents.content,
        landing_page: sourceEvents.landingPage,
        referrer: sourceEvents.referrer,
        order_id: sourceEvents.orderId,
        created_at: isoTimestampSql(sourceEvents.createdAt),
      })
      .from(sourceEvents)
      .where(eq(sourceEvents.userId, userId))
      .orderBy(sourceEvents.id),
    activity: await tx
      .select({
        action: auditEntries.action,
        subject: auditEntries.subject,
        created_at: isoTimestampSql(auditEntries.createdAt),
      })
      .from(auditEntries)
      .where(eq(auditEntries.actor, userId))
      .orderBy(auditEntries.id),
    applications: await tx
      .select({
        product_url: merchantApplications.productUrl,
        phone_num: merchantApplications.phoneNum,
        state: merchantApplications.state,
        created_at: isoTimestampSql(merchantApplications.createdAt),
      })
      .from(merchantApplications)
      .where(sql`${merchantApplications.email} = ${address}`)
      .orderBy(merchantApplications.id),
    mails: await tx
      .select({
        event: mails.event,
        to: mails.toAddress,
        state: mails.state,
        created_at: isoTimestampSql(mails.createdAt),
        sent_at: isoTimestampSql(mails.sentAt),
      })
      .from(mails)
      .where(sql`lower(${mails.toAddress}) = ${address}`)
      .orderBy(mails.createdAt),
  };
}
