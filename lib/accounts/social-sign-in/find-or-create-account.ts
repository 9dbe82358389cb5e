import { eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { userIdentities, users } from "@/db/schema/accounts";
import { queueSecurityNotice } from "@/lib/accounts/queue-security-notice";
import { createVerifiedAccount } from "@/lib/accounts/registration/create-user";
import type { VerifiedIdentity } from "@/lib/platform/auth/verified-identity";
import { newId } from "@/lib/platform/crypto/ids";
import { isShopError, ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { SignInArrival } from "./contract";
import { usernameFromProviderName } from "./rules";

type ProviderSignIn = { identity: VerifiedIdentity; attribution: SignInArrival; locale: Locale; ip: string };

/**
 * The account linked to a provider's identity; else that of the verified address; else a new one.
 * @throws ShopError login_failed: the account is deleted or needs a new password first, or another identity of this provider is
 * linked
 */
export async function findOrCreateAccount(signIn: ProviderSignIn): Promise<string> {
  for (let attempt = 1; ; attempt++)
    try {
      return await transaction((tx) => linkAccount(tx, signIn));
    } catch (error) {
      if (!isShopError(error, "email_in_use")) throw error;
      // The address was registered in the meantime: the second attempt finds that account.
      if (attempt === 2) throw new ShopError("login_failed");
    }
}

async function linkAccount(tx: Tx, signIn: ProviderSignIn): Promise<string> {
  const { provider, subject, email } = signIn.identity;
  for (const name of [`identity:${provider}:${subject}`, `identity:${email}`])
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${name}))`);
  const [linkedUser] = await tx.execute<{ id: string; closed: boolean }>(sql`
    select u.id, u.deleted_at is not null or u.new_password_required_at is not null as closed from user_identities i join users u on u.id = i.user_id
    where i.provider = ${provider} and i.subject = ${subject}`);
  if (linkedUser?.closed) throw new ShopError("login_failed");
  if (linkedUser) return linkedUser.id;
  const [owner] = await tx
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email))
    .for("update");
  if (owner?.deletedAt || owner?.newPasswordRequiredAt) throw new ShopError("login_failed");
  const userId = owner?.emailVerifiedAt ? owner.id : await createVerifiedAccount(tx, toNewUser(signIn));
  const linked = await tx
    .insert(userIdentities)
    .values({ id: newId("idn"), userId, provider, subject, email })
    .onConflictDoNothing()
    .returning({ id: userIdentities.id });
  if (linked.length === 0) throw new ShopError("login_failed");
  if (owner?.emailVerifiedAt) {
    const { email: to, locale } = owner;
    await queueSecurityNotice(tx, { kind: "sign_in_linked", to, locale, userId, refs: { provider } });
  }
  return userId;
}

/** Signing in with a provider accepts the privacy policy, as the text below the buttons says. */
function toNewUser({ identity, attribution, locale, ip }: ProviderSignIn) {
  const input = {
    ...attribution,
    user_email: identity.email,
    username: usernameFromProviderName(identity.name),
    accept_privacy: true,
  };
  return { input, passwordHash: null, verified: true, locale, ip };
}
