import { sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { endSessionsOf } from "@/lib/accounts/devices/revoke-sessions";
import { clearSignInLocks, findSignInLock } from "@/lib/accounts/locks/sign-in-locks";
import { requireNewPassword } from "@/lib/accounts/password-reset/reset-password";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { audit } from "@/lib/platform/audit";
import { mayStaff } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { countAction } from "@/lib/platform/console/action-limits";
import { ShopError } from "@/lib/platform/errors";
import type { NewPasswordRequired, SessionsEnded, Unlocked } from "@/lib/staff/customers/contract";
import { NEW_PASSWORD_REQUIRED } from "@/lib/staff/customers/rules";
import { unlockFactor } from "@/lib/staff/factors/remove-factor";

type Customer = { id: string; email: string; locale: string; role: string; ownsMerchant: boolean };

/**
 * Locks the account that an action is about, so that actions on it run one after the other.
 * @throws ShopError customer_unknown, own_account
 */
export async function lockCustomer(tx: Tx, { userId }: StaffViewer, id: string): Promise<Customer> {
  const [customer] = await tx.execute<Customer>(sql`
    select id, email, locale, role, exists (
        select from merchant_members m join merchants c on c.id = m.merchant_id
        where m.user_id = users.id and m.role = 'owner' and m.ended_at is null and c.state <> 'ended') as "ownsMerchant"
    from users where id = ${id} and deleted_at is null for no key update`);
  if (!customer) throw new ShopError("customer_unknown");
  if (customer.id === userId) throw new ShopError("own_account");
  return customer;
}

/**
 * Checks whose account it is, and counts the action: accounts of staff, and of owners of merchants, are for administrators.
 * @throws ShopError permission_missing, reauthentication_required, too_many_requests
 */
async function takeAccess(tx: Tx, viewer: StaffViewer, { role, ownsMerchant }: Customer): Promise<void> {
  const { roles, reauthenticated } = viewer.staff;
  if (!reauthenticated) throw new ShopError("reauthentication_required");
  if (role === "staff" && !mayStaff(roles, "staff.manage")) throw new ShopError("permission_missing");
  if (ownsMerchant && !mayStaff(roles, "merchants.decide")) throw new ShopError("permission_missing");
  await countAction(viewer, "customer.access", { within: tx });
}

/**
 * Signs a customer out on one device or on all.
 * @throws ShopError customer_unknown, own_account, permission_missing, reauthentication_required, too_many_requests, session_unknown
 */
export async function endCustomerSessions(
  viewer: StaffViewer,
  id: string,
  sessionId: string | undefined,
): Promise<SessionsEnded> {
  return transaction(async (tx) => {
    const customer = await lockCustomer(tx, viewer, id);
    await takeAccess(tx, viewer, customer);
    const ended = await endSessionsOf(tx, id, sessionId);
    const detail = { ended, ...(sessionId !== undefined && { session_id: sessionId }) };
    await audit({ actor: viewer.userId, action: "customer.sessions_ended", subject: id, detail }, tx);
    return { ended };
  });
}

/**
 * Closes an account whose password someone else knows until its owner sets a new one: the password and linked providers
 * no longer sign in, all sessions end, and an email says to the owner how to set another.
 * @throws ShopError customer_unknown, own_account, permission_missing, reauthentication_required, note_has_code,
 * new_password_required, too_many_requests
 */
export async function requireCustomerPassword(
  viewer: StaffViewer,
  id: string,
  reason: string,
): Promise<NewPasswordRequired> {
  await requireNoCode(db, reason);
  return transaction(async (tx) => {
    const customer = await lockCustomer(tx, viewer, id);
    await takeAccess(tx, viewer, customer);
    const ended = await requireNewPassword(tx, customer);
    if (ended === null) throw new ShopError("new_password_required");
    const detail = { reason, ended };
    await audit({ actor: viewer.userId, action: NEW_PASSWORD_REQUIRED, subject: id, detail }, tx);
    return { ended };
  });
}

/**
 * Lets a customer sign in again who was locked out by wrong passwords, or by wrong codes of the authenticator app.
 * @throws ShopError customer_unknown, own_account, permission_missing, reauthentication_required, too_many_requests, nothing_locked
 */
export async function unlockCustomer(viewer: StaffViewer, id: string): Promise<Unlocked> {
  return transaction(async (tx) => {
    const customer = await lockCustomer(tx, viewer, id);
    await takeAccess(tx, viewer, customer);
    const signIn = (await findSignInLock(customer, tx)) !== null;
    await clearSignInLocks(tx, customer);
    const unlocked = { sign_in: signIn, second_factor: await unlockFactor(tx, id) };
    if (!unlocked.sign_in && !unlocked.second_factor) throw new ShopError("nothing_locked");
    await audit({ actor: viewer.userId, action: "customer.unlocked", subject: id, detail: unlocked }, tx);
    return unlocked;
  });
}
