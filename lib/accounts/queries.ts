import { and, eq, isNull, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { users, verifiedEmails } from "@/db/schema/accounts";
import { cartLines } from "@/db/schema/cart";
import { requireUser, type UserViewer, type Viewer } from "@/lib/platform/auth/session";
import { hmacDigits } from "@/lib/platform/crypto/hmac";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import type { AccountView, ProfileView, SessionSummary } from "./contract";
import { CODE_DIGITS, type CodeMailPurpose, type CodePurpose, DEMO_ACCOUNT_EMAIL } from "./rules";

/** The viewer's own account. @throws ShopError session_required, account_missing ("404", docs/product.md#92-messages) */
export async function getAccount(viewer: Viewer): Promise<AccountView> {
  return accountView(await findUser(requireUser(viewer)));
}

/** The viewer's account for the profile page. @throws ShopError account_missing */
export async function getProfile(viewer: UserViewer): Promise<ProfileView> {
  const row = await findUser(viewer);
  return {
    ...accountView(row),
    member_since: row.createdAt.toISOString(),
    session_id: viewer.sessionId,
  };
}

async function findUser({ userId }: UserViewer): Promise<typeof users.$inferSelect> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)));
  if (!row) throw new ShopError("account_missing");
  return row;
}

export const accountFields = (row: typeof users.$inferSelect) => ({
  user_id: row.id,
  user_email: row.email,
  username: row.username,
  phone: row.phone,
  country_code: row.countryCode,
});

const accountView = (row: typeof users.$inferSelect): AccountView => ({
  ...accountFields(row),
  email_verified: row.emailVerifiedAt !== null,
  role: row.role,
  locale: row.locale,
  invite_code: row.inviteCode,
});

/** The session data that a public page loads after rendering; a guest has an empty cart. */
export async function getSessionSummary(viewer: Viewer): Promise<SessionSummary> {
  if (viewer.kind === "guest") return { signed_in: false, cart_count: 0 };
  const { userId, username } = viewer;
  const cartCount = await db.$count(cartLines, eq(cartLines.userId, userId));
  return { signed_in: true, user_id: userId, username, cart_count: cartCount };
}

/** Whether keys may be sent to an address: the account's own, or one verified by a code (docs/product.md#83-delivery). */
export async function isDeliveryEmail(viewer: UserViewer, email: string): Promise<boolean> {
  const address = email.toLowerCase();
  if (address === viewer.email.toLowerCase()) return true;
  const isVerified = and(
    eq(verifiedEmails.userId, viewer.userId),
    eq(sql`lower(${verifiedEmails.email})`, address),
  );
  return (await db.$count(verifiedEmails, isVerified)) > 0;
}

/** The verification code of an id, derived with the application secret, so that no table stores it. */
export const deriveVerificationCode = (codeId: string): string =>
  hmacDigits("verification-code", codeId, CODE_DIGITS);

/** The content of a verification email; null when the code is used or expired. */
export async function findVerificationMail(codeId: string) {
  const [row] = await db.execute<{ purpose: CodePurpose; isOwn: boolean; isVerified: boolean }>(sql`
    select c.purpose, coalesce(lower(u.email) = lower(c.email), false) as "isOwn",
      u.email_verified_at is not null as "isVerified"
    from verification_codes c left join users u on u.id = c.user_id
    where c.id = ${codeId} and c.used_at is null and c.expires_at > shop_now()`);
  if (!row) return null;
  // An `order_email` code to the account's own address reauthenticates a verified owner and verifies the address of another.
  const ownPurpose: CodeMailPurpose = row.isVerified ? "proof" : "verify";
  return {
    code: deriveVerificationCode(codeId),
    purpose: row.isOwn && row.purpose === "order_email" ? ownPurpose : row.purpose,
  };
}

/** The username for the welcome email; null when the account is deleted. */
export async function findUsername(userId: string): Promise<string | null> {
  const [row] = await db
    .select({ username: users.username })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)));
  return row?.username ?? null;
}

/** Whether the viewer is the account of a demo, whose orders `npm start` makes up (scripts/demo-data.ts). */
export const isDemoAccount = ({ email }: UserViewer): boolean =>
  env().APP_MODE === "demo" && email.toLowerCase() === DEMO_ACCOUNT_EMAIL;
