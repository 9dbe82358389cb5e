import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { billingAddresses, userIdentities, users, verifiedEmails } from "@/db/schema/accounts";
import { cartLines } from "@/db/schema/cart";
import { referrals } from "@/db/schema/referrals";
import type { RegisterDirectlyInput, SourceInfo } from "@/lib/accounts/contract";
import { DeleteProviderCustomer } from "@/lib/accounts/profile/contract";
import { queueMail } from "@/lib/notifications/queue-mail";
import { isWithinMailBudget } from "@/lib/notifications/take-mail-budget";
import { endSessionsOfUser } from "@/lib/platform/auth/session";
import { newId, randomText } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { networkPrefix } from "@/lib/platform/http/ip";
import type { Locale } from "@/lib/platform/i18n/locales";
import { enqueue } from "@/lib/platform/jobs/queue";
import { recordInvitation } from "@/lib/referrals/record-invitation";
import { usernameFromEmail } from "./rules";

type NewUser = {
  input: Pick<RegisterDirectlyInput, "user_email"> & Partial<RegisterDirectlyInput>;
  /** null for sign-in with a provider */
  passwordHash: string | null;
  verified: boolean;
  locale: Locale;
  ip: string;
};

/**
 * Returns the account of a verified address: takes over its unverified account, else creates one.
 * @throws ShopError email_in_use: a verified account has the address
 */
export async function createVerifiedAccount(tx: Tx, newUser: NewUser): Promise<string> {
  return (await takeOverUnverified(tx, newUser)) ?? createUser(tx, newUser);
}

export async function createUser(tx: Tx, newUser: NewUser): Promise<string> {
  const { user_email: email } = newUser.input;
  const { locale, verified, ip } = newUser;
  const columns = await userColumns(tx, newUser);
  const [row] = await tx
    .insert(users)
    .values({ ...columns, id: newId("usr"), email, inviteCode: randomText(10) })
    .onConflictDoNothing() // the unique index ignores case
    .returning({ id: users.id });
  if (!row) throw new ShopError("email_in_use");
  await storeInvitation(tx, row.id, columns.invitedBy, newUser);
  // An unverified address may belong to someone else: its emails are limited, and name no one.
  if (verified || (await isWithinMailBudget(tx, { ip }, email)))
    await queueMail(tx, {
      event: "welcome",
      to: email,
      locale,
      refs: { userId: row.id, ...(verified && { named: 1 }) },
      dedupeKey: `welcome:${row.id}`,
    });
  return row.id;
}

async function userColumns(tx: Tx, { input, passwordHash, verified, locale }: NewUser) {
  const email = input.user_email;
  return {
    username: input.username ?? (usernameFromEmail(email) || email.slice(0, 60)),
    passwordHash,
    emailVerifiedAt: verified ? sql`shop_now()` : null,
    locale,
    ageGroup: input.age_group,
    privacyAcceptedAt: input.accept_privacy ? sql`shop_now()` : null,
    invitedBy: await findInviterId(tx, input),
    signupSource: signupSource(input),
  };
}

/** Gives an unverified account to the user who verified its address. Id and orders stay. Null when there is none. */
async function takeOverUnverified(tx: Tx, newUser: NewUser): Promise<string | null> {
  const columns = await userColumns(tx, newUser);
  const [user] = await tx
    .update(users)
    .set({
      ...columns,
      newPasswordRequiredAt: null,
      phone: null,
      countryCode: null,
      inviteCode: randomText(10),
    })
    .where(
      sql`lower(${users.email}) = ${newUser.input.user_email} and ${users.emailVerifiedAt} is null and ${users.role} = 'user'`,
    )
    .returning({ id: users.id });
  if (!user) return null;
  await removeUnverifiedOwnerData(tx, user.id);
  await storeInvitation(tx, user.id, columns.invitedBy, newUser);
  return user.id;
}

/** Records who invited this user (docs/product.md#85-coupons). */
async function storeInvitation(tx: Tx, friendId: string, inviterId: string | null, { input, ip }: NewUser) {
  if (!inviterId) return;
  const network = networkPrefix(ip) ?? "unknown";
  await recordInvitation(tx, { inviterId, friendId, email: input.user_email, network });
}

/** Removes what an unverified owner stored, and an invitation without a reward. */
export async function removeUnverifiedOwnerData(tx: Tx, userId: string): Promise<void> {
  await endSessionsOfUser(tx, userId);
  await tx.delete(referrals).where(and(eq(referrals.friendId, userId), eq(referrals.state, "registered")));
  for (const table of [cartLines, verifiedEmails, userIdentities, billingAddresses])
    await tx.delete(table).where(eq(table.userId, userId));
  await enqueue(tx, DeleteProviderCustomer, { userId }, { jobKey: `delete-provider-customer:${userId}` });
}

/** The verified user with this invite code; ignores unknown codes (docs/product.md#24-navigation). */
async function findInviterId(tx: Tx, { invited_account: inviteCode, user_email: email }: NewUser["input"]) {
  if (!inviteCode) return null;
  const [inviter] = await tx
    .select({ id: users.id })
    .from(users)
    .where(
      sql`${users.inviteCode} = ${inviteCode} and lower(${users.email}) <> ${email} and ${users.emailVerifiedAt} is not null`,
    );
  return inviter?.id ?? null;
}

function signupSource(input: NewUser["input"]): Record<string, string> | null {
  const info: SourceInfo & Record<string, unknown> = { ...input.source_info };
  if ("tracking_id" in input) info.tracking_id = input.tracking_id;
  if ("id" in input) info.id = input.id || info.id;
  const entries = Object.entries(info).filter(
    ([, value]) => value !== null && value !== undefined && value !== "",
  );
  if (entries.length === 0) return null;
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
