import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { DeleteProviderCustomer } from "@/lib/accounts/profile/contract";
import { DELETED_USERNAME } from "@/lib/accounts/rules";
import { expireCouponsOfUser } from "@/lib/coupons/vouchers/commands";
import { deleteApplications } from "@/lib/merchants/commands";
import { deleteSubscriptions } from "@/lib/notifications/subscriptions/commands-address";
import { randomText } from "@/lib/platform/crypto/ids";
import { enqueue } from "@/lib/platform/jobs/queue";
import { invalidateReviewPages } from "@/lib/reviews/commands";

/**
 * The user whose account is deleted. `email` is in lower case; `proved`: the address is verified, so data stored
 * under it is erased too.
 */
export type DepartingUser = { userId: string; email: string; proved: boolean };
type Person = DepartingUser & { pseudonym: string };

/**
 * Closes an account for good: removes or replaces everything that names the person; orders, payments, codes and
 * reviews stay anonymous (docs/reliability.md#privacy). The address may register again.
 */
export async function anonymizeUser(tx: Tx, leaver: DepartingUser): Promise<void> {
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
    "verified_emails",
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
