import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { users } from "@/db/schema/accounts";
import type { Role } from "@/lib/accounts/rules";
import { hashPassword } from "@/lib/platform/auth/password";
import { startSession, type UserViewer } from "@/lib/platform/auth/session";
import { newId, randomText } from "@/lib/platform/crypto/ids";
import type { Locale } from "@/lib/platform/i18n/locales";

type UserInput = {
  email?: string;
  username?: string;
  verified?: boolean;
  role?: Role;
  locale?: Locale;
};

/** The password of every user. Its hash is computed once, because argon2 is slow. */
const PASSWORD = "correct horse battery";
let passwordHash: Promise<string> | undefined;

/** A verified user with a unique address. */
export async function createUser(input: UserInput = {}) {
  const tag = randomBytes(6).toString("hex");
  const { email = `shopper-${tag}@example.com`, username = `Shopper ${tag.slice(0, 4)}` } = input;
  const { verified = true, role, locale = "en" } = input;
  passwordHash ??= hashPassword(PASSWORD);
  const user = { id: newId("usr"), email, username, inviteCode: randomText(10) };
  await db.insert(users).values({
    ...user,
    passwordHash: await passwordHash,
    emailVerifiedAt: verified ? sql`shop_now()` : null,
    locale,
    role,
  });
  return { ...user, password: PASSWORD };
}

export type SignedInUser = Awaited<ReturnType<typeof createSignedInUser>>;

/** A user with a session, as API client and as browser. */
export async function createSignedInUser(input: UserInput = {}) {
  const user = await createUser(input);
  const { verified: emailVerified = true, role = "user", locale = "en" } = input;
  const { sessionId, token, refreshToken, cookie } = await startSession({ id: user.id }, "Test, Linux");
  const { id: userId, email, username } = user;
  const viewer: UserViewer = {
    kind: "user",
    userId,
    email,
    emailVerified,
    username,
    role,
    sessionId,
    locale,
    factor: { active: false, reauthenticated: false, due: false },
  };
  return {
    ...user,
    viewer,
    token,
    refreshToken,
    /** `Authorization` for API calls. */
    bearer: `Bearer ${token}`,
    /** `name=value`, as a browser sends it. */
    cookie: cookie.split(";", 1)[0] ?? "",
  };
}
