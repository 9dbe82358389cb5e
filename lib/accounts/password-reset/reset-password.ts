import { and, eq, isNull, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { users } from "@/db/schema/accounts";
import { endAllSessionsOf } from "@/lib/accounts/devices/revoke-sessions";
import type { ResetPasswordInput, VerifyResetCodeInput } from "@/lib/accounts/profile/contract";
import { queueSecurityNotice } from "@/lib/accounts/queue-security-notice";
import { removeUnverifiedOwnerData } from "@/lib/accounts/registration/create-user";
import { clearFailedLogins } from "@/lib/accounts/sign-in/log-in";
import { checkCode, consumeCode } from "@/lib/accounts/verification/check-code";
import { hashPassword } from "@/lib/platform/auth/password";
import { endSessionsOfUser } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";

const checkResetCode = (input: VerifyResetCodeInput, ip: string) =>
  checkCode({
    email: input.email,
    purpose: "reset_password",
    code: input.verification_code,
    id: input.verification_id || undefined,
    ip,
  });

/**
 * Checks the mailed code for a new password (docs/product.md#72-accounts). The attempt counts; the code stays valid.
 * An address without an account gets the same error as a wrong code.
 * @throws ShopError code_wrong, code_expired, code_used_up
 */
export async function verifyResetCode(input: VerifyResetCodeInput, ip: string): Promise<{ verified: true }> {
  await checkResetCode(input, ip);
  return { verified: true };
}

/**
 * Sets a new password with a mailed code (docs/product.md#72-accounts). Ends all sessions and notifies the owner. The
 * code verifies the address; data that an unverified owner stored is removed.
 * @throws ShopError code_wrong, code_expired, code_used_up
 */
export async function resetPassword(input: ResetPasswordInput, locale: Locale, ip: string) {
  const codeId = await checkResetCode(input, ip);
  const passwordHash = await hashPassword(input.new_password);
  await transaction(async (tx) => {
    await consumeCode(tx, codeId);
    const userId = await setPassword(tx, input.email, passwordHash);
    await endSessionsOfUser(tx, userId);
    await queueSecurityNotice(tx, { kind: "password_changed", to: input.email, locale, userId });
  });
  await clearFailedLogins(input.email, ip);
  return { reset: true as const };
}

/**
 * Removes the password of an account that someone else may know, and ends its sessions. Until its owner sets a new one
 * with a mailed code no session begins, not even by a linked provider (docs/product.md#87-sign-in). The owner gets an
 * email. Returns the number of ended sessions; null when a new password is already required.
 */
export async function requireNewPassword(
  tx: Tx,
  { id, email, locale }: { id: string; email: string; locale: string },
): Promise<number | null> {
  const changed = await tx
    .update(users)
    .set({ passwordHash: null, newPasswordRequiredAt: shopNow })
    .where(and(eq(users.id, id), isNull(users.newPasswordRequiredAt)))
    .returning({ id: users.id });
  if (changed.length === 0) return null;
  const ended = await endAllSessionsOf(tx, id);
  await queueSecurityNotice(tx, { kind: "new_password_required", to: email, locale, userId: id });
  return ended;
}

async function setPassword(tx: Tx, email: string, passwordHash: string): Promise<string> {
  const [user] = await tx
    .select({ id: users.id, emailVerifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(and(eq(sql`lower(${users.email})`, email), isNull(users.deletedAt)))
    .for("update");
  if (!user) throw new ShopError("code_expired"); // the account was deleted after the code was mailed
  await tx.update(users).set({ passwordHash, newPasswordRequiredAt: null }).where(eq(users.id, user.id));
  if (user.emailVerifiedAt) return user.id;
  const newOwner = { emailVerifiedAt: shopNow, phone: null, countryCode: null, invitedBy: null };
  await tx.update(users).set(newOwner).where(eq(users.id, user.id));
  await removeUnverifiedOwnerData(tx, user.id);
  return user.id;
}
