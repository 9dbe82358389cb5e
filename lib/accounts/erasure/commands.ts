import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { queueSecurityNotice } from "@/lib/accounts/commands";
import { type DeleteAccountInput, DeleteProviderCustomer } from "@/lib/accounts/profile/contract";
import { requireReauthentication } from "@/lib/accounts/reauthentication/queries";
import { DELETED_USERNAME } from "@/lib/accounts/rules";
import { expireCouponsOfUser } from "@/lib/coupons/vouchers/commands";
import { deleteApplications } from "@/lib/merchants/commands";
import { deleteSubscriptions } from "@/lib/notifications/subscriptions/commands";
import { audit } from "@/lib/platform/audit";
import type { UserViewer } from "@/lib/platform/auth/session";
import { randomText } from "@/lib/platform/crypto/ids";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { enqueue } from "@/lib/platform/jobs/queue";
import { invalidateReviewPages } from "@/lib/reviews/commands";

/**
 * Deletes the viewer's account in one transaction (docs/reliability.md#privacy). The address may register again.
 * @throws ShopError confirm_differs, proof_required, account_in_use: an order is open, or a refund is under way
 */
export async function deleteAccount(
  viewer: UserViewer,
  { confirm }: DeleteAccountInput,
  locale: Locale,
): Promise<{ deleted: true }> {
  const { userId } = viewer;
  await transaction(async (tx) => {
    // Locks the whole row, so that this waits for an order being placed and sees it.
    const [user] = await tx.execute<{ email: string; proved: boolean }>(sql`
      select lower(email) as email, email_verified_at is not null as proved from users
      where id = ${userId} and deleted_at is null for update`);
    if (!user) throw new ShopError("session_ended");
    if (user.email !== confirm) refuseConfirm(locale);
    await requireReauthentication(viewer, tx);
    await refuseWhileInUse(tx, userId);
    await anonymizeUser(tx, { userId, ...user });
    await queueSecurityNotice(tx, { kind: "account_deleted", to: user.email, locale, userId });
    await audit({ actor: userId, action: "account.deleted", subject: userId }, tx);
  });
  return { deleted: true };
}

function refuseConfirm(locale: Locale): never {
  throw new ShopError("confirm_differs", {
    issues: [{ path: "confirm", message: errorMessage("confirm_differs", locale) }],
  });
}

/** An account with open orders or refunds must stay reachable. */
async function refuseWhileInUse(tx: Tx, userId: string): Promise<void> {
  const open = await tx.execute(sql`
    select 1 where exists (select from orders o where o.user_id = ${userId}
        and (o.status in ('pending', 'processingPayment', 'paid', 'processing')
          or exists (select from refunds r where r.order_id = o.id and r.state in ('pending', 'submitted'))))
      or exists (select from refund_requests where user_id = ${userId} and state = 'asked')`);
  if (open.length > 0) throw new ShopError("account_in_use");
}

/**
 * The user whose account is deleted. `email` is in lower case; `proved`: the address is verified, so data stored
 * under it is erased too.
 */
export type DeletedUser = { userId: string; email: string; proved: boolean };
type Person = DeletedUser & { pseudonym: string };

/**
 * Closes an account for good: removes or replaces everything that names the person; orders, payments, codes and
 * reviews stay anonymous (docs/reliability.md#privacy). The address may register again.
 */
export async function anonymizeUser(tx: Tx, leaver: DeletedUser): Promise<void> {
  const person = { ...leaver, pseudonym: `deleted-${randomText(20)}@deleted.invalid` };
  const { userId } = person;
  await forgetBelongings(tx, person);
  await forgetByAddress(tx, person);
  await forgetInRecords(tx, person);
  await forgetUser(tx, person);
  await invalidateReviewPages(tx, userId);
  await enqueue(tx, DeleteProviderCustomer, { userId }, { jobKey: `forget-customer:${userId}` });
}

async function forgetBelongings(tx: Tx, { userId }: Person): Promise<void> {
  for (const table of [
    "sessions",
    "user_identities",
    "billing_addresses",
    "proven_emails",
    "cart_lines",
    "wait_list",
    "verification_codes",
  ])
    await tx.execute(sql`delete from ${sql.identifier(table)} where user_id = ${userId}`);
  await expireCouponsOfUser(tx, userId);
  await tx.execute(sql`update searches set user_id = null where user_id = ${userId}`);
  await tx.execute(sql`update source_events set user_id = null where user_id = ${userId}`);
}

/** Erases data stored under an address instead of an account, for verified addresses only. */
async function forgetByAddress(tx: Tx, person: Person): Promise<void> {
  const { email, proved } = person;
  const former = await tx.execute<{ email: string }>(
    formerAddresses(person, sql`f.refs->>'kind' = 'email_changed_old' and f.refs->>'unproved' is null`),
  );
  const emails = [...former.map((row) => row.email), ...(proved ? [email] : [])];
  await deleteSubscriptions(tx, emails);
  await deleteApplications(tx, emails);
  if (proved) await tx.execute(sql`delete from verification_codes where lower(email) = ${email}`);
}

/** Earlier addresses of the account, found by its sent emails, unless another account uses them now. */
const formerAddresses = ({ userId, email }: Person, which = sql`true`) => sql`
  select lower(f.to_address) as email from mails f
  where f.event in ('welcome', 'account-notice') and f.refs->>'userId' = ${userId} and ${which}
    and lower(f.to_address) <> ${email}
    and not exists (select from users u where lower(u.email) = lower(f.to_address) and u.id <> ${userId})`;

/** Replaces the address in records that are kept. Queued emails are still sent. */
async function forgetInRecords(tx: Tx, person: Person): Promise<void> {
  const { userId, email, proved, pseudonym } = person;
  const own = sql`(select id from orders where user_id = ${userId})`;
  const told = proved ? sql`lower(to_address) = ${email}` : sql`refs->>'userId' = ${userId}`;
  await tx.execute(sql`update orders set send_email = ${pseudonym} where user_id = ${userId}`);
  await tx.execute(sql`
    update payments set receipt_email = ${pseudonym}
    where order_id in ${own} and state in ('succeeded', 'canceled')`);
  await tx.execute(sql`
    update mails set to_address = ${pseudonym}, refs = refs - 'address' - 'email'
    where state <> 'queued' and (${told} or refs->>'orderId' in ${own}
      or lower(to_address) in (${formerAddresses(person)}))`);
}

async function forgetUser(tx: Tx, { userId, pseudonym }: Person): Promise<void> {
  await tx.execute(sql`
    update users set email = ${pseudonym}, username = ${DELETED_USERNAME}, password_hash = null, email_verified_at = null,
      phone = null, country_code = null, age_group = null, signup_source = null, role = 'user',
      invite_code = ${randomText(10)}, deleted_at = shop_now()
    where id = ${userId}`);
}
