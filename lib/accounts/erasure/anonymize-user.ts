import { and, eq, inArray, ne, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import {
  billingAddresses,
  sessions,
  userIdentities,
  verificationCodes,
  verifiedEmails,
} from "@/db/schema/accounts";
import { cartLines } from "@/db/schema/cart";
import { merchantApplications, merchantInvites } from "@/db/schema/merchants";
import { waitList, wishes } from "@/db/schema/notifications";
import { orders } from "@/db/schema/orders";
import { notes, recoveryCodes, savedViews, secondFactors } from "@/db/schema/staff";
import { searches, sourceEvents } from "@/db/schema/tracking";
import { DeleteProviderCustomer } from "@/lib/accounts/profile/contract";
import { DELETED_USERNAME } from "@/lib/accounts/rules";
import { expireCouponsOfUser } from "@/lib/coupons/expire-coupons";
import { deleteSubscriptions } from "@/lib/notifications/subscriptions/move-subscriptions";
import { randomText } from "@/lib/platform/crypto/ids";
import { enqueue } from "@/lib/platform/jobs/queue";
import { invalidateReviewPages } from "@/lib/reviews/invalidate-review-pages";
import { deleteConversationsOf } from "@/lib/support/delete-conversations";
import { eraseReporter } from "@/lib/support/reports/delete-reports";
import { GUEST } from "@/lib/tracking/rules";

/** The deleted user. `email` is in lower case; `emailVerified`: data stored under the address is erased too. */
export type DeletedUser = { userId: string; email: string; emailVerified: boolean };
type ErasedUser = DeletedUser & { pseudonym: string };

/** Replaces or deletes every field that identifies a user; orders, payments, codes and reviews remain without a name. */
export async function anonymizeUser(tx: Tx, user: DeletedUser): Promise<void> {
  const erased = { ...user, pseudonym: `deleted-${randomText(20)}@deleted.invalid` };
  const { userId } = user;
  await deleteOwnedRows(tx, erased);
  await eraseByAddress(tx, erased);
  await eraseFromRecords(tx, erased);
  await eraseUserRow(tx, erased);
  await invalidateReviewPages(tx, userId);
  await enqueue(tx, DeleteProviderCustomer, { userId }, { jobKey: `delete-provider-customer:${userId}` });
}

async function deleteOwnedRows(tx: Tx, { userId }: ErasedUser): Promise<void> {
  await tx
    .update(sessions)
    .set({
      device: "",
      timeZone: null,
      previousRefreshHash: null,
      revokedAt: sql`coalesce(${sessions.revokedAt}, shop_now())`,
    })
    .where(eq(sessions.userId, userId)); // kept without the device and its zone, so that `/auth/get-info` can report that the account was deleted
  const tables = [
    userIdentities,
    billingAddresses,
    verifiedEmails,
    cartLines,
    waitList,
    wishes,
    verificationCodes,
    recoveryCodes,
    secondFactors,
  ];
  for (const table of tables) await tx.delete(table).where(eq(table.userId, userId));
  await tx.delete(notes).where(eq(notes.subjectId, userId));
  await tx.delete(savedViews).where(eq(savedViews.userId, userId));
  await expireCouponsOfUser(tx, userId);
  await tx.update(searches).set({ userId: GUEST }).where(eq(searches.userId, userId));
  // The visitor hash is derived from the account's id.
  await tx.update(sourceEvents).set({ userId: null, visitor: null }).where(eq(sourceEvents.userId, userId));
}

/**
 * Erases data stored under an address instead of an account, for verified addresses only. `unproved` marks emails that
 * earlier versions sent to unverified addresses.
 */
async function eraseByAddress(tx: Tx, erased: ErasedUser): Promise<void> {
  const { email, emailVerified } = erased;
  const previousEmails = await tx.execute<{ email: string }>(sql`
    ${previousEmailsSql(erased)} and f.refs->>'kind' = 'email_changed_old' and f.refs->>'unproved' is null`);
  const emails = [...previousEmails.map((row) => row.email), ...(emailVerified ? [email] : [])];
  await deleteSubscriptions(tx, emails);
  await tx
    .delete(merchantApplications)
    .where(
      and(
        ne(merchantApplications.state, "approved"),
        inArray(sql`${merchantApplications.email} collate "C"`, emails),
      ),
    );
  await tx.delete(merchantInvites).where(inArray(merchantInvites.email, emails));
  await deleteConversationsOf(tx, erased.userId, emails);
  await eraseReporter(tx, emails);
  if (emailVerified)
    await tx.delete(verificationCodes).where(eq(sql`lower(${verificationCodes.email})`, email));
}

/** SQL: earlier addresses of the account, found by its sent emails `f`, unless another account uses them now. */
const previousEmailsSql = ({ userId, email }: ErasedUser) => sql`
  select lower(f.to_address) as email from mails f
  where f.event in ('welcome', 'account-notice') and f.refs->>'userId' = ${userId}
    and lower(f.to_address) <> ${email}
    and not exists (select from users u where lower(u.email) = lower(f.to_address) and u.id <> ${userId})`;

/** Replaces the address in remaining records. Queued emails are still sent. */
async function eraseFromRecords(tx: Tx, erased: ErasedUser): Promise<void> {
  const { userId, email, emailVerified, pseudonym } = erased;
  const orderIds = sql`(select id from orders where user_id = ${userId})`;
  const sentToUser = emailVerified
    ? sql`lower(to_address) collate "C" = ${email}`
    : sql`refs->>'userId' = ${userId}`;
  await tx
    .update(orders)
    .set({ sendEmail: pseudonym, timeZone: null, attribution: null })
    .where(eq(orders.userId, userId));
  // Arrays of ids, because with `in` Postgres would read all lines and gifts.
  await tx.execute(sql`
    update order_lines set cart_source = null where order_id = any(array${orderIds}) and cart_source is not null`);
  // Of an order that was paid they stay with its invoices, as tax law requires.
  await tx.execute(sql`
    update order_taxes set company = null, company_address = null, vat_id = null, vat_check = null, vat_checked_at = null,
      vat_reference = null, network_country = null
    where order_id = any(array${orderIds}) and decided_at is null`);
  // A gift loses its message and its address with the account of either side.
  await tx.execute(sql`
    update gifts set message = '', from_name = null, recipient_email = null, proof_hash = null, proof_until = null where id = any(array(
      select (select id from gifts where order_id = o.id) from orders o where o.user_id = ${userId}
      union select id from gifts where claimed_by = ${userId}))`);
  if (emailVerified)
    await tx.execute(
      sql`update gifts set recipient_email = null, proof_hash = null, proof_until = null where lower(recipient_email) = ${email} and state <> 'scheduled'`,
    );
  // The reason of a request by staff is about the same person.
  await tx.execute(
    sql`update replacement_requests set reason = '' where user_id = ${userId} and reason <> ''`,
  );
  await tx.execute(sql`
    update payments set receipt_email = ${pseudonym}
    where order_id in ${orderIds} and state in ('succeeded', 'canceled')`);
  // Each part follows an index; the three as one condition, or as a part of the update, would read all emails.
  const found = await tx.execute<{ id: string }>(sql`
    select id from mails where ${sentToUser}
    union select m.id from (${orderIds}) o cross join lateral (select id from mails where refs->>'orderId' = o.id offset 0) m
    union select m.id from mails m where lower(m.to_address) collate "C" in (${previousEmailsSql(erased)})`);
  if (found.length > 0)
    await tx.execute(sql`
      update mails set to_address = ${pseudonym}, time_zone = null, refs = refs - 'address' - 'email'
      where state <> 'queued' and id in ${found.map(({ id }) => id)}`);
}

async function eraseUserRow(tx: Tx, { userId, pseudonym }: ErasedUser): Promise<void> {
  await tx.execute(sql`
    update users set email = ${pseudonym}, username = ${DELETED_USERNAME}, password_hash = null, new_password_required_at = null,
      email_verified_at = null, phone = null, country_code = null, country = null, age_group = null, signup_source = null,
      role = 'user', invite_code = ${randomText(10)}, deleted_at = shop_now()
    where id = ${userId}`);
}
