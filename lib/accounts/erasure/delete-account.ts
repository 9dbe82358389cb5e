import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import type { DeleteAccountInput } from "@/lib/accounts/profile/contract";
import { queueSecurityNotice } from "@/lib/accounts/queue-security-notice";
import { requireReauthentication } from "@/lib/accounts/reauthentication/require-reauthentication";
import { leaveStaff, lockMembers, mailAdministrators } from "@/lib/accounts/staff-membership";
import { isWithinMailBudget } from "@/lib/notifications/take-mail-budget";
import { audit } from "@/lib/platform/audit";
import type { UserViewer } from "@/lib/platform/auth/session";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { anonymizeUser, type DeletedUser } from "./anonymize-user";

/**
 * Deletes the viewer's account in one transaction (docs/reliability.md#privacy). The address may register again.
 * @throws ShopError confirm_differs, reauthentication_required, account_in_use: an order is open, a refund is pending, or a gift
 * is not sent, last_owner: of a merchant, last_admin
 */
export async function deleteAccount(
  viewer: UserViewer,
  { confirm }: DeleteAccountInput,
  locale: Locale,
  ip?: string,
) {
  const { userId } = viewer;
  await transaction(async (tx) => {
    // Before the account's row, as a change of roles does.
    if (viewer.role === "staff") await lockMembers(tx);
    // Locks the whole row, so that this waits for an order being placed and sees it.
    const [user] = await tx.execute<Omit<DeletedUser, "userId">>(sql`
      select lower(email) as email, email_verified_at is not null as "emailVerified"
      from users where id = ${userId} and deleted_at is null for update`);
    if (!user) throw new ShopError("session_ended");
    if (user.email !== confirm) {
      const issue = { path: "confirm", message: errorMessage("confirm_differs", locale) };
      throw new ShopError("confirm_differs", { issues: [issue] });
    }
    await requireReauthentication(viewer, tx);
    const roles = await leaveStaff(tx, userId);
    await leaveMerchants(tx, userId);
    await rejectWhileInUse(tx, userId);
    await anonymizeUser(tx, { userId, ...user });
    if (roles) await mailAdministrators({ tx, actor: userId, userId }, roles, []);
    if (user.emailVerified || (await isWithinMailBudget(tx, { userId, ip }, user.email)))
      await queueSecurityNotice(tx, { kind: "account_deleted", to: user.email, locale, userId });
    await audit({ actor: userId, action: "account.deleted", subject: userId }, tx);
  });
  return { deleted: true as const };
}

/** An account with open orders, refunds or gifts that are not sent must stay reachable. */
async function rejectWhileInUse(tx: Tx, userId: string): Promise<void> {
  const open = await tx.execute(sql`
    select 1 where exists (select from orders o where o.user_id = ${userId}
        and (o.status in ('pending', 'processingPayment', 'paid', 'processing')
          or exists (select from refunds r where r.order_id = o.id and r.state in ('pending', 'submitted'))
          or (o.status in ('shipped', 'completed') and exists (select from gifts g where g.order_id = o.id and g.state = 'scheduled'))))
      or exists (select from refund_requests where user_id = ${userId} and state = 'asked')`);
  if (open.length > 0) throw new ShopError("account_in_use");
}

/**
 * Ends the account's memberships of merchants, with the invitations that it made. The last owner stays, because a merchant that sells must be
 * reachable: the account names another owner first, or staff close the merchant. A closed merchant needs no
 * owner.
 */
async function leaveMerchants(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`
    select from merchants where id in (select merchant_id from merchant_members where user_id = ${userId} and ended_at is null)
    order by id for no key update`);
  const [kept] = await tx.execute(sql`
    select 1 from merchant_members mine join merchants m on m.id = mine.merchant_id
    where mine.user_id = ${userId} and mine.ended_at is null and mine.role = 'owner' and m.state <> 'ended' and not exists (
      select from merchant_members o where o.merchant_id = m.id and o.role = 'owner' and o.ended_at is null and o.user_id <> ${userId})
    limit 1`);
  if (kept) throw new ShopError("last_owner");
  await tx.execute(sql`
    update merchant_invites set revoked_at = shop_now()
    where invited_by = ${userId} and accepted_at is null and revoked_at is null and merchant_id in (
      select merchant_id from merchant_members where user_id = ${userId} and ended_at is null)`);
  await tx.execute(sql`
    update merchant_members left_member set ended_at = shop_now(), ended_by = ${userId}
    where left_member.ended_at is null and (left_member.user_id = ${userId} or exists (
      select from merchants m where m.id = left_member.merchant_id and m.state = 'ended'
        and exists (select from merchant_members mine where mine.merchant_id = m.id and mine.user_id = ${userId} and mine.ended_at is null)
        and not exists (select from merchant_members o where o.merchant_id = m.id and o.role = 'owner' and o.ended_at is null and o.user_id <> ${userId})))`);
}
