import { and, eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { billingAddresses, userIdentities, users, verifiedEmails } from "@/db/schema/accounts";
import { cartLines } from "@/db/schema/cart";
import { referrals } from "@/db/schema/referrals";
import type { RegisterByEmailInput, RegisterDirectlyInput, SourceInfo } from "@/lib/accounts/contract";
import { DeleteProviderCustomer } from "@/lib/accounts/profile/contract";
import { type ClientInfo, type LoginResult, openSession } from "@/lib/accounts/sign-in/commands";
import { checkCode, consumeCode } from "@/lib/accounts/verification/commands";
import { queueMail } from "@/lib/notifications/commands";
import { hashPassword } from "@/lib/platform/auth/password";
import { endSessionsOfUser, type Viewer } from "@/lib/platform/auth/session";
import { newId, randomText } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { enqueue } from "@/lib/platform/jobs/queue";
import { recordInvitation } from "@/lib/referrals/commands";
import { networkPrefix } from "@/lib/tracking/rules";

/**
 * Opens a verified account for an address that a code has proved, and signs it in (register/email, docs/product.md#72-accounts). Only after
 * the proof does it tell that the address has an account. An account that nobody has proved is taken over: whoever
 * typed the address first does not keep its owner out.
 * @throws ShopError code_wrong, code_expired, code_used_up, email_in_use
 */
export async function registerByEmail(
  viewer: Viewer,
  input: RegisterByEmailInput,
  from: ClientInfo,
): Promise<LoginResult> {
  const { user_email: email, verification_code: code, verification_id: id } = input;
  const codeId = await checkCode({ email, purpose: "register", code, id: id || undefined, ip: from.ip });
  const passwordHash = await hashPassword(input.user_password);
  const userId = await transaction(async (tx) => {
    await consumeCode(tx, codeId);
    const person = { input, passwordHash, verified: true, locale: viewer.locale, ip: from.ip };
    return createVerifiedAccount(tx, person);
  });
  return openSession(viewer, userId, from.device);
}

/**
 * Creates an unverified account and signs it in (register/direct, docs/product.md#72-accounts): it may browse and
 * buy, but not claim, invite or change the delivery email until it is verified.
 * @throws ShopError email_in_use
 */
export async function registerDirectly(
  viewer: Viewer,
  input: RegisterDirectlyInput,
  from: ClientInfo,
): Promise<LoginResult> {
  const passwordHash = await hashPassword(input.user_password);
  const userId = await transaction((tx) =>
    createUser(tx, { input, passwordHash, verified: false, locale: viewer.locale, ip: from.ip }),
  );
  return openSession(viewer, userId, from.device);
}

/** The registration fields that describe the user. */
type OwnFacts = Pick<
  RegisterByEmailInput,
  "user_email" | "username" | "accept_privacy" | "age_group" | "invited_account" | "source_info"
> &
  Partial<Pick<RegisterDirectlyInput, "tracking_id" | "id">>;

type NewUser = {
  input: OwnFacts;
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
export async function createVerifiedAccount(tx: Tx, person: NewUser): Promise<string> {
  return (await takeOver(tx, person)) ?? createUser(tx, person);
}

async function createUser(tx: Tx, person: NewUser): Promise<string> {
  const { user_email: email } = person.input;
  const { locale } = person;
  const facts = await ownFacts(tx, person);
  const [row] = await tx
    .insert(users)
    .values({ ...facts, id: newId("usr"), email, inviteCode: randomText(10) })
    .onConflictDoNothing() // the unique index ignores case
    .returning({ id: users.id });
  if (!row) throw new ShopError("email_in_use");
  await noteInvitation(tx, row.id, facts.invitedBy, person);
  await queueMail(tx, {
    event: "welcome",
    to: email,
    locale,
    refs: { userId: row.id },
    dedupeKey: `welcome:${row.id}`,
  });
  return row.id;
}

/** The registration fields as columns. */
async function ownFacts(tx: Tx, { input, passwordHash, verified, locale }: NewUser) {
  const email = input.user_email;
  return {
    username: input.username ?? email.split("@", 1)[0]?.slice(0, 60) ?? email,
    passwordHash,
    emailVerifiedAt: verified ? sql`shop_now()` : null,
    locale,
    ageGroup: input.age_group,
    privacyAcceptedAt: input.accept_privacy ? sql`shop_now()` : null,
    invitedBy: await inviterOf(tx, input),
    signupSource: sourceOf(input),
  };
}

/**
 * Gives the unverified account of an address to the person who verified it: replaces its fields and removes sessions,
 * addresses and phone. Id and orders stay. Returns null when there is no unverified account.
 */
async function takeOver(tx: Tx, person: NewUser): Promise<string | null> {
  const facts = await ownFacts(tx, person);
  const [taken] = await tx
    .update(users)
    .set({ ...facts, phone: null, countryCode: null, inviteCode: randomText(10) })
    .where(
      sql`lower(${users.email}) = ${person.input.user_email} and ${users.emailVerifiedAt} is null and ${users.role} = 'user'`,
    )
    .returning({ id: users.id });
  if (!taken) return null;
  await removeUnverifiedOwnerData(tx, taken.id);
  await noteInvitation(tx, taken.id, facts.invitedBy, person);
  return taken.id;
}

/** Records who invited this user (docs/product.md#85-coupons). */
async function noteInvitation(tx: Tx, friendId: string, inviterId: string | null, { input, ip }: NewUser) {
  if (!inviterId) return;
  const network = networkPrefix(ip) ?? "unknown";
  await recordInvitation(tx, { inviterId, friendId, email: input.user_email, network });
}

/**
 * Removes what an unverified owner stored: sign-ins, cart, addresses, and an invitation that has earned nothing yet.
 */
export async function removeUnverifiedOwnerData(tx: Tx, userId: string): Promise<void> {
  await endSessionsOfUser(tx, userId);
  await tx.delete(referrals).where(and(eq(referrals.friendId, userId), eq(referrals.state, "registered")));
  await tx.delete(cartLines).where(eq(cartLines.userId, userId));
  await tx.delete(verifiedEmails).where(eq(verifiedEmails.userId, userId));
  await tx.delete(userIdentities).where(eq(userIdentities.userId, userId));
  await tx.delete(billingAddresses).where(eq(billingAddresses.userId, userId));
  await enqueue(tx, DeleteProviderCustomer, { userId }, { jobKey: `forget-customer:${userId}` });
}

/** The verified user with this invite code; an unknown code is no error (docs/product.md#24-navigation). */
async function inviterOf(
  tx: Tx,
  { invited_account: inviteCode, user_email: email }: NewUser["input"],
): Promise<string | null> {
  if (!inviteCode) return null;
  const [inviter] = await tx
    .select({ id: users.id })
    .from(users)
    .where(
      sql`${users.inviteCode} = ${inviteCode} and lower(${users.email}) <> ${email} and ${users.emailVerifiedAt} is not null`,
    );
  return inviter?.id ?? null;
}

function sourceOf(input: NewUser["input"]): Record<string, string> | null {
  const info: SourceInfo & Record<string, unknown> = { ...input.source_info };
  if ("tracking_id" in input) info.tracking_id = input.tracking_id;
  if ("id" in input) info.id = input.id || info.id;
  const said = Object.entries(info).filter(
    ([, value]) => value !== null && value !== undefined && value !== "",
  );
  return said.length > 0 ? Object.fromEntries(said.map(([name, value]) => [name, String(value)])) : null;
}
