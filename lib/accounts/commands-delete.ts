import { sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { audit } from "@/lib/audit";
import { errorMessage } from "@/lib/error-messages";
import { ShopError } from "@/lib/errors";
import type { Locale } from "@/lib/i18n";
import { randomText } from "@/lib/id";
import { enqueue } from "@/lib/jobs";
import { tellReviewPages } from "@/lib/reviews/commands";
import type { UserViewer } from "@/lib/session";
import { queueNotice } from "./commands-notice";
import { type DeleteAccountInput, ForgetCustomer } from "./contract-account";
import { requireProof } from "./queries-proof";
import { NO_NAME } from "./rules";

type Person = { userId: string; email: string; pseudonym: string };

/**
 * Deletes the viewer's account for good: in one transaction everything that names the person is removed or replaced;
 * orders, payments, codes and reviews stay without a name (reliability.md "Privacy"). The mailbox may register again.
 * @throws ShopError confirm_differs, proof_required, account_in_use: an order is open, or money on its way back
 */
export async function deleteAccount(
  viewer: UserViewer,
  { confirm }: DeleteAccountInput,
  locale: Locale,
): Promise<{ deleted: true }> {
  const { userId } = viewer;
  await db.transaction(async (tx) => {
    // The whole row is locked: an order that is being placed is waited for, and seen.
    const [user] = await tx.execute<{ email: string }>(
      sql`select lower(email) as email from users where id = ${userId} and deleted_at is null for update`,
    );
    if (!user) throw new ShopError("session_ended");
    if (user.email !== confirm) refuseConfirm(locale);
    await requireProof(viewer, tx);
    await refuseWhileInUse(tx, userId);
    const person = { userId, email: user.email, pseudonym: `deleted-${randomText(20)}@deleted.invalid` };
    await forgetBelongings(tx, person);
    await forgetInRecords(tx, person);
    await forgetUser(tx, person);
    await tellReviewPages(tx, userId);
    await queueNotice(tx, { kind: "account_deleted", to: user.email, locale, userId });
    await enqueue(tx, ForgetCustomer, { userId }, { jobKey: `forget-customer:${userId}` });
    await audit({ actor: userId, action: "account.deleted", subject: userId }, tx);
  });
  return { deleted: true };
}

function refuseConfirm(locale: Locale): never {
  throw new ShopError("confirm_differs", {
    issues: [{ path: "confirm", message: errorMessage("confirm_differs", locale) }],
  });
}

/** Paid means delivered or refunded: who waits for either has to be found. */
async function refuseWhileInUse(tx: Tx, userId: string): Promise<void> {
  const open = await tx.execute(sql`
    select 1 where exists (select from orders o where o.user_id = ${userId}
        and (o.status in ('pending', 'processingPayment', 'paid', 'processing')
          or exists (select from refunds r where r.order_id = o.id and r.state in ('pending', 'submitted'))))
      or exists (select from refund_requests where user_id = ${userId} and state = 'asked')`);
  if (open.length > 0) throw new ShopError("account_in_use");
}

/** What is the person's alone is gone. */
async function forgetBelongings(tx: Tx, { userId, email }: Person): Promise<void> {
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
  await tx.execute(sql`delete from verification_codes where lower(email) = ${email}`);
  await tx.execute(sql`delete from subscriptions where email = ${email}`);
  await tx.execute(sql`delete from mail_optouts where email = ${email}`);
  await tx.execute(sql`update searches set user_id = null where user_id = ${userId}`);
  await tx.execute(sql`update source_events set user_id = null where user_id = ${userId}`);
}

/** Addresses that the account had before, unless somebody's account has them now. */
const formerAddresses = (userId: string) => sql`
  select lower(f.to_address) from mails f
  where f.event in ('welcome', 'account-notice') and f.refs->>'userId' = ${userId}
    and not exists (select from users u where lower(u.email) = lower(f.to_address) and u.id <> ${userId})`;

/** What is kept as a record names an address that nobody has. Mails that are on their way still arrive. */
async function forgetInRecords(tx: Tx, { userId, email, pseudonym }: Person): Promise<void> {
  const own = sql`(select id from orders where user_id = ${userId})`;
  await tx.execute(sql`update orders set send_email = ${pseudonym} where user_id = ${userId}`);
  await tx.execute(sql`
    update payments set receipt_email = ${pseudonym}
    where order_id in ${own} and state in ('succeeded', 'canceled')`);
  await tx.execute(sql`
    update mails set to_address = ${pseudonym}, refs = refs - 'address' - 'email'
    where state <> 'queued' and (lower(to_address) = ${email} or refs->>'orderId' in ${own}
      or lower(to_address) in (${formerAddresses(userId)}))`);
}

async function forgetUser(tx: Tx, { userId, pseudonym }: Person): Promise<void> {
  await tx.execute(sql`
    update users set email = ${pseudonym}, username = ${NO_NAME}, password_hash = null, email_verified_at = null,
      phone = null, country_code = null, age_group = null, signup_source = null, role = 'user',
      invite_code = ${randomText(10)}, deleted_at = shop_now()
    where id = ${userId}`);
}
